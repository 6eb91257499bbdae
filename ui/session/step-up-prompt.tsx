import { Suspense, useSyncExternalStore } from 'react'
import { answerHere } from '../routing/hash-location.ts'
import { lazy } from '../routing/lazy.ts'

type Answer = (isSteppedUp: boolean) => void

let requested: { readonly promise: Promise<boolean>; readonly answer: Answer } | undefined
const listeners = new Set<() => void>()

function change(next: typeof requested): void {
  requested = next
  for (const listener of listeners) listener()
}

/**
 * Asks for a step-up before an operation that a stolen session must not do; false when the person cancelled or left the
 * screen. Concurrent calls share one dialog.
 */
export function askForStepUp(): Promise<boolean> {
  if (requested) return requested.promise
  let settle: Answer = () => {}
  const promise = new Promise<boolean>(resolve => {
    settle = resolve
  })
  change({
    promise,
    answer: answerHere(isSteppedUp => {
      change(undefined)
      settle(isSteppedUp)
    }),
  })
  return promise
}

const StepUpDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).StepUpDialog }))

/** Renders the dialog; once per page. */
export function StepUpRequests() {
  const request = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => requested,
  )
  return request ? (
    <Suspense fallback={null}>
      <StepUpDialog onAnswer={request.answer} />
    </Suspense>
  ) : null
}
