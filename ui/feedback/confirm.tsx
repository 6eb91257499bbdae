import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { answerHere } from '../routing/hash-location.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { OpenQuestion, Question } from './question-dialog.tsx'

let requested: OpenQuestion | undefined
const listeners = new Set<() => void>()

function setQuestion(next: OpenQuestion | undefined): void {
  requested = next
  for (const listener of listeners) listener()
}

/**
 * Asks before something destructive or something about money. Escape, the close button and leaving the screen mean no.
 */
export function confirm(question: Question): Promise<boolean> {
  requested?.answer(false)
  return new Promise(resolve => {
    setQuestion({
      ...question,
      answer: answerHere(isAgreed => {
        setQuestion(undefined)
        resolve(isAgreed)
      }),
    })
  })
}

/**
 * If the dialog's code cannot be loaded, the browser's own dialog asks, so that a form with changes can still be left.
 */
const QuestionDialog = lazyPart(
  async () => (await import('./question-dialog.tsx')).QuestionDialog,
  ({ title, answer }) => answer(window.confirm(title)),
)

/** Loaded with the first focus, before anything can be pressed. */
const loadForFocus = () => {
  QuestionDialog.load()
  import('../elements/restore-focus.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})
}

/** Renders the questions; once per page. It also restores the focus, whose element may be gone after an answer. */
export function Confirmations() {
  useEffect(() => {
    document.addEventListener('focusin', loadForFocus, { once: true })
    return () => document.removeEventListener('focusin', loadForFocus)
  }, [])
  const question = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => requested,
  )
  return question ? (
    <Suspense>
      <QuestionDialog {...question} />
    </Suspense>
  ) : null
}
