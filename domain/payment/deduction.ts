import { divideTowardZero } from '../money/floor-division.ts'
import { addMonths, compareMonths, monthOf, type YearMonth, yearMonth, yearOf } from '../month/year-month.ts'

/** How much of the input tax on purchases from a supplier without a registration is deductible, by generated month. */
export interface DeductionPeriod {
  readonly validFromMonth: YearMonth
  readonly deductiblePercent: number
}
export type DeductionTable = readonly DeductionPeriod[]

/**
 * Transitional measures for purchases from non-qualified issuers (2016 tax reform act, supplementary articles 52 and 53,
 * with the periods as extended in 2026). Before October 2023 the system did not exist: everything was deductible.
 */
export const STANDARD_DEDUCTION_TABLE: DeductionTable = [
  { validFromMonth: 198904 as YearMonth, deductiblePercent: 100 },
  { validFromMonth: 202310 as YearMonth, deductiblePercent: 80 },
  { validFromMonth: 202610 as YearMonth, deductiblePercent: 70 },
  { validFromMonth: 202810 as YearMonth, deductiblePercent: 50 },
  { validFromMonth: 203010 as YearMonth, deductiblePercent: 30 },
  { validFromMonth: 203110 as YearMonth, deductiblePercent: 0 },
]

/** 100 for a qualified issuer, else what the table says for the generated month. */
export function deductiblePercentOf(table: DeductionTable, month: YearMonth, isQualified: boolean): number {
  if (isQualified) return 100
  const period = table
    .toSorted((a, b) => compareMonths(b.validFromMonth, a.validFromMonth))
    .find(each => each.validFromMonth <= month)
  if (!period) throw new RangeError(`no deduction rate for ${month}`)
  return period.deductiblePercent
}

/** ⌊|tax| × percent ÷ 100⌋ with the sign of the tax is deductible, the rest is the platform's cost. */
export function splitInputTax(
  taxYen: bigint,
  deductiblePercent: number,
): { readonly deductibleTaxYen: bigint; readonly nonDeductibleTaxYen: bigint } {
  const deductibleTaxYen = divideTowardZero(taxYen * BigInt(deductiblePercent), 100n)
  return { deductibleTaxYen, nonDeductibleTaxYen: taxYen - deductibleTaxYen }
}

/** Twelve revenue months of the payer's books. */
export interface TaxPeriod {
  readonly first: YearMonth
  readonly last: YearMonth
}

/** @param startMonth 1 … 12: the calendar month in which the payer's tax periods begin */
export function taxPeriodOf(month: YearMonth, startMonth: number): TaxPeriod {
  const year = monthOf(month) < startMonth ? yearOf(month) - 1 : yearOf(month)
  return taxPeriodFrom(yearMonth(year, startMonth))
}

export function taxPeriodFrom(first: YearMonth): TaxPeriod {
  return { first, last: addMonths(first, 11) }
}

/**
 * Purchases including tax from one non-qualified supplier in one tax period, above which the transitional deduction ends;
 * by the month in which the period begins (tax reforms of 2024 and 2026).
 */
const YEARLY_LIMITS: readonly { readonly fromPeriod: YearMonth; readonly limitYen: bigint }[] = [
  { fromPeriod: 202610 as YearMonth, limitYen: 100_000_000n },
  { fromPeriod: 202410 as YearMonth, limitYen: 1_000_000_000n },
]

/** Undefined: no limit yet. */
export function yearlyLimitYen({ first }: TaxPeriod): bigint | undefined {
  return YEARLY_LIMITS.find(each => first >= each.fromPeriod)?.limitYen
}

/** What lies above the limit of the period; 0 below it. Above 0 the close board warns staff. */
export function aboveYearlyLimitYen(purchasesIncludingTaxYen: bigint, period: TaxPeriod): bigint {
  const limitYen = yearlyLimitYen(period)
  return limitYen !== undefined && purchasesIncludingTaxYen > limitYen ? purchasesIncludingTaxYen - limitYen : 0n
}
