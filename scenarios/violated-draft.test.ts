import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/payment/sample-month.ts'
import { auditMonth } from '@pc/features/payments/server/audit-month.ts'
import { computeMonth } from '@pc/features/payments/server/compute-month.ts'
import { finalizeMonth } from '@pc/features/payments/server/finalize-month.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { settlementBooks, writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** What happens when a check finds something: the close is refused, staff is told once, and computing again cures it. */
const tested = await testDatabase()
const stats = await openTestDuckDb()
const { database } = tested
const mails: string[] = []
const jobs: Jobs = {
  enqueue: async (_tx, kind, data) => {
    if (kind.name === 'mail') mails.push(JSON.stringify(data))
    return null
  },
  work: async () => {},
  close: async () => {},
}
const books = await settlementBooks(database, stats.store, jobs)
const parts = { ...books.payments, jobs, webOrigin: 'https://console.example.jp' }
afterAll(async () => {
  await stats.drop()
  await tested.drop()
})

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

test('a draft that does not add up is not closed, and the administrator is told once', async () => {
  await withClient(tested.adminUrl, client =>
    client.query('update monthly_payments set revenue_tax_yen = revenue_tax_yen + 1'),
  )
  const closed = await finalizeMonth(parts, KEY, books.userUid)
  expect(closed).toMatchObject({
    ok: false,
    refusals: [
      { code: 'payment/invariant-violated', data: { invariant: expect.stringMatching(/^I\d+$/), month: KEY.month } },
    ],
  })
  for (const occasion of ['compute', 'nightly', 'demand'] as const) {
    // As the night hands it over: a row of the database that knows more than which month it is.
    const watched = { ...KEY, isFinal: false }
    const found = await auditMonth(parts, watched, occasion)
    expect(found.map(each => each.invariant)).toContain('I21')
    expect(await lastRun()).toEqual({ occasion, violations: found.length })
  }
  expect(mails).toHaveLength(1)
  expect(mails[0]).toContain('I21')
})

test('computed again, the draft is written anew though its inputs are the same; then it is closed', async () => {
  expect(await computeMonth(parts, KEY)).toMatchObject({ ok: true })
  expect(await auditMonth(parts, KEY, 'compute')).toEqual([])
  expect(await finalizeMonth(parts, KEY, books.userUid)).toMatchObject({ ok: true })
  expect(mails).toHaveLength(1)
})

test('a row that changes while the close is prepared is noticed', async () => {
  const next = { ...KEY, month: 202608 as YearMonth }
  await writeOwnAds(stats.store, [{ ...input, month: next.month }], 2n)
  expect(await computeMonth(parts, next)).toMatchObject({ ok: true })
  // The statistics are read after the database: meanwhile somebody changes an account, again and again.
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
  expect(await finalizeMonth(restless, next, books.userUid)).toMatchObject({
    ok: false,
    refusals: [{ code: 'payment/changed-while-closing' }],
  })
  expect(reads).toBeGreaterThan(3)
  expect(await finalizeMonth(parts, next, books.userUid)).toMatchObject({ ok: true })
})
