/** A month's figure as an exact fraction, for example clicks per impression or yen per day. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The rank of a month among earlier months. */
export interface OwnPosition {
  /** How many earlier months are known. */
  readonly months: number
  /** How many of them the month exceeds. */
  readonly exceeded: number
  readonly equal: number
  /** Percentage of the earlier months that the month exceeds, equal ones counting half; rounded down. */
  readonly percentile: number
  readonly lowest: Fraction
  readonly median: Fraction
  readonly highest: Fraction
}

/** Earlier months with which a month is compared. */
export const HISTORY_MONTHS = 12
/** With fewer known months there is no rank. */
const LEAST_MONTHS = 3

/**
 * The rank of a figure among its own earlier months.
 * Tested by `domain/report/benchmark.test.ts`.
 * @param before the figure of earlier months; a denominator of 0 means unknown
 * @returns undefined when the month itself or too many of the others are unknown
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
    // For an even number the lower of the two middle values, so that it is the figure of an actual month.
    median: known[Math.ceil(known.length / 2) - 1]!,
    highest: known.at(-1)!,
  }
}

function compareFractions(a: Fraction, b: Fraction): number {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return left < right ? -1 : left > right ? 1 : 0
}
