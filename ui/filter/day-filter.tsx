import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import styles from './day-filter.module.css'
import { LazyDayBox } from './lazy-day-box.tsx'

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
      <LazyDayBox label={label} min={EARLIEST_DAY} value={value ?? ''} onChange={text => onChange(parseDay(text))} />
    </span>
  )
}
