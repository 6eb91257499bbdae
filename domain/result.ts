/** The outcome of a use case: a value, or the refusals of its rules. Faults are thrown, never returned. */
export type Result<T, R> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusals: readonly R[] }

export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value }
}

export function refused<R>(...refusals: readonly R[]): Result<never, R> {
  return { ok: false, refusals }
}
