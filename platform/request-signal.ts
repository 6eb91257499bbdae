import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal | undefined>()

/**
 * Runs work with a signal that nested code reads implicitly: after an abort it stops at its next statement, time slice
 * or commit. Undefined: shared work that no single caller may abort.
 */
export function withSignal<T>(signal: AbortSignal | undefined, work: () => T): T {
  return signals.run(signal, work)
}

/** The signal of the current work; undefined: nobody can abort it. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore()
}

/** @throws the reason of the abort when the caller no longer waits for the answer */
export function stopIfAborted(): void {
  signals.getStore()?.throwIfAborted()
}
