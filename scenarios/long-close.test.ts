import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { bookLargePools, LARGE_MONTH, writeLargeMonth } from '@pc/testing/books/large-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * The server ends a transaction that does nothing for too long. A close that works longer than that must not notice:
 * its work is done while no transaction waits. The limit is made small here, and the statistics slower than the limit.
 */
const IDLE_LIMIT_MS = 300
const SLOW_MS = 500
const { tested, stats, books } = await openBooks()
const database = openDatabase({ url: tested.url, maxConnections: 5, idleInTransactionTimeoutMs: IDLE_LIMIT_MS })
const slow: StatsStore = {
  ...stats.store,
  async query(...args) {
    await new Promise(resolve => setTimeout(resolve, SLOW_MS))
    return stats.store.query(...args)
  },
}
const parts = {
  ...books.payments,
  database,
  stats: slow,
  jobs: books.manualOperations.jobs,
  webOrigin: 'http://localhost',
}
afterAll(() => database.close())

beforeAll(async () => {
  await writeLargeMonth(tested.database, stats.store, 300)
  await bookLargePools(books)
})

test('the limit is real: work inside of a transaction would have been ended', async () => {
  const waiting = database.inScope(SYSTEM, async tx => {
    await sql`select 1`.execute(tx)
    await new Promise(resolve => setTimeout(resolve, SLOW_MS))
    await sql`select 1`.execute(tx)
  })
  await expect(waiting).rejects.toThrow()
})

test('a close that works longer than a transaction may wait', async () => {
  const started = performance.now()
  expect(await computeMonth(parts, LARGE_MONTH)).toMatchObject({ ok: true })
  expect(await auditMonth(parts, LARGE_MONTH, 'compute')).toEqual([])
  expect(await closeMonth({ payments: parts }, LARGE_MONTH, books.userUid)).toMatchObject({ ok: true })
  expect(performance.now() - started).toBeGreaterThan(3 * SLOW_MS)
  const { state } = await tested.database.inScope(SYSTEM, tx =>
    tx.selectFrom('monthStates').select('state').where('month', '=', LARGE_MONTH.month).executeTakeFirstOrThrow(),
  )
  expect(state).toBe('finalized')
})
