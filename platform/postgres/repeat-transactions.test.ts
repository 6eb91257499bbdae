import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, SYSTEM, type Transaction } from './database.ts'
import { withRepeatedTransactions } from './repeat-transactions.ts'

let own: TestDatabase
let repeated: Database
beforeAll(async () => {
  own = await testDatabase()
  repeated = withRepeatedTransactions(own.database)
})
afterAll(() => own?.drop())
let tries = 0
beforeEach(() => {
  tries = 0
})

/** Raises an SQL state as PostgreSQL does when another transaction was in the way. */
const raise = (tx: Transaction, state: string) =>
  sql`do ${sql.raw(`$$ begin raise exception 'in the way' using errcode = '${state}'; end $$`)}`.execute(tx)

test.each(['40001', '40P01'])('after %s the work is done again from nothing', async state => {
  const answer = await repeated.inScope(SYSTEM, async tx => {
    tries += 1
    if (tries < 3) await raise(tx, state)
    return tries
  })
  expect(answer).toBe(3)
})

test('the third failure is final', async () => {
  const work = repeated.inScope(SYSTEM, async tx => {
    tries += 1
    await raise(tx, '40001')
  })
  await expect(work).rejects.toMatchObject({ code: '40001' })
  expect(tries).toBe(3)
})

test('other failures are not repeated', async () => {
  const wrong = repeated.inScope(SYSTEM, async tx => {
    tries += 1
    await raise(tx, '22012')
  })
  await expect(wrong).rejects.toMatchObject({ code: '22012' })
  const fault = repeated.inScope(SYSTEM, () => {
    tries += 1
    return Promise.reject(new Error('a bug'))
  })
  await expect(fault).rejects.toThrow('a bug')
  expect(tries).toBe(2)
})
