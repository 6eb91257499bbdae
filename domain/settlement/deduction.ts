import { type History, valueAsOf } from '../agreement/terms-history.ts'
import { MonthWithoutRateError } from '../money/consumption-tax.ts'
import { divideTowardZero } from '../money/floor-division.ts'
import { addMonths, compareMonths, monthOf, type YearMonth, yearMonth, yearOf } from '../month/year-month.ts'

/**
 * The deductible part of input tax on purchases from a supplier without a registration, and the first generated month
 * to which it applies.
 */
export interface DeductionPeriod {
  readonly validFromMonth: YearMonth
  readonly deductiblePercent: number
}
export type DeductionTable = readonly DeductionPeriod[]

/**
 * Transitional measures for purchases from non-qualified issuers (2016 tax reform act, supplementary articles 52 and
 * 53, with the periods as extended in 2026). Before October 2023, when the system began, everything was deductible.
 * @internal Tests call it.
 */
export const STANDARD_DEDUCTION_TABLE: DeductionTable = [
  { validFromMonth: 198904 as YearMonth, deductiblePercent: 100 },
  { validFromMonth: 202310 as YearMonth, deductiblePercent: 80 },
  { validFromMonth: 202610 as YearMonth, deductiblePercent: 70 },
  { validFromMonth: 202810 as YearMonth, deductiblePercent: 50 },
  { validFromMonth: 203010 as YearMonth, deductiblePercent: 30 },
  { validFromMonth: 203110 as YearMonth, deductiblePercent: 0 },
]

/** 100 for a qualified issuer, otherwise the percentage of the table for the generated month. */
export function deductiblePercentOf(table: DeductionTable, month: YearMonth, isQualified: boolean): number {
  if (isQualified) return 100
  const period = table
    .toSorted((a, b) => compareMonths(b.validFromMonth, a.validFromMonth))
    .find(each => each.validFromMonth <= month)
  if (!period) throw new MonthWithoutRateError(month)
  return period.deductiblePercent
}

/** Splits a tax: ⌊|tax| × percent ÷ 100⌋ with its sign is deductible, the rest is the platform's cost. */
export function splitInputTax(
  taxYen: bigint,
  deductiblePercent: number,
): { readonly deductibleTaxYen: bigint; readonly nonDeductibleTaxYen: bigint } {
  const deductibleTaxYen = divideTowardZero(taxYen * BigInt(deductiblePercent), 100n)
  return { deductibleTaxYen, nonDeductibleTaxYen: taxYen - deductibleTaxYen }
}

/**
 * Revenue months of one tax period of the payer: twelve, or fewer when the payer changes the month in which its periods
 * begin.
 */
export interface TaxPeriod {
  readonly first: YearMonth
  readonly last: YearMonth
}

/** The calendar month, 1 … 12, in which the payer's tax periods begin, with its history; not empty. */
export type TaxPeriodStarts = History<number>

/** The period that contains the month. Each month is in exactly one. */
export function taxPeriodOf(month: YearMonth, starts: TaxPeriodStarts): TaxPeriod {
  const [oldest] = starts.toSorted((a, b) => a.validFromMonth - b.validFromMonth)
  if (!oldest) throw new RangeError('no tax periods')
  const from = Math.min(month, oldest.validFromMonth) as YearMonth
  let period = taxPeriodFrom(yearMonth(yearOf(from) - 1, oldest.value), starts)
  while (period.last < month) period = taxPeriodFrom(addMonths(period.last, 1), starts)
  return period
}

/** The periods that begin in a calendar year, in order. */
export function taxPeriodsIn(year: number, starts: TaxPeriodStarts): readonly TaxPeriod[] {
  const periods: TaxPeriod[] = []
  let period = taxPeriodOf(yearMonth(year, 1), starts)
  for (; yearOf(period.first) <= year; period = taxPeriodFrom(addMonths(period.last, 1), starts)) {
    if (yearOf(period.first) === year) periods.push(period)
  }
  return periods
}

/**
 * The period that begins in `first`. It ends before the next month in which periods begin, at the latest after a year.
 */
function taxPeriodFrom(first: YearMonth, starts: TaxPeriodStarts): TaxPeriod {
  let last = first
  while (last < addMonths(first, 11)) {
    const next = addMonths(last, 1)
    if (monthOf(next) === valueAsOf(starts, next)) break
    last = next
  }
  return { first, last }
}

/**
 * Limits of purchases, tax included, from one non-qualified supplier in one tax period. Above the limit the
 * transitional deduction ends. By the month in which the period begins (tax reforms of 2024 and 2026).
 */
const YEARLY_LIMITS: readonly { readonly fromPeriod: YearMonth; readonly limitYen: bigint }[] = [
  { fromPeriod: 202610 as YearMonth, limitYen: 100_000_000n },
  { fromPeriod: 202410 as YearMonth, limitYen: 1_000_000_000n },
]

/** Undefined: the period has no limit. */
export function yearlyLimitYen({ first }: Pick<TaxPeriod, 'first'>): bigint | undefined {
  return YEARLY_LIMITS.find(each => first >= each.fromPeriod)?.limitYen
}

/**
 * The part of the purchases above the limit of the period; 0 up to it. The close board warns staff when it is above 0.
 */
export function aboveYearlyLimitYen(purchasesIncludingTaxYen: bigint, period: Pick<TaxPeriod, 'first'>): bigint {
  const limitYen = yearlyLimitYen(period)
  return limitYen !== undefined && purchasesIncludingTaxYen > limitYen ? purchasesIncludingTaxYen - limitYen : 0n
}
