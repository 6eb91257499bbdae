import { setImmediate } from 'node:timers/promises'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { stopIfAborted } from './request-signal.ts'

/** After this long the event loop has its turn. A single step is not interrupted: it has to be short. */
const SLICE_MS = 10

/** Runs long work in slices, so that the process answers other requests meanwhile. */
export async function runCooperatively<T>(steps: CooperativeSteps<T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await setImmediate()
    stopIfAborted()
    until = performance.now() + SLICE_MS
  }
}
