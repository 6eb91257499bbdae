import { formatYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import { useId } from 'react'
import { LazyMonthBox } from '../filter/lazy-day-box.tsx'
import form from './form.module.css'

interface MonthInputProps {
  label: string
  /** YYYY-MM; empty: none. */
  value: string
  earliest: YearMonth
  latest: YearMonth
  /** What an empty field means. */
  emptyLabel?: string
  hint?: string
  /** What is wrong with the month. */
  problem?: string | undefined
  onChange: (value: string) => void
}

/** A month below its name, in dialogs that are no form of an entity. */
export function MonthInput(props: MonthInputProps) {
  const id = useId()
  const described = [props.problem ? `${id}-error` : '', props.hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div className={form.field} data-width="short">
      <label className={form.label} htmlFor={id}>
        {props.label}
      </label>
      <LazyMonthBox
        id={id}
        label={props.label}
        isNamed
        className={form.input ?? ''}
        min={formatYearMonth(props.earliest)}
        max={formatYearMonth(props.latest)}
        placeholder={props.emptyLabel}
        value={props.value}
        aria-invalid={props.problem ? true : undefined}
        aria-describedby={described || undefined}
        onChange={props.onChange}
      />
      {props.problem && (
        <p id={`${id}-error`} className={form.error} role="alert">
          {props.problem}
        </p>
      )}
      {props.hint && (
        <p id={`${id}-hint`} className={form.hint}>
          {props.hint}
        </p>
      )}
    </div>
  )
}
