import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import styles from './sign-in.module.css'

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> {
  readonly name: string
  readonly label: string
  readonly error?: string | undefined
  readonly hint?: string | undefined
  /** Rendered inside the field, at its end. */
  readonly end?: ReactNode
  /** Rendered below the field, for example a Caps Lock warning. */
  readonly note?: ReactNode
}

export function TextField({ label, error, hint, end, note, ...input }: TextFieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.control} data-invalid={error ? true : undefined}>
        <input {...input} id={id} aria-invalid={error ? true : undefined} aria-describedby={describedBy || undefined} />
        {end}
      </div>
      {note}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
