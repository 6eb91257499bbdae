import type { ReactNode } from 'react'
import styles from './card.module.css'

export function Card(props: {
  title: string
  note?: ReactNode
  tools?: ReactNode
  flush?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles.card} aria-label={props.title} data-flush={props.flush || undefined}>
      <header>
        <h2>{props.title}</h2>
        {props.note && <p>{props.note}</p>}
        {props.tools && <div className={styles.tools}>{props.tools}</div>}
      </header>
      {props.children}
    </section>
  )
}

export type BadgeTone = 'ok' | 'warn' | 'bad' | 'mute'

export function Badge({ tone, children, title }: { tone: BadgeTone; children: ReactNode; title?: string }) {
  return (
    <span className={styles.badge} data-tone={tone} title={title}>
      {children}
    </span>
  )
}
