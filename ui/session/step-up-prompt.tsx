import { Suspense, useSyncExternalStore } from 'react'
import { answerHere } from '../routing/hash-location.ts'
import { lazy } from '../routing/lazy.ts'

type Answer = (isProved: boolean) => void

let asked: { readonly promise: Promise<boolean>; readonly answer: Answer } | undefined
const listeners = new Set<() => void>()

function change(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/**
 * Asks who is there, before what a stolen session must not do; false when the person gave up or left the
 * screen. Several calls that need it at once ask once.
 */
export function askForProof(): Promise<boolean> {
  if (asked) return asked.promise
  let settle: Answer = () => {}
  const promise = new Promise<boolean>(resolve => {
    settle = resolve
  })
  change({
    promise,
    answer: answerHere(isProved => {
      change(undefined)
      settle(isProved)
    }),
  })
  return promise
}

const ProofDialog = lazy(async () => ({ default: (await import('./step-up-dialog.tsx')).ProofDialog }))

/** The place of the question; once per page. */
export function ProofRequests() {
  const request = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
  return request ? (
    <Suspense fallback={null}>
      <ProofDialog onAnswer={request.answer} />
    </Suspense>
  ) : null
}
