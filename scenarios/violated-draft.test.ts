import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { noteProblem } from '@pc/features/ingest/server/ingest-store.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { beforeAll, expect, test } from 'vitest'

/**
 * What happens when a check finds something: the close is refused, staff are notified once, and computing again repairs
 * it.
 */
const mails: string[] = []
const jobs: Jobs = {
  enqueue: async (_tx, kind, data) => {
    if (kind.name === 'mail') mails.push(JSON.stringify(data))
    return null
  },
  enqueueAll: async () => {},
  work: async () => {},
  close: async () => {},
}
const { tested, stats, database, books } = await openBooks({ jobs })
const parts = { ...books.payments, jobs, webOrigin: 'https://console.example.jp' }
const KEY = { mediumId: 1n, month: 202607 as YearMonth }
const input = sampleMonth(KEY.month, { agreements: [sampleAgreement(1n, [sampleRule(101n, 70_000n)])] })

beforeAll(async () => {
  await database.inScope(SYSTEM, async tx => {
    await writeSettings(tx, input)
    await writeAgreements(tx, [input])
    await tx
      .insertInto('roles')
      .values({ name: 'insight:admin' })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await tx.insertInto('userRoles').values({ uid: books.userUid, roleName: 'insight:admin' }).execute()
  })
  await writeOwnAds(stats.store, [input], 1n)
  expect(await computeMonth(parts, KEY)).toMatchObject({ ok: true })
  expect(await auditMonth(parts, KEY, 'compute')).toEqual([])
})

const lastRun = () =>
  database.inScope(SYSTEM, tx =>
    tx.selectFrom('invariantRuns').select(['occasion', 'violations']).orderBy('id', 'desc').executeTakeFirstOrThrow(),
  )

test('a draft that does not add up is not closed, and the administrator is notified once', async () => {
  await withClient(tested.adminUrl, client =>
    client.query('update monthly_payments set revenue_tax_yen = revenue_tax_yen + 1'),
  )
  const closed = await closeMonth({ payments: parts }, KEY, books.userUid)
  expect(closed).toMatchObject({
    ok: false,
    refusals: [
      { code: 'payment/invariant-violated', data: { invariant: expect.stringMatching(/^I\d+$/), month: KEY.month } },
    ],
  })
  for (const occasion of ['compute', 'nightly', 'demand'] as const) {
    // What the nightly job passes: a database row, which has more columns than the month.
    const watched = { ...KEY, isFinal: false }
    const found = await auditMonth(parts, watched, occasion)
    expect(found.map(each => each.invariant)).toContain('I21')
    expect(await lastRun()).toEqual({ occasion, violations: found.length })
  }
  expect(mails).toHaveLength(1)
  expect(mails[0]).toContain('I21')
})

test('a month whose figures a start could not bring back is not closed until they are there', async () => {
  const batch = {
    dataset: 'article-daily',
    batchId: 'july',
    contentSha256: 'x',
    state: 'applied',
    sourceName: 'july.csv',
    receivedAt: new Date(),
    appliedAt: new Date(),
  }
  const days = { firstDay: day('2026-07-31'), lastDay: day('2026-08-01') }
  const { batchNo } = await database.inScope(SYSTEM, tx =>
    tx
      .insertInto('ingestBatches')
      .values({ ...batch, ...days })
      .returning('batchNo')
      .executeTakeFirstOrThrow(),
  )
  const board = { ...parts, statementReasons: async () => [] }
  const statistics = async () => {
    const [row] = await monthCloseBoard(board, KEY.month, books.userUid)
    return row?.checks.find(check => check.kind === 'statistics')
  }
  const codes = async () => {
    const closed = await closeMonth({ payments: parts }, KEY, books.userUid)
    return closed.ok ? [] : closed.refusals.map(({ code }) => code)
  }
  expect(await codes()).not.toContain('payment/ingest-failed')
  await database.inScope(SYSTEM, tx => noteProblem(tx, batchNo, 'its kept file is gone'))
  expect(await codes()).toContain('payment/ingest-failed')
  expect(await statistics()).toMatchObject({ state: 'red', link: '/reports/ingest-batches' })
  await database.inScope(SYSTEM, tx => noteProblem(tx, batchNo, ''))
  expect(await codes()).not.toContain('payment/ingest-failed')
})

test('computed again, the draft is replaced though its inputs are the same; then it is closed', async () => {
  expect(await computeMonth(parts, KEY)).toMatchObject({ ok: true })
  expect(await auditMonth(parts, KEY, 'compute')).toEqual([])
  expect(await closeMonth({ payments: parts }, KEY, books.userUid)).toMatchObject({ ok: true })
  expect(mails).toHaveLength(1)
})

test('a row that changes while the close is prepared is noticed', async () => {
  const next = { ...KEY, month: 202608 as YearMonth }
  await writeOwnAds(stats.store, [{ ...input, month: next.month }], 2n)
  expect(await computeMonth(parts, next)).toMatchObject({ ok: true })
  // The statistics are read after the database; meanwhile somebody changes an account, again and again.
  let reads = 0
  const restless = {
    ...parts,
    stats: {
      ...stats.store,
      query: async (...args: Parameters<typeof stats.store.query>) => {
        reads += 1
        await withClient(tested.adminUrl, client => client.query('update agreements set updated_at = now()'))
        return stats.store.query(...args)
      },
    },
  }
  expect(await closeMonth({ payments: restless }, next, books.userUid)).toMatchObject({
    ok: false,
    refusals: [{ code: 'payment/changed-while-closing' }],
  })
  expect(reads).toBeGreaterThan(3)
  expect(await closeMonth({ payments: parts }, next, books.userUid)).toMatchObject({ ok: true })
})
