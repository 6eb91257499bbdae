import { compareBigints } from '../money/allocate.ts'
import { magnitude, signOf } from '../money/yen.ts'

/** The most earlier final months that an amount is compared with, and how many there must be at least. */
export const COMPARED_MONTHS = { most: 6, least: 3 } as const

/** How far an amount must be from the usual one; both limits must be exceeded. */
export interface UnusualFrom {
  readonly factor: bigint
  readonly differenceYen: bigint
}
export const UNUSUAL_AGREEMENT: UnusualFrom = { factor: 3n, differenceYen: 100_000n }
export const UNUSUAL_MEDIUM: UnusualFrom = { factor: 2n, differenceYen: 1_000_000n }

/** The middle amount. For an even number the lower of the two middle ones, so that it is an actual amount. */
export function medianYen(amounts: readonly bigint[]): bigint {
  const middle = amounts.toSorted(compareBigints)[Math.floor((amounts.length - 1) / 2)]
  if (middle === undefined) throw new RangeError('no amounts')
  return middle
}

/**
 * Whether a month's amount is far from those of the months before: more than `factor` times their median, less than
 * 1/`factor` of it, or of the opposite sign; and at least `differenceYen` away. False with too few months.
 */
export function isUnusual(amountYen: bigint, historyYen: readonly bigint[], from: UnusualFrom): boolean {
  if (historyYen.length < COMPARED_MONTHS.least) return false
  const usualYen = medianYen(historyYen)
  const differenceYen = amountYen > usualYen ? amountYen - usualYen : usualYen - amountYen
  if (differenceYen < from.differenceYen) return false
  if (signOf(amountYen) * signOf(usualYen) < 0n) return true
  const [smallYen, largeYen] = [magnitude(amountYen), magnitude(usualYen)].toSorted(compareBigints)
  return largeYen! > smallYen! * from.factor
}
