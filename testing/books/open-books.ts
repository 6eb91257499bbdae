import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { afterAll } from 'vitest'
import { openTestDuckDb } from '../statistics/stats-engines.ts'
import { testDatabase } from '../test-database.ts'
import { settlementBooks } from './settlement-books.ts'

/** Books with a database and a statistics store of their own, which are dropped after the tests of the file. */
export async function openBooks({ jobs, ...options }: { readonly maxConnections?: number; readonly jobs?: Jobs } = {}) {
  const tested = await testDatabase(options)
  const stats = await openTestDuckDb()
  const { database } = tested
  const books = await settlementBooks(database, stats.store, jobs)
  const { clock } = books.payments
  afterAll(async () => {
    await stats.drop()
    await tested.drop()
  })
  return {
    ...{ tested, stats, database, books, clock },
    actor: { clock, actorUid: books.userUid },
    inBooks: <T>(work: (tx: Transaction) => Promise<T>) => database.inScope(SYSTEM, work),
  }
}
