import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRuleHistories, readRulesOfPublishers } from './publisher-rule-store.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase({ maxConnections: 1 })
})
afterAll(() => own?.drop())

test('what a page reads of its rows is prepared, however many rows it has', async () => {
  for (const rows of [1, 20, 50, 99, 100]) {
    const ids = Array.from({ length: rows }, (_, n) => BigInt(n + 1))
    await readRulesOfPublishers(own.database.reader(SYSTEM), ids)
    await readRuleHistories(own.database.reader(SYSTEM), ids)
  }
  const prepared = await own.database.readSingleStatement(
    SYSTEM,
    sql<{
      statement: string
    }>`select statement from pg_prepared_statements where statement like '%agreement_publisher_rule%'`,
  )
  expect(prepared).toHaveLength(2)
})
