/** Durations of several runs in milliseconds; NaN without a run. */
export interface Times {
  /** The shortest: the cost of the work itself on a machine with other load. */
  readonly min: number
  readonly p50: number
  readonly p95: number
  readonly max: number
  readonly runs: number
}

export function timesOf(milliseconds: readonly number[]): Times {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return {
    min: sorted[0] ?? Number.NaN,
    p50: at(0.5),
    p95: at(0.95),
    max: sorted.at(-1) ?? Number.NaN,
    runs: sorted.length,
  }
}
