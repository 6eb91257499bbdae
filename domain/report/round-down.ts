/**
 * Rounds down to a whole number of 1/`places` (10: one decimal). A value that floating-point error puts just below such
 * a number, such as 0.55 × 1000, counts as it; the tolerance grows with the value.
 */
export function roundDown(value: number, places = 1): number {
  return Math.floor(value * places + Math.abs(value * places) * 1e-15)
}
