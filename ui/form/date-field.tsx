import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { dayText, monthText } from '@pc/domain/month/day-text.ja.ts'
import { EARLIEST_MONTH, formatYearMonth, parseYearMonth, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { LazyDayBox, LazyMonthBox } from '../filter/lazy-day-box.tsx'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import styles from './form.module.css'

interface MonthProps<V extends FieldValues, N extends FieldPath<V>> extends FieldProps<V, N> {
  /** The latest selectable month. `earliest` defaults to 2020-12. */
  latest: YearMonth
  earliest?: YearMonth
  /** What an empty field means, such as 定めなし. */
  emptyLabel?: string
  /** Called when another month is chosen, for fields that depend on it. */
  onChosen?: (months: { readonly before: YearMonth; readonly after: YearMonth }) => void
}

/** A month; the form's value is YYYY-MM or null. */
export function MonthField<V extends FieldValues, N extends FieldPath<V>>(props: MonthProps<V, N>) {
  const field = useField(props, showMonth)
  const value = typeof field.value === 'string' ? field.value : ''
  return (
    <FieldFrame field={field} props={{ width: 'short', ...props }}>
      <LazyMonthBox
        {...field.aria}
        label={props.label}
        isNamed
        inputRef={field.focusRef}
        className={styles.input ?? ''}
        min={formatYearMonth(props.earliest ?? EARLIEST_MONTH)}
        max={formatYearMonth(props.latest)}
        placeholder={props.emptyLabel}
        value={value}
        readOnly={field.isReadOnly}
        onChange={text => {
          field.set(text === '' ? null : text)
          const [before, after] = [parseYearMonth(value), parseYearMonth(text)]
          if (before !== undefined && after !== undefined) props.onChosen?.({ before, after })
        }}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  )
}

function showMonth(value: unknown): string {
  const month = typeof value === 'string' ? parseYearMonth(value) : undefined
  return month === undefined ? '（未選択）' : monthText(month)
}

/** A day from 2020-12-01 on; the form's value is YYYY-MM-DD or null. */
export function DateField<V extends FieldValues, N extends FieldPath<V>>(props: FieldProps<V, N>) {
  const field = useField(props, showDay)
  return (
    <FieldFrame field={field} props={{ width: 'short', ...props }}>
      <LazyDayBox
        {...field.aria}
        label={props.label}
        isNamed
        inputRef={field.focusRef}
        className={styles.input ?? ''}
        min={EARLIEST_DAY}
        value={typeof field.value === 'string' ? field.value : ''}
        readOnly={field.isReadOnly}
        onChange={text => field.set(text === '' ? null : text)}
        onBlur={field.onBlur}
      />
    </FieldFrame>
  )
}

function showDay(value: unknown): string {
  const day = typeof value === 'string' ? parseDay(value) : undefined
  return day === undefined ? '（未入力）' : dayText(day)
}
