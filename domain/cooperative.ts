/**
 * Long work that can be put down after every `yield`: whoever drives it decides how much is done at a time. The result does
 * not depend on that.
 */
export type Steps<T> = Generator<undefined, T, undefined>

/** Drives the work to its end without putting it down. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
