import { rangeEnd } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { useMedia } from '@pc/ui/data/entity-options.ts'
import { SearchFilter, SelectFilter } from '@pc/ui/elements/list-top.tsx'
import { MonthFilter } from '@pc/ui/filter/day-filter.tsx'

interface CommonCondition {
  readonly month: YearMonth | undefined
  readonly monthTo: YearMonth | undefined
  readonly q: string
  readonly mediumId: string | undefined
  readonly actionType: 'all' | 'payment' | 'discard'
  readonly state: 'all' | 'finalized' | 'open'
}

const STATES = [
  { value: 'all', label: 'すべて' },
  { value: 'finalized', label: '確定済み' },
  // Not 未確定, which is one of the states of a payment: this option also finds computed ones.
  { value: 'open', label: '確定前' },
] as const

const ACTION_TYPES = [
  { value: 'all', label: 'すべて' },
  { value: 'payment', label: '支払あり' },
  { value: 'discard', label: '破棄あり' },
] as const

/** The filters that all lists of payments have. Months can be chosen from 2020-12 on. */
export function PaymentFilters(props: {
  condition: CommonCondition
  today: Day
  search: { label: string; placeholder: string }
  /** Whether to offer the filter by final and open months; publishers see final months only. */
  hasOpenMonths: boolean
  onChange: (change: Partial<CommonCondition>) => void
}) {
  const { condition, onChange } = props
  const media = useMedia()
  const latest = monthOfDay(props.today)
  const from = condition.month
  return (
    <>
      <SearchFilter {...props.search} value={condition.q} onSearch={q => onChange({ q })} />
      <MonthFilter
        label="開始月"
        value={from}
        latest={latest}
        onChange={month => {
          const monthTo = condition.monthTo
          const isReversed = month !== undefined && monthTo !== undefined && monthTo < month
          onChange({ month, ...(month === undefined || isReversed ? { monthTo: undefined } : {}) })
        }}
      />
      {from !== undefined && (
        <MonthFilter
          label="終了月"
          value={rangeEnd(from, condition.monthTo) ?? from}
          earliest={from}
          latest={latest}
          onChange={monthTo => onChange({ monthTo: monthTo === undefined || monthTo <= from ? undefined : monthTo })}
        />
      )}
      <SelectFilter
        label="媒体"
        options={[{ value: '', label: 'すべて' }, ...media.options]}
        value={condition.mediumId ?? ''}
        onChange={id => onChange({ mediumId: id === '' ? undefined : id })}
      />
      <SelectFilter
        label="種別"
        options={ACTION_TYPES}
        value={condition.actionType}
        onChange={actionType => onChange({ actionType })}
      />
      {props.hasOpenMonths && (
        <SelectFilter label="状態" options={STATES} value={condition.state} onChange={state => onChange({ state })} />
      )}
    </>
  )
}
