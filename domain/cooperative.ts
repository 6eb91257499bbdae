/** Long work that may be paused after every `yield`. Its result does not depend on the pauses. */
export type CooperativeSteps<T> = Generator<undefined, T, undefined>

/**
 * Runs the work to its end without a pause.
 * Tested by `platform/run-cooperatively.test.ts`.
 */
export function runSync<T>(steps: CooperativeSteps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
