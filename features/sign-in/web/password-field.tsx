import { type KeyboardEvent, useState } from 'react'
import styles from './sign-in.module.css'
import { TextField } from './text-field.tsx'

export interface PasswordFieldProps {
  readonly name: string
  readonly label: string
  readonly autoComplete: 'current-password' | 'new-password'
  readonly error?: string | undefined
  readonly hint?: string | undefined
  readonly autoFocus?: boolean
}

/** A password field that can reveal its text and warns while Caps Lock is on. */
export function PasswordField(props: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false)
  const [hasCapsLock, setCapsLock] = useState(false)
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextField
      {...props}
      type={isVisible ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setCapsLock(false)}
      note={
        <p role="status" className={styles.capsLock}>
          {hasCapsLock && 'Caps Lock がオンになっています。'}
        </p>
      }
      end={
        <button
          type="button"
          className={styles.reveal}
          aria-pressed={isVisible}
          aria-label={`${props.label}を表示する`}
          title={isVisible ? '隠す' : '表示する'}
          onClick={() => setVisible(!isVisible)}
        >
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className={styles.icon}>
            <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
            <circle cx="12" cy="12" r="3" />
            {isVisible && <path d="m4 4 16 16" />}
          </svg>
        </button>
      }
    />
  )
}
