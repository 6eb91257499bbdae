/**
 * The change from `before` to `now` in tenths of a percent, rounded towards zero; undefined when `before` is 0 or
 * negative. A value that misses a whole tenth only by floating-point error counts as that tenth.
 */
export function changeTenths(now: number, before: number): number | undefined {
  if (before <= 0) return undefined
  const tenths = ((now - before) / before) * 1000
  const nearest = Math.round(tenths)
  // A few times the floating-point error of the two figures and three operations; it grows with the change.
  return Math.abs(tenths - nearest) < (Math.abs(tenths) + 1000) * 1e-15 ? nearest : Math.trunc(tenths)
}

/** The sign of a change. Negative figures carry a minus, never ▲, which means minus in accounting. */
export function changeSign(tenths: number): '+' | '−' | '±' {
  if (tenths === 0) return '±'
  return tenths > 0 ? '+' : '−'
}
