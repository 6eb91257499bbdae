import {
  addMonths,
  EARLIEST_MONTH,
  formatYearMonth,
  parseYearMonth,
  type YearMonth,
} from '@pc/domain/month/year-month.ts'
import {
  groupedNumberText,
  isBlockedKey,
  plainNumberText,
  readNumberText,
  tidyNumberText,
} from '@pc/ui/form/number-text.ts'
import { formatMonth } from '@pc/ui/format.ts'
import { useState } from 'react'
import styles from './payment-settings.module.css'

/** Months in which a new line may begin: none that is final, and a few years ahead. */
export function startMonths(lastFinalized: string | null): readonly YearMonth[] {
  const last = lastFinalized ? parseYearMonth(lastFinalized) : undefined
  const first = last === undefined ? EARLIEST_MONTH : addMonths(last, 1)
  return Array.from({ length: 72 }, (_, index) => addMonths(first, index))
}

export function MonthSelect(props: { months: readonly YearMonth[]; value: string; onChange: (month: string) => void }) {
  return (
    <Choice
      label="適用開始月"
      options={props.months.map(month => ({ value: formatYearMonth(month), label: `${formatMonth(month)}分から` }))}
      value={props.value}
      onChange={props.onChange}
    />
  )
}

export function Choice<const T extends string>(props: {
  label: string
  options: readonly { readonly value: T; readonly label: string }[]
  value: T
  onChange: (value: T) => void
}) {
  return (
    <label className={styles.field}>
      <span>{props.label}</span>
      <select value={props.value} onChange={event => props.onChange(event.target.value as T)}>
        {props.options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A whole number that is not negative; undefined while the field is empty. */
export function Amount(props: {
  label: string
  unit: string
  value: number | undefined
  onChange: (value: number | undefined) => void
  isLabelHidden?: boolean
}) {
  const [typed, setTyped] = useState<string>()
  const { value, onChange } = props
  return (
    <label className={styles.field}>
      <span className={props.isLabelHidden ? 'visually-hidden' : undefined}>{props.label}</span>
      <span className={styles.amount}>
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? groupedNumberText(value, 'integer')}
          onFocus={() => setTyped(plainNumberText(value, 'integer'))}
          onBlur={() => setTyped(undefined)}
          onKeyDown={event => {
            const isShortcut = event.ctrlKey || event.metaKey || event.altKey
            if (!isShortcut && !event.nativeEvent.isComposing && isBlockedKey(event.key, 'integer'))
              event.preventDefault()
          }}
          onChange={event => {
            if ((event.nativeEvent as InputEvent).isComposing) return setTyped(event.target.value)
            const tidy = tidyNumberText(event.target.value, 'integer')
            setTyped(tidy)
            onChange(readNumberText(tidy, 'integer'))
          }}
          onCompositionEnd={event => {
            const tidy = tidyNumberText(event.currentTarget.value, 'integer')
            setTyped(tidy)
            onChange(readNumberText(tidy, 'integer'))
          }}
        />
        <i aria-hidden>{props.unit}</i>
      </span>
    </label>
  )
}
