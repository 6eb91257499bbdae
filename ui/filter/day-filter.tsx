import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import { EARLIEST_MONTH, formatYearMonth, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import styles from './day-filter.module.css'
import { LazyDayBox, LazyMonthBox } from './lazy-day-box.tsx'

interface DayFilterProps {
  label: string
  value: Day | undefined
  onChange: (day: Day | undefined) => void
}

/** A filter for one day, or none. */
export function DayFilter({ label, value, onChange }: DayFilterProps) {
  return (
    <span className={styles.day}>
      <span aria-hidden>{label}</span>
      <LazyDayBox
        label={label}
        min={EARLIEST_DAY}
        placeholder="指定なし"
        value={value ?? ''}
        onChange={text => onChange(parseDay(text))}
      />
    </span>
  )
}

interface MonthFilterProps {
  label: string
  value: YearMonth | undefined
  /** Default: the first month that the product knows. */
  earliest?: YearMonth
  latest: YearMonth
  onChange: (month: YearMonth | undefined) => void
}

/** A filter for one month, or none. */
export function MonthFilter({ label, value, earliest = EARLIEST_MONTH, latest, onChange }: MonthFilterProps) {
  return (
    <span className={styles.day}>
      <span aria-hidden>{label}</span>
      <LazyMonthBox
        label={label}
        min={formatYearMonth(earliest)}
        max={formatYearMonth(latest)}
        placeholder="指定なし"
        value={value === undefined ? '' : formatYearMonth(value)}
        onChange={text => onChange(parseYearMonth(text))}
      />
    </span>
  )
}
