import type { YearMonth } from '../month/year-month.ts'
import { divideTowardZero } from './floor-division.ts'

/** A standard consumption tax rate in whole per cent, and the first generated month to which it applies. */
export interface TaxRatePeriod {
  readonly validFromMonth: YearMonth
  readonly ratePercent: number
}
export type TaxTable = readonly TaxRatePeriod[]

/**
 * The standard rates, national and local together (Consumption Tax Act article 29, Local Tax Act article 72-83 and the
 * acts that raised them). A change of law is one more line.
 * @internal Tests call it.
 */
export const STANDARD_TAX_TABLE: TaxTable = [
  { validFromMonth: 198904 as YearMonth, ratePercent: 3 },
  { validFromMonth: 199704 as YearMonth, ratePercent: 5 },
  { validFromMonth: 201404 as YearMonth, ratePercent: 8 },
  { validFromMonth: 201910 as YearMonth, ratePercent: 10 },
]

/** Thrown when no line of a rate table applies to the month, because it is too early. */
export class MonthWithoutRateError extends RangeError {
  readonly month: YearMonth

  constructor(month: YearMonth) {
    super(`no consumption tax or deduction rate for ${month}`)
    this.month = month
  }
}

/** The rate for revenue generated in `month`. Throws {@link MonthWithoutRateError} when the table begins later. */
export function taxRatePercentOf(table: TaxTable, month: YearMonth): number {
  let found: TaxRatePeriod | undefined
  for (const period of table) {
    if (period.validFromMonth <= month && (!found || period.validFromMonth > found.validFromMonth)) found = period
  }
  if (!found) throw new MonthWithoutRateError(month)
  return found.ratePercent
}

/**
 * ⌊|amount| × rate ÷ 100⌋ with the sign of the amount, which is without tax. Rounded once per statement and rate, never
 * per line (消費税法施行令第70条の10, since 2023-10-01).
 * Tested by `domain/money/money.test.ts`.
 */
export function consumptionTaxYen(amountYen: bigint, ratePercent: number): bigint {
  if (!Number.isInteger(ratePercent) || ratePercent < 0 || ratePercent > 100) {
    throw new RangeError(`not a tax rate: ${ratePercent}`)
  }
  return divideTowardZero(amountYen * BigInt(ratePercent), 100n)
}
