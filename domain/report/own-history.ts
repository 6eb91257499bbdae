/** A figure of a month as a fraction, so that months are compared exactly: clicks per impression, yen per day. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** How a month stands among the months before it. */
export interface OwnPosition {
  /** The month before it that are known. */
  readonly months: number
  /** Those of them that it exceeds. */
  readonly exceeded: number
  readonly equal: number
  /** Months that it exceeds in per cent of all, equal ones count half; rounded down. */
  readonly percentile: number
  readonly lowest: Fraction
  readonly median: Fraction
  readonly highest: Fraction
}

export const HISTORY_MONTHS = 12
/** With fewer months nothing is said. */
const LEAST_MONTHS = 3

/**
 * @param before the same figure of earlier months; those without a denominator are not known
 * @returns undefined when the month itself or too many of the others are not known
 */
export function ownPosition(now: Fraction, before: readonly Fraction[]): OwnPosition | undefined {
  const known = before.filter(one => one.denominator > 0n).sort(compareFractions)
  if (now.denominator <= 0n || known.length < LEAST_MONTHS) return undefined
  const exceeded = known.filter(one => compareFractions(one, now) < 0).length
  const equal = known.filter(one => compareFractions(one, now) === 0).length
  return {
    months: known.length,
    exceeded,
    equal,
    percentile: Math.floor((100 * (2 * exceeded + equal)) / (2 * known.length)),
    lowest: known[0]!,
    // Of an even number the lower one of both in the middle: it is the figure of a month.
    median: known[Math.ceil(known.length / 2) - 1]!,
    highest: known.at(-1)!,
  }
}

function compareFractions(a: Fraction, b: Fraction): number {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return left < right ? -1 : left > right ? 1 : 0
}
