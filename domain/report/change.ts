/**
 * How much `now` differs from `before`, in tenths of a percent, towards zero; undefined when there is nothing to compare with.
 * What would be a whole tenth without the error of floating point is one.
 */
export function changeTenths(now: number, before: number): number | undefined {
  if (before <= 0) return undefined
  return Math.trunc(((now - before) / before) * 1000 + Math.sign(now - before) * 1e-9)
}

/** Negative figures carry a minus sign, never ▲ (which is a minus in accounting). */
export function changeSign(tenths: number): '+' | '−' | '±' {
  if (tenths === 0) return '±'
  return tenths > 0 ? '+' : '−'
}
