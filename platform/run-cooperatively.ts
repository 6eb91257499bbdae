import { setImmediate } from 'node:timers/promises'
import type { Steps } from '@pc/domain/cooperative.ts'
import { stopIfAborted } from './request-signal.ts'

/** So long nothing else is answered; then everybody has a turn. */
const TURN_MS = 10

/** Drives long work a little at a time, so that the process goes on answering meanwhile. */
export async function runCooperatively<T>(steps: Steps<T>): Promise<T> {
  let until = performance.now() + TURN_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await setImmediate()
    stopIfAborted()
    until = performance.now() + TURN_MS
  }
}
