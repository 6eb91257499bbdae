import { valueAsOf } from '@pc/domain/agreement/terms-history.ts'
import type { InputTaxTiming, InputTaxTimingOf } from '@pc/domain/journal/close-journal.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

/**
 * When the input tax of a month is booked. At the accrual only from the month on whose returns are lines of their own: what
 * was set off across months before cannot be told apart by month.
 */
export async function readInputTaxTiming(tx: Transaction): Promise<InputTaxTimingOf> {
  const rows = await tx.selectFrom('paymentSettings').select(['validFromMonth', 'inputTaxTiming']).execute()
  const history = rows.map(row => ({
    validFromMonth: row.validFromMonth as YearMonth,
    value: row.inputTaxTiming as InputTaxTiming,
  }))
  const { firstMonth } = await tx
    .selectFrom('settlementRules')
    .select('validFromMonth as firstMonth')
    .where('version', '=', 'returns_per_rate')
    .executeTakeFirstOrThrow()
  return month => (month < firstMonth ? 'finalising' : (valueAsOf(history, month) ?? 'finalising'))
}
