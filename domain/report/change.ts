/**
 * How much `now` differs from `before`, in tenths of a percent, towards zero; undefined when there is nothing to compare with.
 * What would be a whole tenth without the error of floating point is one.
 */
export function changeTenths(now: number, before: number): number | undefined {
  if (before <= 0) return undefined
  const tenths = ((now - before) / before) * 1000
  const nearest = Math.round(tenths)
  // A few times what rounding both figures and three operations can make of it: the greater the change, the more.
  return Math.abs(tenths - nearest) < (Math.abs(tenths) + 1000) * 1e-15 ? nearest : Math.trunc(tenths)
}

/** Negative figures carry a minus sign, never ▲ (which is a minus in accounting). */
export function changeSign(tenths: number): '+' | '−' | '±' {
  if (tenths === 0) return '±'
  return tenths > 0 ? '+' : '−'
}
