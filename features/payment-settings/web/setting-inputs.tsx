import {
  addMonths,
  EARLIEST_MONTH,
  formatYearMonth,
  parseYearMonth,
  type YearMonth,
} from '@pc/domain/month/year-month.ts'
import { FigureInput } from '@pc/ui/form/figure-input.tsx'
import { formatMonth } from '@pc/ui/format.ts'
import { useId } from 'react'
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
  /** A rate is in 1/100 %. */
  kind?: 'integer' | 'rate'
  value: number | undefined
  onChange: (value: number | undefined) => void
}) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{props.label}</label>
      <span className={styles.amount}>
        <FigureInput id={id} kind={props.kind ?? 'integer'} value={props.value} onValue={props.onChange} />
        <i aria-hidden>{props.unit}</i>
      </span>
    </div>
  )
}

/** A short text; with `digits` only figures, full width included, and so many at most. */
export function TextField(props: {
  label: string
  value: string
  onChange: (value: string) => void
  digits?: number
  maxLength?: number
}) {
  const { digits } = props
  const tidy = (text: string) =>
    digits === undefined ? text : text.normalize('NFKC').replace(/\D/g, '').slice(0, digits)
  return (
    <label className={styles.field}>
      <span>{props.label}</span>
      <input
        autoComplete="off"
        inputMode={digits === undefined ? 'text' : 'numeric'}
        maxLength={props.maxLength}
        value={props.value}
        onChange={event => props.onChange(tidy(event.target.value))}
      />
    </label>
  )
}
