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
  const { taxTable, deductionTable } = input
  const agreements = new Map(input.agreements.map(agreement => [agreement.agreementId, agreement]))
  return settled.payments
    .flatMap(payment => [
      accrualEntry(payment, agreements.get(payment.agreementId)!, { timingOf, taxTable, deductionTable }),
      payableEntry(payment, finalizedOn, timingOf),
    ])
    .filter(entry => entry !== null)
}
