import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { Button } from '../elements/button.tsx'
import { answerHere } from '../routing/hash-location.ts'
import { Dialog } from './dialog.tsx'

export interface Question {
  /** Names what will happen: 「東都新聞」の記事3件を削除しますか？ */
  readonly title: string
  /** What follows from it, and whether it can be undone. */
  readonly body?: ReactNode
  /** A verb with its object: 3件を削除する. Never はい. */
  readonly action: string
  readonly cancel?: string
  readonly tone?: 'primary' | 'danger'
}

interface Requested extends Question {
  answer(isAgreed: boolean): void
}

let requested: Requested | undefined
const listeners = new Set<() => void>()

function change(next: Requested | undefined): void {
  requested = next
  for (const listener of listeners) listener()
}

/** Asks before something that is destructive or about money; Escape, the cross and leaving the screen mean no. */
export function confirm(question: Question): Promise<boolean> {
  requested?.answer(false)
  return new Promise(resolve => {
    change({
      ...question,
      answer: answerHere(isAgreed => {
        change(undefined)
        resolve(isAgreed)
      }),
    })
  })
}

/** Needed once something is pressed, so it comes with the first focus. */
const loadRestoreFocus = () =>
  void import('../elements/restore-focus.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})

/** The place of the questions; once per page. What they were about may be gone afterwards, and with it the focus. */
export function Confirmations() {
  useEffect(() => {
    document.addEventListener('focusin', loadRestoreFocus, { once: true })
    return () => document.removeEventListener('focusin', loadRestoreFocus)
  }, [])
  const question = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => requested,
  )
  if (!question) return null
  return (
    <Dialog
      role="alertdialog"
      title={question.title}
      onClose={() => question.answer(false)}
      actions={
        <>
          <Button onClick={() => question.answer(false)}>{question.cancel ?? 'キャンセル'}</Button>
          <Button tone={question.tone ?? 'primary'} onClick={() => question.answer(true)}>
            {question.action}
          </Button>
        </>
      }
    >
      {question.body}
    </Dialog>
  )
}
