import type { ReactNode } from 'react'
import type { BoardRow } from '../../core/web/manual-operation-words.ts'
import styles from '../../core/web/month-close.module.css'
import { activeSteps, type CloseStep, closeSteps } from './close-steps.ts'

const STATE_WORDS: Readonly<Record<CloseStep['state'], string>> = {
  done: '完了',
  now: '今すること',
  problem: '要対応',
  later: 'まだ',
}

/** How far the month is from its figures to the payments, and what comes next. It stays visible while scrolling. */
export function CloseStepsBar(props: {
  rows: readonly BoardRow[]
  /** Buttons and links for the active steps, in their order. */
  actionsOf: (active: readonly CloseStep[]) => ReactNode
}) {
  const steps = closeSteps(props.rows)
  const active = activeSteps(steps)
  const current = active[0] ?? steps.find(each => each.state !== 'done')
  return (
    <nav className={styles.steps} aria-label="月次締めの流れ">
      <ol>
        {steps.map(step => (
          <li key={step.id} data-state={step.state} {...(step === current ? { 'aria-current': 'step' } : {})}>
            <b>{step.label}</b>
            <span className="visually-hidden">{`（${STATE_WORDS[step.state]}）`}</span>
            <small>{step.note}</small>
          </li>
        ))}
      </ol>
      <div className={styles.stepAction}>{props.actionsOf(active)}</div>
    </nav>
  )
}
