import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { parseDay } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { typedTime } from '@pc/domain/month/typed-date.ts'
import { useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { LazyDayBox } from '../filter/lazy-day-box.tsx'
import styles from './date-time-field.module.css'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import form from './form.module.css'

const MIDNIGHT = '00:00'

/**
 * An instant as a day and a time of day; the form's value is ISO 8601 or null. It is entered in Tokyo time, whatever the
 * device's time zone. A day without a time means its beginning.
 */
export function DateTimeField<V extends FieldValues, N extends FieldPath<V>>(props: FieldProps<V, N>) {
  const field = useField(props, showInstant)
  const [day = '', time = ''] = tokyoText(field.value).split(' ')
  const [typed, setTyped] = useState<string>()
  const set = (newDay: string, newTime: string) => field.set(newDay === '' ? null : `${newDay}T${newTime}:00+09:00`)
  const read = typed === undefined ? time : typedTime(typed)
  const settle = () => {
    if (typed !== undefined && read !== undefined) setTyped(undefined)
    field.onBlur()
  }
  return (
    <FieldFrame field={field} props={props}>
      <span className={styles.instant}>
        <LazyDayBox
          {...field.aria}
          label={props.label}
          isNamed
          inputRef={field.focusRef}
          className={form.input ?? ''}
          min={EARLIEST_DAY}
          value={day}
          readOnly={field.isReadOnly}
          onChange={next => set(next, time || read || MIDNIGHT)}
          onBlur={field.onBlur}
        />
        <input
          aria-label={`${props.label}の時刻`}
          aria-invalid={field.aria['aria-invalid'] || (read === undefined ? true : undefined)}
          aria-describedby={field.aria['aria-describedby']}
          className={form.input}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder={MIDNIGHT}
          value={typed ?? time}
          data-unreadable={read === undefined ? '時刻は 09:30 のように入力してください。' : undefined}
          readOnly={field.isReadOnly}
          onChange={event => {
            setTyped(event.target.value)
            const next = typedTime(event.target.value)
            if (next !== undefined && day !== '') set(day, next)
          }}
          onKeyDown={event => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) settle()
          }}
          onBlur={settle}
        />
      </span>
    </FieldFrame>
  )
}

const tokyo = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Tokyo',
  ...({ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const),
})

/** YYYY-MM-DD hh:mm; empty: none. */
function tokyoText(value: unknown): string {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(instant) ? '' : tokyo.format(instant)
}

function showInstant(value: unknown): string {
  const [date = '', time] = tokyoText(value).split(' ')
  const day = parseDay(date)
  return day === undefined ? '（未入力）' : `${dayText(day)} ${time}`
}
