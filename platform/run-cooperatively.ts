import { setImmediate } from 'node:timers/promises'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import { stopIfAborted } from './request-signal.ts'

/** The event loop runs after this time. A single step is not interrupted, so steps must be short. */
const SLICE_MS = 10

/** Runs a generator of small steps in time slices, so that the process can answer other requests. */
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
