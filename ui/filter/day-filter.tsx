import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { type Day, parseDay } from '@pc/domain/month/day.ts'
import styles from './day-filter.module.css'

interface DayFilterProps {
  label: string
  value: Day | undefined
  onChange: (day: Day | undefined) => void
}

/** A filter for one day, or none. */
export function DayFilter({ label, value, onChange }: DayFilterProps) {
  return (
    <label className={styles.day}>
      {label}
      <input
        type="date"
        className="control"
        min={EARLIEST_DAY}
        value={value ?? ''}
        onChange={event => onChange(parseDay(event.target.value))}
      />
    </label>
  )
}
