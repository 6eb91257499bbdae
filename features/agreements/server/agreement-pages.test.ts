import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAgreementBankAccounts } from './agreement-bank-account-store.ts'
import { readTermsHistories } from './agreement-terms-store.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase({ maxConnections: 1 })
})
afterAll(() => own?.drop())

test('what a page reads of its rows is prepared, however many rows it has', async () => {
  for (const rows of [1, 20, 50, 99, 100]) {
    const ids = Array.from({ length: rows }, (_, n) => BigInt(n + 1))
    await readTermsHistories(own.database.reader(SYSTEM), ids)
    await readAgreementBankAccounts(own.database.reader(SYSTEM), ids)
  }
  const prepared = await own.database.readSingleStatement(
    SYSTEM,
    sql<{ statement: string }>`select statement from pg_prepared_statements
      where statement like '%agreement_terms_history%' or statement like '%agreement_bank_accounts%'`,
  )
  expect(prepared).toHaveLength(2)
})
