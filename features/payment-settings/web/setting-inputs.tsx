import {
  addMonths,
  EARLIEST_MONTH,
  formatYearMonth,
  parseYearMonth,
  type YearMonth,
} from '@pc/domain/month/year-month.ts'
import { LazyDayBox } from '@pc/ui/filter/lazy-day-box.tsx'
import { MonthPicker } from '@pc/ui/filter/month-picker.tsx'
import { FigureInput } from '@pc/ui/form/figure-input.tsx'
import form from '@pc/ui/form/form.module.css'
import { createContext, type ReactNode, use, useId } from 'react'
import styles from './payment-settings.module.css'

/** The server's refusals by the field's name in the input. */
export const SettingProblems = createContext<ReadonlyMap<string, string>>(new Map())

interface FieldProps {
  label: string
  /** The field's name in refusals; without it, its refusals are shown above all fields. */
  name?: string
  isRequired?: boolean
}

function Field({
  label,
  name,
  isRequired,
  children,
}: FieldProps & { children: (field: FieldAttributes) => ReactNode }) {
  const id = useId()
  const problem = use(SettingProblems).get(name ?? '')
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {isRequired && (
          <span className={form.required} aria-hidden>
            必須
          </span>
        )}
      </label>
      {children({
        ...{ id, 'data-field': name, ...(isRequired ? { 'aria-required': true } : {}) },
        ...(problem ? { 'aria-invalid': true, 'aria-describedby': `${id}-problem` } : {}),
      })}
      {problem && (
        <span id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
interface FieldAttributes {
  readonly id: string
  readonly 'data-field': string | undefined
  readonly 'aria-required'?: true
  readonly 'aria-invalid'?: true
  readonly 'aria-describedby'?: string
}

/** The 72 months after the last finalised one, in which a new setting may begin. */
export function startMonths(lastFinalized: string | null): readonly YearMonth[] {
  const last = lastFinalized ? parseYearMonth(lastFinalized) : undefined
  const first = last === undefined ? EARLIEST_MONTH : addMonths(last, 1)
  return Array.from({ length: 72 }, (_, index) => addMonths(first, index))
}

/** A month of revenue, or of transfers: those of a month pay the revenue of an earlier one. `months` without a gap. */
export function MonthSelect(props: {
  months: readonly YearMonth[]
  value: string
  isOfTransfers?: boolean
  onChange: (month: string) => void
}) {
  const { months } = props
  const value = parseYearMonth(props.value) ?? months[0]
  const latest = months.at(-1)
  const problem = use(SettingProblems).get('validFromMonth')
  if (value === undefined || latest === undefined) return null
  const label = props.isOfTransfers ? '適用開始月（振込月）' : '適用開始月'
  return (
    <div className={styles.field} data-field="validFromMonth" data-invalid={problem ? true : undefined}>
      <span aria-hidden>{label}</span>
      <MonthPicker
        label={label}
        value={value}
        earliest={months[0]}
        latest={latest}
        onChange={month => props.onChange(formatYearMonth(month))}
      />
      {problem && (
        <span className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}

export function Choice<const T extends string>(
  props: FieldProps & {
    options: readonly { readonly value: T; readonly label: string }[]
    value: T
    onChange: (value: T) => void
  },
) {
  return (
    <Field {...props}>
      {field => (
        <select {...field} value={props.value} onChange={event => props.onChange(event.target.value as T)}>
          {props.options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A whole number that is not negative; undefined while the field is empty. */
export function Amount(
  props: FieldProps & {
    unit: string
    /** `rate`: the value is in units of 1/100 %. */
    kind?: 'integer' | 'rate'
    value: number | undefined
    onChange: (value: number | undefined) => void
  },
) {
  return (
    <Field {...props}>
      {field => (
        <span className={styles.amount}>
          <FigureInput {...field} kind={props.kind ?? 'integer'} value={props.value} onValue={props.onChange} />
          <i aria-hidden>{props.unit}</i>
        </span>
      )}
    </Field>
  )
}

/** Longer than any code, so that a code with too many digits is refused and not cut to a different code. */
const MAX_CODE_TEXT = 20

/** A short text. With `digits` only digits are accepted; full-width ones are converted. */
export function SettingText(
  props: FieldProps & { value: string; onChange: (value: string) => void; digits?: number; maxLength?: number },
) {
  const { digits } = props
  const tidy = (text: string) =>
    digits === undefined ? text : text.normalize('NFKC').replace(/\D/g, '').slice(0, MAX_CODE_TEXT)
  return (
    <Field {...props}>
      {field => (
        <input
          {...field}
          autoComplete="off"
          inputMode={digits === undefined ? 'text' : 'numeric'}
          maxLength={props.maxLength}
          value={props.value}
          onChange={event => props.onChange(tidy(event.target.value))}
        />
      )}
    </Field>
  )
}

export function DayField(props: FieldProps & { value: string; onChange: (day: string) => void; min?: string }) {
  return (
    <Field {...props}>
      {field => (
        <LazyDayBox
          {...field}
          label={props.label}
          isNamed
          min={props.min}
          value={props.value}
          onChange={props.onChange}
        />
      )}
    </Field>
  )
}
