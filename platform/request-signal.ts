import { AsyncLocalStorage } from 'node:async_hooks'

const signals = new AsyncLocalStorage<AbortSignal | undefined>()

/**
 * Does the work of one caller. Once the signal is aborted, it stops at its next statement, turn or commit, however deep;
 * undefined: work for several callers, which none of them ends.
 */
export function withSignal<T>(signal: AbortSignal | undefined, work: () => T): T {
  return signals.run(signal, work)
}

export function currentSignal(): AbortSignal | undefined {
  return signals.getStore()
}

/** @throws the reason of the abort, once nobody waits for the answer any more */
export function stopIfAborted(): void {
  signals.getStore()?.throwIfAborted()
}
