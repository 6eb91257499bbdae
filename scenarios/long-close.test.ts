import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { openDatabase, SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { bookLargePools, LARGE_MONTH, writeLargeMonth } from '@pc/testing/books/large-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/**
 * PostgreSQL ends a transaction that is idle for too long. A close that works longer must not be affected: no
 * transaction waits for statistics, however long they take.
 */
const { tested, stats, books } = await openBooks()
const database = openDatabase({ url: tested.url, maxConnections: 5 })
let questions = 0
const watched: StatsStore = {
  ...stats.store,
  async query(...args) {
    questions += 1
    const rows = await stats.store.query(...args)
    // A transaction that waits for this answer stays idle until it arrives; any other one continues.
    const idle = await idleTransactions()
    const isWaiting = async () => (await idleTransactions()).some(transaction => idle.includes(transaction))
    await until(async () => ((await isWaiting()) ? undefined : true))
    return rows
  },
}
const parts = {
  ...books.payments,
  database,
  stats: watched,
  jobs: books.manualOperations.jobs,
  webOrigin: 'http://localhost',
}
afterAll(() => database.close())

const idleTransactions = () =>
  withClient(tested.adminUrl, async client => {
    const { rows } = await client.query<{ transaction: string }>(
      `select concat(pid, ' idle since ', state_change) as transaction from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`,
    )
    return rows.map(row => row.transaction)
  })

beforeAll(async () => {
  await writeLargeMonth(tested.database, stats.store, 300)
  await bookLargePools(books)
})

test('the limit is real: work inside of a transaction would have been ended', async () => {
  const impatient = openDatabase({ url: tested.url, maxConnections: 1, idleInTransactionTimeoutMs: 100 })
  const working = impatient.inScope(SYSTEM, async tx => {
    await sql`select 1`.execute(tx)
    await until(async () => ((await idleTransactions()).length === 0 ? true : undefined))
    await sql`select 1`.execute(tx)
  })
  await expect(working).rejects.toThrow()
  await impatient.close()
})

test('a close keeps no transaction waiting while the statistics answer', async () => {
  expect(await computeMonth(parts, LARGE_MONTH)).toMatchObject({ ok: true })
  expect(await auditMonth(parts, LARGE_MONTH, 'compute')).toEqual([])
  expect(await closeMonth({ payments: parts }, LARGE_MONTH, books.userUid)).toMatchObject({ ok: true })
  expect(questions).toBeGreaterThan(3)
  const { state } = await tested.database.inScope(SYSTEM, tx =>
    tx.selectFrom('monthStates').select('state').where('month', '=', LARGE_MONTH.month).executeTakeFirstOrThrow(),
  )
  expect(state).toBe('finalized')
})
