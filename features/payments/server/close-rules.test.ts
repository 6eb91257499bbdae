import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/payment/sample-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { settlementBooks, writeAgreements, writeOwnAds } from '@pc/testing/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { computeMonth } from './compute-month.ts'
import { finalizeMonth } from './finalize-month.ts'
import { type JobFacts, preparersOf, unresolvedFailures } from './month-readiness.ts'

const job = (id: bigint, parts: Partial<JobFacts> = {}): JobFacts => ({
  ...{ id, kind: 'csv', jobStatus: 'success', userUid: 'a', withdrawnAt: null, reversedByDividendId: null },
  ...parts,
})

describe('who prepared a month (payments rules, section 2.5)', () => {
  test('those whose entries are in it, and who computed it', () => {
    expect(preparersOf([job(1n), job(2n, { userUid: 'b' }), job(3n)], 'c')).toEqual(['a', 'b', 'c'])
    expect(preparersOf([], null)).toEqual([])
  })
  test.each<[string, Partial<JobFacts>]>([
    ['failed', { jobStatus: 'failed' }],
    ['failed and was withdrawn', { jobStatus: 'failed', withdrawnAt: new Date(0) }],
    ['was turned back', { reversedByDividendId: 9n }],
    ['was a reset', { kind: 'reset' }],
  ])('an entry that %s makes nobody a second person', (_what, parts) => {
    expect(preparersOf([job(1n), job(2n, { userUid: 'b', ...parts })], null)).toEqual(['a'])
  })
})

test('a failure stands in the way until it is withdrawn, or made good by its kind or a reset', () => {
  const failed = job(1n, { jobStatus: 'failed', kind: 'ssp' })
  expect(unresolvedFailures([failed])).toEqual([failed])
  expect(unresolvedFailures([failed, job(2n, { kind: 'ssp_live' })])).toEqual([failed])
  expect(unresolvedFailures([job(2n, { kind: 'ssp' }), failed])).toEqual([failed])
  for (const cure of [job(2n, { kind: 'ssp' }), job(2n, { kind: 'reset' })]) {
    expect(unresolvedFailures([failed, cure])).toEqual([])
  }
  expect(unresolvedFailures([{ ...failed, withdrawnAt: new Date(0) }])).toEqual([])
})

describe('finalised to paid (section 2.5: all transfers paid, or nothing to pay)', async () => {
  const tested = await testDatabase()
  const stats = await openTestDuckDb()
  const { database } = tested
  const books = await settlementBooks(database, stats.store)
  afterAll(async () => {
    await stats.drop()
    await tested.drop()
  })
  /** Medium 1 carries everything on, medium 2 has one payment to make. */
  const mediumOf = (mediumId: bigint, thresholdYen: bigint) => {
    const rule = { ...sampleRule(mediumId * 100n + 1n, 10_000n), mediumId }
    const agreement = {
      ...sampleAgreement(mediumId, [rule], { terms: { payoutThresholdYen: thresholdYen } }),
      mediumId,
    }
    return { ...sampleMonth(202606, { agreements: [agreement] }), mediumId }
  }
  const months = [mediumOf(1n, 1_000_000n), mediumOf(2n, 1n)]
  beforeAll(async () => {
    await database.inScope(SYSTEM, tx => writeAgreements(tx, months))
    await writeOwnAds(stats.store, months, 1n)
  })

  test.each([
    [1n, 'paid'],
    [2n, 'finalized'],
  ])('medium %s is %s', async (mediumId, state) => {
    const key = { mediumId, month: months[0]!.month }
    expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
    expect(await finalizeMonth(books.payments, key, books.userUid)).toMatchObject({ ok: true })
    const row = await database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('monthStates')
        .select(['state', 'paidAt', 'finalizedAt', 'hash'])
        .where('mediumId', '=', mediumId)
        .executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({ state, paidAt: state === 'paid' ? row.finalizedAt : null })
    expect(row.hash).not.toBeNull()
  })
})
