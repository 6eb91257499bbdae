import { LazyDayBox } from '@pc/ui/filter/lazy-day-box.tsx'
import formStyles from '@pc/ui/form/form.module.css'
import { useId } from 'react'
import styles from './payments.module.css'

/** A day beside its name, outside of a form. */
export function DayInput(props: {
  label: string
  value: string
  min?: string
  max?: string
  hint?: string
  /** What is wrong with the day. */
  problem?: string | undefined
  onChange: (value: string) => void
}) {
  const id = useId()
  const described = [props.hint ? `${id}-hint` : '', props.problem ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={formStyles.field} data-width="full">
      <label className={formStyles.label} htmlFor={id}>
        {props.label}
      </label>
      <LazyDayBox
        id={id}
        label={props.label}
        isNamed
        className={`${formStyles.input} ${styles.day}`}
        value={props.value}
        min={props.min}
        max={props.max}
        aria-invalid={props.problem ? true : undefined}
        aria-describedby={described || undefined}
        onChange={props.onChange}
      />
      {props.problem && (
        <p id={`${id}-error`} className={formStyles.error} role="alert">
          {props.problem}
        </p>
      )}
      {props.hint && (
        <p id={`${id}-hint`} className={formStyles.hint}>
          {props.hint}
        </p>
      )}
    </div>
  )
}
