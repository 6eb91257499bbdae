import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface AgreementBankAccountRow {
  readonly id: bigint
  readonly agreementId: bigint
  readonly bankAccountId: bigint
  readonly usedFromMonth: YearMonth
}

/**
 * The accounts of each agreement, the latest first.
 * Tested by `features/agreements/server/agreement-pages.test.ts`.
 */
export async function readAgreementBankAccounts(
  reader: Reader,
  agreementIds: readonly bigint[],
): Promise<Map<bigint, AgreementBankAccountRow[]>> {
  const accounts = new Map<bigint, AgreementBankAccountRow[]>(agreementIds.map(id => [id, []]))
  if (agreementIds.length === 0) return accounts
  const rows = await reader
    .selectFrom('agreementBankAccounts')
    .select(['id', 'agreementId', 'bankAccountId', 'usedFromMonth'])
    .where('agreementId', '=', sql<bigint>`any(${agreementIds}::bigint[])`)
    .orderBy('usedFromMonth', 'desc')
    .execute()
  for (const row of rows) {
    accounts.get(row.agreementId)?.push({ ...row, usedFromMonth: row.usedFromMonth as YearMonth })
  }
  return accounts
}
