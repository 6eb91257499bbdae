import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { MonthFilter } from '@pc/ui/filter/day-filter.tsx'
import { LazyDayBox } from '@pc/ui/filter/lazy-day-box.tsx'
import { formatInteger } from '@pc/ui/text/format.ts'
import { useId, useState } from 'react'
import { type StatementCondition, typedAmountYen } from '../statement-condition.ts'
import styles from './statements.module.css'

/** The filters of the archive. A statement must match all of them. */
export function StatementFilters(props: {
  condition: StatementCondition
  today: Day
  onChange: (change: Partial<StatementCondition>) => void
}) {
  const { condition, today, onChange } = props
  const media = useMedia()
  return (
    <>
      <SearchFilter
        label="支払通知書を検索"
        placeholder="支払先・番号・契約"
        value={condition.q}
        onSearch={q => onChange({ q })}
      />
      <fieldset className={styles.range}>
        <legend>発行日</legend>
        <LazyDayBox
          label="発行日（開始）"
          value={condition.from ?? ''}
          min={EARLIEST_DAY}
          max={today}
          placeholder="指定なし"
          onChange={text => onChange({ from: issuedDay(text) })}
        />
        <span aria-hidden>〜</span>
        <LazyDayBox
          label="発行日（終了）"
          value={condition.to ?? ''}
          min={EARLIEST_DAY}
          max={today}
          placeholder="指定なし"
          onChange={text => onChange({ to: issuedDay(text) })}
        />
      </fieldset>
      <fieldset className={styles.range}>
        <legend>支払額（税込）</legend>
        <AmountInput
          label="金額（下限、円）"
          value={condition.amountFrom}
          onChange={amountFrom => onChange({ amountFrom })}
        />
        <span aria-hidden>〜</span>
        <AmountInput
          label="金額（上限、円）"
          value={condition.amountTo}
          onChange={amountTo => onChange({ amountTo })}
        />
        <span aria-hidden>円</span>
      </fieldset>
      <MonthFilter
        label="発生月"
        value={condition.month}
        latest={monthOfDay(today)}
        // This field chooses one month; only links set a range (`monthTo`).
        onChange={month => onChange({ month, monthTo: undefined })}
      />
      <SelectFilter
        label="媒体"
        options={[{ value: '', label: 'すべて' }, ...media.options]}
        value={condition.mediumId ?? ''}
        onChange={id => onChange({ mediumId: id === '' ? undefined : id })}
      />
    </>
  )
}

/** A day before the first possible one counts as not chosen. */
function issuedDay(text: string): Day | undefined {
  const day = parseDay(text)
  return day !== undefined && day >= EARLIEST_DAY ? day : undefined
}

/** An amount field that takes effect when it loses the focus, or with Enter. */
function AmountInput(props: { label: string; value: string; onChange: (text: string) => void }) {
  const id = useId()
  const [known, setKnown] = useState(props.value)
  const [typed, setTyped] = useState(shown(props.value))
  if (props.value !== known) {
    setKnown(props.value)
    setTyped(shown(props.value))
  }
  const settle = () => {
    const amount = typedAmountYen(typed)
    const text = amount === undefined ? '' : String(amount)
    setTyped(shown(text))
    if (text !== props.value) props.onChange(text)
  }
  return (
    <input
      id={id}
      type="text"
      inputMode="numeric"
      aria-label={props.label}
      autoComplete="off"
      className={`control ${styles.amount}`}
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onBlur={settle}
      onKeyDown={event => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) settle()
      }}
    />
  )
}

function shown(text: string): string {
  const amount = typedAmountYen(text)
  return amount === undefined ? '' : formatInteger(amount)
}
