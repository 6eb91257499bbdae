/** Long work that can pause at every `yield`. The result does not depend on how much is done at a time. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Runs the work to its end without a pause. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
