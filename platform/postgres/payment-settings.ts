import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from './database.ts'

/** The payer's settings in force in a revenue month: a query for the latest line that has begun. */
export function paymentSettingsOf(reader: Reader, month: YearMonth) {
  return reader
    .selectFrom('paymentSettings')
    .selectAll()
    .where('validFromMonth', '<=', month)
    .orderBy('validFromMonth', 'desc')
    .limit(1)
}

/** In which calendar month the payer's tax periods begin, since when. */
export async function readTaxPeriodStarts(reader: Reader) {
  const rows = await reader
    .selectFrom('paymentSettings')
    .select(['validFromMonth', 'taxPeriodStartMonth as value'])
    .orderBy('validFromMonth')
    .execute()
  return rows.map(row => ({ ...row, validFromMonth: row.validFromMonth as YearMonth }))
}
