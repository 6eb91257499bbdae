import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from './database.ts'

/**
 * Query for the payer's settings of a revenue month: the latest version that is valid from this month or an earlier
 * one.
 */
export function paymentSettingsOf(reader: Reader, month: YearMonth) {
  return reader
    .selectFrom('paymentSettings')
    .selectAll()
    .where('validFromMonth', '<=', month)
    .orderBy('validFromMonth', 'desc')
    .limit(1)
}

/** The calendar month in which the payer's tax periods begin, with the month from which that is valid. */
export async function readTaxPeriodStarts(reader: Reader) {
  const rows = await reader
    .selectFrom('paymentSettings')
    .select(['validFromMonth', 'taxPeriodStartMonth as value'])
    .orderBy('validFromMonth')
    .execute()
  return rows.map(row => ({ ...row, validFromMonth: row.validFromMonth as YearMonth }))
}
