import { Button } from '@pc/ui/elements/button.tsx'
import { useId } from 'react'
import styles from './users.module.css'

interface ActionProps {
  title: string
  text: string
  label: string
  tone?: 'plain' | 'danger'
  /** Why the action is not possible now; undefined: it is. */
  reason: string | undefined
  onRun: () => void
}

/** An action on a person, with its meaning and the reason why it is not possible now. */
export function Action({ title, text, label, tone = 'plain', reason, onRun }: ActionProps) {
  const id = useId()
  return (
    <li>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      <Button
        tone={tone}
        disabled={reason !== undefined}
        aria-describedby={reason === undefined ? undefined : id}
        onClick={onRun}
      >
        {label}
      </Button>
      {reason !== undefined && (
        <p id={id} className={styles.reason}>
          {reason}
        </p>
      )}
    </li>
  )
}

/** Runs a change whose refusal the error catalogue shows; true when it succeeded. */
export async function succeeds(change: Promise<unknown>): Promise<boolean> {
  try {
    await change
    return true
  } catch {
    return false
  }
}
