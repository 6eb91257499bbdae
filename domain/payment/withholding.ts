import { floorDivide } from '../money/floor-division.ts'
import { smaller } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { day } from '../month/day.ts'

/** Income tax withheld from manuscript and licence fees of individuals. Rates in 1/100 % (1,021 = 10.21 %). */
export interface WithholdingPeriod {
  /** Day of payment from which it holds. */
  readonly validFrom: Day
  readonly thresholdYen: bigint
  readonly rateUpToThreshold: number
  readonly rateAboveThreshold: number
}
export type WithholdingTable = readonly WithholdingPeriod[]

/**
 * Income Tax Act articles 204 and 205, with the special income taxes of 2.1 % on top of it since 2013 (Act on
 * reconstruction funding, article 28). From 2027 on another tax takes 1 % of them, and the sum stays: see withheld-taxes.
 */
export const STANDARD_WITHHOLDING_TABLE: WithholdingTable = [
  { validFrom: day('2013-01-01'), thresholdYen: 1_000_000n, rateUpToThreshold: 1021, rateAboveThreshold: 2042 },
]

/**
 * What is withheld from one payment to an individual: on the amount without tax, because the statement shows the tax
 * separately; one floor. Companies: nothing.
 */
export function withholdingYen(
  baseYen: bigint,
  payeeKind: 'company' | 'individual',
  paidOn: Day,
  table: WithholdingTable,
): bigint {
  if (payeeKind === 'company') return 0n
  const period = table.toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1)).find(each => each.validFrom <= paidOn)
  if (!period) throw new RangeError(`no withholding rate for ${paidOn}`)
  const lowerYen = smaller(baseYen, period.thresholdYen)
  const weighted =
    lowerYen * BigInt(period.rateUpToThreshold) + (baseYen - lowerYen) * BigInt(period.rateAboveThreshold)
  return floorDivide(weighted, 10_000n)
}
