import { useId } from 'react'
import styles from './form.module.css'

/** A required text of several lines in a dialog, with its problem. */
export function RequiredText(props: {
  label: string
  rows: number
  maxLength: number
  value: string
  problem: string | undefined
  isFirst?: boolean
  placeholder?: string
  hint?: string
  onChange: (text: string) => void
}) {
  const { problem } = props
  const id = useId()
  const described = problem ? `${id}-error` : props.hint ? `${id}-hint` : undefined
  return (
    <div className={styles.field} data-width="full">
      <label className={styles.label} htmlFor={id}>
        {props.label}
        <span className={styles.required} aria-hidden>
          必須
        </span>
      </label>
      <textarea
        data-autofocus={props.isFirst || undefined}
        id={id}
        className={styles.input}
        rows={props.rows}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        value={props.value}
        aria-required
        aria-invalid={problem ? true : undefined}
        aria-describedby={described}
        onChange={event => props.onChange(event.target.value)}
      />
      {props.hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {props.hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
