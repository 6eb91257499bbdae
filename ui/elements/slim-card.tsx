import type { ReactNode } from 'react'
import styles from './slim-card.module.css'

/** One line where a card has nothing to show, with what can be done about that. */
export function SlimCard(props: {
  /** The title that the card would have. */
  label: string
  mark: ReactNode
  /** Dashed, as what is only expected. */
  isForecast?: boolean
  action?: { readonly label: string; onPress(): void }
  children: ReactNode
}) {
  const { action } = props
  return (
    <section className={styles.slim} aria-label={props.label} data-slim data-forecast={props.isForecast || undefined}>
      {props.mark}
      <p>{props.children}</p>
      {action && (
        <button type="button" onClick={action.onPress}>
          {action.label}
        </button>
      )}
    </section>
  )
}
