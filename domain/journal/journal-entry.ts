import { magnitude, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { JournalAccount } from './journal-accounts.ja.ts'

/**
 * The tax column of a line, which includes the rate. `deductiblePercent` is the deductible part of the tax: 100 for a
 * qualified issuer.
 */
export type TaxCategory =
  | { readonly kind: 'taxable_purchase'; readonly ratePercent: number; readonly deductiblePercent: number }
  | { readonly kind: 'outside' }

export const OUTSIDE: TaxCategory = { kind: 'outside' }

export interface JournalLine {
  readonly side: 'debit' | 'credit'
  readonly account: JournalAccount
  /** Without the two taxes below; always positive, as `side` says the direction. */
  readonly amountYen: bigint
  /** The tax that is booked as input tax, and the tax that is booked as cost. */
  readonly deductibleTaxYen: bigint
  readonly nonDeductibleTaxYen: bigint
  readonly taxCategory: TaxCategory
  readonly generatedMonth: YearMonth | null
}

export interface JournalEntry {
  readonly stage: 'accrual' | 'payable' | 'settlement'
  readonly on: Day
  /** An agreement and month, or a transfer. */
  readonly reference: string
  readonly partnerName: string
  readonly description: string
  readonly lines: readonly JournalLine[]
}

/**
 * Debits minus credits, taxes included; 0 for a correct entry.
 * Tested by `domain/journal/journal.test.ts`.
 */
export function imbalanceYen(entry: JournalEntry): bigint {
  return sumBy(entry.lines, line => {
    const amountYen = line.amountYen + line.deductibleTaxYen + line.nonDeductibleTaxYen
    return line.side === 'debit' ? amountYen : -amountYen
  })
}

/** Both in percent. A purchase of which no tax is deductible is booked outside of consumption tax. */
export function taxCategoryOf(ratePercent: number, deductiblePercent: number): TaxCategory {
  return deductiblePercent === 0 ? OUTSIDE : { kind: 'taxable_purchase', ratePercent, deductiblePercent }
}

/** A line; none for 0. A negative amount is written on the other side. */
export function signedLine(
  side: JournalLine['side'],
  account: JournalAccount,
  amountYen: bigint,
): readonly JournalLine[] {
  if (amountYen === 0n) return []
  const other = side === 'debit' ? 'credit' : 'debit'
  return [plainLine(amountYen < 0n ? other : side, account, magnitude(amountYen))]
}

/** A line without consumption tax. */
export function plainLine(side: JournalLine['side'], account: JournalAccount, amountYen: bigint): JournalLine {
  return {
    side,
    account,
    amountYen,
    deductibleTaxYen: 0n,
    nonDeductibleTaxYen: 0n,
    taxCategory: OUTSIDE,
    generatedMonth: null,
  }
}
