import formStyles from '@pc/ui/form/form.module.css'
import { useId } from 'react'
import styles from './transfers.module.css'

/** A day beside its name, outside of a form. */
export function DayInput(props: {
  label: string
  value: string
  min?: string
  max?: string
  hint?: string
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className={formStyles.field} data-width="full">
      <label className={formStyles.label} htmlFor={id}>
        {props.label}
      </label>
      <input
        id={id}
        type="date"
        className={`${formStyles.input} ${styles.day}`}
        value={props.value}
        min={props.min}
        max={props.max}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onChange={event => props.onChange(event.target.value)}
      />
      {props.hint && (
        <p id={`${id}-hint`} className={formStyles.hint}>
          {props.hint}
        </p>
      )}
    </div>
  )
}
