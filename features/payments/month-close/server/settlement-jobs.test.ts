import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { openLog } from '@pc/platform/log.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { settlementBooks, writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { monthCloseBoard } from './close-board.ts'
import { settlementJobHandlers } from './settlement-jobs.ts'

const tested = await testDatabase()
const stats = await openTestDuckDb()
const { database } = tested
const { payments, userUid } = await settlementBooks(database, stats.store)
afterAll(async () => {
  await stats.drop()
  await tested.drop()
})

const MONTH = 202603 as YearMonth
async function mediumWith(mediumId: bigint, fixedRevenueYen: bigint): Promise<void> {
  const of = (id: bigint) =>
    sampleAgreement(mediumId * 10n + id, [sampleRule(mediumId * 1_000n + id, 1_000n, { mediumId })], {
      ...{ mediumId, organizationId: mediumId * 10n + id, terms: { fixedRevenueYen } },
    })
  const agreements = [of(1n), of(2n)]
  await database.inScope(SYSTEM, tx => writeAgreements(tx, [{ mediumId, agreements }]))
  await writeOwnAds(stats.store, [sampleMonth(MONTH, { mediumId, agreements })], mediumId)
}

test.each([
  [1n, 2n ** 63n - 1n],
  [2n, 2n ** 62n],
])(
  'medium %s with amounts of %s, from before they had a limit: it is said which agreements',
  async (mediumId, amount) => {
    await mediumWith(mediumId, amount)
    expect(await computeMonth(payments, { mediumId, month: MONTH })).toMatchObject({
      ok: false,
      refusals: [
        { code: 'payment/amount-too-large', data: { agreementId: `${mediumId * 10n + 1n}` } },
        { code: 'payment/amount-too-large', data: { agreementId: `${mediumId * 10n + 2n}` } },
      ],
    })
    const board = await monthCloseBoard({ ...payments, statementReasons: async () => [] }, MONTH, userUid)
    const check = board.find(row => row.mediumId === mediumId)?.checks.find(each => each.kind === 'agreements')
    expect(check).toMatchObject({ state: 'red', detail: expect.stringContaining('1兆円を超えています') })
  },
)

test('a medium that fails does not keep the others from being settled at night', async () => {
  await mediumWith(4n, 1_000n)
  await mediumWith(9n, 1_000n)
  for (const mediumId of [4n, 9n])
    expect(await computeMonth(payments, { mediumId, month: MONTH })).toMatchObject({ ok: true })
  await database.inScope(SYSTEM, tx =>
    tx.updateTable('agreements').set({ fixedRevenueYen: 2_000n }).where('mediumId', '=', 4n).execute(),
  )
  const checksOf = (mediumId: bigint) =>
    database.inScope(SYSTEM, async tx => {
      const { n } = await tx
        .selectFrom('invariantRuns')
        .select(eb => eb.fn.countAll<bigint>().as('n'))
        .where('mediumId', '=', mediumId)
        .executeTakeFirstOrThrow()
      return n
    })
  const before = [await checksOf(4n), await checksOf(9n)]
  payments.clock.set('2028-01-11T03:30:00+09:00')
  const rebookPools: typeof payments.rebookPools = async (tx, key, settled) => {
    if (key.mediumId === 4n) throw new Error('fault')
    return payments.rebookPools(tx, key, settled)
  }
  const parts = { ...payments, rebookPools, jobs: { enqueue: async () => null } } as never
  const nightly = settlementJobHandlers(parts, openLog('silent')).find(each => each.kind.name === 'settlement-nightly')!
  await expect(nightly.run({}, { signal: new AbortController().signal } as never)).rejects.toThrow(
    /^1 of \d+ months failed$/,
  )
  expect([await checksOf(4n), await checksOf(9n)]).toEqual([before[0], before[1]! + 1n])
})
