import { useId } from 'react'
import styles from './form.module.css'

/** Some lines that a dialog cannot do without, with what is wrong with them. */
export function RequiredText(props: {
  label: string
  rows: number
  maxLength: number
  value: string
  problem: string | undefined
  isFirst?: boolean
  onChange: (text: string) => void
}) {
  const { problem } = props
  const id = useId()
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
        value={props.value}
        aria-required
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={event => props.onChange(event.target.value)}
      />
      {problem && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
