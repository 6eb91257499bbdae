import { magnitude, sumBy } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import type { JournalAccount } from './journal-accounts.ja.ts'

/** What the tax column says; the rate is part of it. `percent` is what is deductible: 100 for a qualified issuer. */
export type TaxCategory =
  | { readonly kind: 'taxable_purchase'; readonly ratePercent: number; readonly deductiblePercent: number }
  | { readonly kind: 'outside' }

export const OUTSIDE: TaxCategory = { kind: 'outside' }

export interface JournalLine {
  readonly side: 'debit' | 'credit'
  readonly account: JournalAccount
  /** Without the tax below. Positive. */
  readonly amountYen: bigint
  /** Tax on top that is booked as input tax, and tax on top that is cost. */
  readonly deductibleTaxYen: bigint
  readonly nonDeductibleTaxYen: bigint
  readonly taxCategory: TaxCategory
  readonly generatedMonth: YearMonth | null
}

export interface JournalEntry {
  readonly stage: 'accrual' | 'payable' | 'settlement'
  readonly on: Day
  /** What the entry is about: an agreement and month, or a transfer. */
  readonly reference: string
  readonly partnerName: string
  readonly description: string
  readonly lines: readonly JournalLine[]
}

/** Debits minus credits, taxes included; 0 for a correct entry. */
export function imbalanceYen(entry: JournalEntry): bigint {
  return sumBy(entry.lines, line => {
    const amountYen = line.amountYen + line.deductibleTaxYen + line.nonDeductibleTaxYen
    return line.side === 'debit' ? amountYen : -amountYen
  })
}

export function taxCategoryOf(ratePercent: number, deductiblePercent: number): TaxCategory {
  return deductiblePercent === 0 ? OUTSIDE : { kind: 'taxable_purchase', ratePercent, deductiblePercent }
}

/** No line for 0; a negative amount stands on the other side. */
export function signedLine(
  side: JournalLine['side'],
  account: JournalAccount,
  amountYen: bigint,
): readonly JournalLine[] {
  if (amountYen === 0n) return []
  const other = side === 'debit' ? 'credit' : 'debit'
  return [plainLine(amountYen < 0n ? other : side, account, magnitude(amountYen))]
}

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
