import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { answerHere } from '../routing/hash-location.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import type { OpenQuestion, Question } from './question-dialog.tsx'

let requested: OpenQuestion | undefined
const listeners = new Set<() => void>()

function change(next: OpenQuestion | undefined): void {
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

/** A question whose dialog does not come is asked by the browser itself: a form with changes must be left all the same. */
const QuestionDialog = lazyPart(
  async () => (await import('./question-dialog.tsx')).QuestionDialog,
  ({ title, answer }) => answer(window.confirm(title)),
)

/** Needed once something is pressed, so it comes with the first focus. */
const loadForFocus = () => {
  QuestionDialog.load()
  import('../elements/restore-focus.ts').then(({ keepFocus }) => keepFocus()).catch(() => {})
}

/** The place of the questions; once per page. What they were about may be gone afterwards, and with it the focus. */
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
