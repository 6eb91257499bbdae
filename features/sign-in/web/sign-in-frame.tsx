import type { ReactNode } from 'react'
import styles from './sign-in.module.css'

/** The frame of every sign-in screen: the product's name and one card. */
export function SignInFrame(props: {
  title: string
  children: ReactNode
  above?: ReactNode
  below?: ReactNode
  /** Wider, for lists and settings. */
  isWide?: boolean
}) {
  const { title, children, above, below, isWide } = props
  return (
    <div className={styles.page}>
      <main className={styles.column} data-wide={isWide || undefined}>
        <div className={styles.product}>
          <svg viewBox="0 0 26 26" width="32" height="32" aria-hidden="true">
            <rect width="26" height="26" rx="6" className={styles.mark} />
            <path
              className={styles.initial}
              fillRule="evenodd"
              d="M8 6.5h6.2a4.9 4.9 0 0 1 0 9.8H11v3.2H8zm3 2.8v4.2h3a2.1 2.1 0 0 0 0-4.2z"
            />
          </svg>
          <span>Publisher Center</span>
        </div>
        {above}
        <section className={styles.card} aria-labelledby="screen-title">
          <h1 id="screen-title">{title}</h1>
          {children}
        </section>
        {below}
      </main>
    </div>
  )
}

export function FormAlert({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className={styles.alertPlace}>
      {text && <p className={styles.alert}>{text}</p>}
    </div>
  )
}

export function SubmitButton({ isBusy, label, busyLabel }: { isBusy: boolean; label: string; busyLabel: string }) {
  return (
    <button type="submit" className={styles.submit} aria-disabled={isBusy} aria-busy={isBusy}>
      {isBusy && <span className={styles.spinner} aria-hidden="true" />}
      {isBusy ? busyLabel : label}
    </button>
  )
}
