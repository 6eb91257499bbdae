import type { ReactNode } from 'react'
import styles from './slim-card.module.css'

/** One line in place of a card that has nothing to show, with a possible action. */
export function SlimCard(props: {
  /** The title of the card. */
  label: string
  mark: ReactNode
  /** Dashed, for something that is only expected. */
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
