import { type CooperativeSteps, runSync } from '@pc/domain/cooperative.ts'
import { accrualEntry, type InputTaxTimingOf, payableEntry } from '@pc/domain/journal/close-journal.ts'
import type { JournalEntry } from '@pc/domain/journal/journal-entry.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { StoredMonth } from './stored-month.ts'

/** Journal entries of a closed month: what was accrued, and what became payable. */
export function closeEntriesOf(
  { input, settled }: Pick<StoredMonth, 'input' | 'settled'>,
  finalizedOn: Day,
  timingOf: InputTaxTimingOf,
): readonly JournalEntry[] {
  return runSync(closeEntrySteps({ input, settled }, finalizedOn, timingOf))
}

/** {@link closeEntriesOf} as a generator that yields after each payment. */
export function* closeEntrySteps(
  { input, settled }: Pick<StoredMonth, 'input' | 'settled'>,
  finalizedOn: Day,
  timingOf: InputTaxTimingOf,
): CooperativeSteps<readonly JournalEntry[]> {
  const { taxTable, deductionTable } = input
  const agreements = new Map(input.agreements.map(agreement => [agreement.agreementId, agreement]))
  const entries: JournalEntry[] = []
  for (const payment of settled.payments) {
    const agreement = agreements.get(payment.agreementId)!
    const accrual = accrualEntry(payment, agreement, { timingOf, taxTable, deductionTable })
    const payable = payableEntry(payment, finalizedOn, timingOf)
    if (accrual) entries.push(accrual)
    if (payable) entries.push(payable)
    yield
  }
  return entries
}
