import type { ReactNode } from 'react'
import styles from './entity-form.module.css'
import form from './form.module.css'

/** Related fields under a heading. */
export function FormSection(props: { title: string; note?: ReactNode; badge?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={props.title}>
      <header>
        <h2>
          {props.title}
          {props.badge}
        </h2>
        {props.note && <p>{props.note}</p>}
      </header>
      <div className={form.fields}>{props.children}</div>
    </section>
  )
}

/** Fields side by side where there is room. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>
}
