import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { writeAgreements } from '@pc/testing/books/settlement-books.ts'
import { csv } from '@pc/testing/statistics/ingest-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importBatch } from '../../../ingest/server/import-batch.ts'
import { replayDay } from '../../../ingest/server/publishing/replay-day.ts'
import { importHolidays } from '../../core/server/import-holidays.ts'
import { daysOf } from '../../core/server/month-statistics.ts'
import { createManualOperation } from '../../manual-operations/server/create-manual-operation.ts'
import { bookLateFigures } from './late-figures.ts'
import { monthViolations } from './month-invariants.ts'

/** Statistics files that come late, through the real import, the real worker and the API: for an open month and a final one. */
let system: SystemUnderTest
const MEDIUM = 31n
const JUNE = 202606 as YearMonth
const JULY = 202607 as YearMonth
const uid = () => system.rows.users['insight:admin'].uid

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2026-11-20T12:00:00+09:00') })
  const { database, jobs, jobHandlers } = system.dependencies
  const organizationId = system.rows.a.organizationId
  const rule = (id: bigint) => ({
    ...sampleRule(id, 0n, { share: { ownAdsRateUnits: 5000 } }),
    ruleId: id,
    mediumId: MEDIUM,
  })
  const plain = sampleAgreement(3101n, [rule(3601n), rule(3602n)])
  const guaranteed = sampleAgreement(3102n, [rule(3603n)], {
    terms: { minimumRevenueType: 'by_agreement', minimumRevenueYen: 1_000n },
  })
  await database.inScope(SYSTEM, async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    const agreements = [plain, guaranteed].map(each => ({ ...each, mediumId: MEDIUM, organizationId }))
    await writeAgreements(tx, [{ mediumId: MEDIUM, agreements }])
  })
  await jobs.work(jobHandlers)
})
afterAll(() => system?.close())

const LATE_DAY = 9
const LATER_DAY = 10

/** A line for each publisher and day that is not left out: yen of own ads before the share. */
const delivery = (
  month: YearMonth,
  yenOf: Readonly<Record<number, number>>,
  isIn: (publisherId: number, dayIndex: number) => boolean = () => true,
) =>
  csv(
    ['date', 'medium_id', 'publisher_id', 'article_impression', 'article_click', 'ads_revenue_micro_yen'],
    daysOf(month).flatMap((date, index) =>
      Object.entries(yenOf)
        .filter(([publisherId]) => isIn(Number(publisherId), index))
        .map(([publisherId, yen]) => [date, Number(MEDIUM), Number(publisherId), 10, 1, yen * 1_000_000]),
    ),
  )
/** Of June, each publisher is still missing a day; the medium has figures on all of them. */
const isInTime = (publisherId: number, index: number) => index !== (publisherId === 3602 ? LATE_DAY : LATER_DAY)
const onDay = (day: number) => (_publisherId: number, index: number) => index === day

async function take(content: string, batchId: string) {
  async function* input() {
    yield Buffer.from(content)
  }
  const request = { dataset: 'summary-daily', input: input(), batchId, quarantine: false, sourceName: 'test' } as const
  return importBatch(system.dependencies.ingest.context, request)
}

const rowsOf = (month: YearMonth) =>
  system.dependencies.database.inScope(SYSTEM, async tx => {
    const rows = await tx
      .selectFrom('monthlyPublisherPayments')
      .select(['publisherId', 'revenueYen', 'manualAdjustmentRevenueYen'])
      .where('mediumId', '=', MEDIUM)
      .where('month', '=', month)
      .orderBy('publisherId')
      .execute()
    return rows.map(row => [row.publisherId, row.revenueYen, row.manualAdjustmentRevenueYen])
  })
const stateOf = (month: YearMonth) =>
  system.dependencies.database.inScope(SYSTEM, async tx => {
    const row = await tx
      .selectFrom('monthStates')
      .select('state')
      .where('mediumId', '=', MEDIUM)
      .where('month', '=', month)
      .executeTakeFirst()
    return row?.state
  })
const compute = async (month: string) => {
  const token = await system.tokenOf(system.rows.users['insight:admin'].email)
  const answer = await system.ask(
    'insight',
    `mutation { computeMonth(month: "${month}", mediumId: "${MEDIUM}") }`,
    token,
  )
  expect(answer.json.errors).toBeUndefined()
}
/** Who has to be another person than who finalises it. */
const preparerOf = (month: YearMonth) =>
  system.dependencies.database.inScope(SYSTEM, async tx => {
    const { computedByUid } = await tx
      .selectFrom('monthStates')
      .select('computedByUid')
      .where('mediumId', '=', MEDIUM)
      .where('month', '=', month)
      .executeTakeFirstOrThrow()
    return computedByUid
  })
const isComputed = async (month: YearMonth) => ((await stateOf(month)) === 'computed' ? true : undefined)
const entries = () =>
  system.dependencies.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('lateCorrections as c')
      .innerJoin('dividends as d', 'd.id', 'c.dividendId')
      .innerJoin('dividendRows as r', 'r.dividendId', 'd.id')
      .select(['d.month', 'd.jobStatus', 'd.kind', 'r.publisherId', 'r.amountYen', 'r.reason', 'r.originMonth'])
      .orderBy('c.dividendId')
      .orderBy('r.line')
      .execute(),
  )

test('a late file for an open month: the draft is stale at once, and computed again', async () => {
  expect(await take(delivery(JUNE, { 3601: 100, 3602: 7, 3603: 1 }, isInTime), 'june')).toMatchObject({
    kind: 'applied',
  })
  await compute('2026-06')
  await until(() => isComputed(JUNE))
  expect(await rowsOf(JUNE)).toEqual([
    [3601n, 1_450n, 0n],
    [3602n, 101n, 0n],
    [3603n, 1_000n, 0n],
  ])
  await take(delivery(JUNE, { 3602: 11 }, onDay(LATE_DAY)), 'june-late')
  expect(await preparerOf(JUNE)).toBe(system.rows.users['insight:admin'].uid)
  await until(async () => ((await rowsOf(JUNE))[1]?.[1] === 107n ? isComputed(JUNE) : undefined))
  expect(await preparerOf(JUNE), 'still, when the system has computed it since').toBe(
    system.rows.users['insight:admin'].uid,
  )
  expect((await rowsOf(JUNE))[1]).toEqual([3602n, 107n, 0n])
})

test('a late file for a finalised month: the difference is booked to the next open month, with its origin', async () => {
  await take(delivery(JULY, { 3601: 20, 3602: 20, 3603: 20 }), 'july')
  const key = { mediumId: MEDIUM, month: JUNE }
  expect(await closeMonth(system.dependencies.money, key, uid())).toMatchObject({ ok: true })
  const before = await rowsOf(JUNE)
  await compute('2026-07')
  await until(() => isComputed(JULY))

  // 3603 stays below its guarantee: what it earns late is inside of what it was paid.
  expect(await take(delivery(JUNE, { 3601: 1_001, 3603: 50 }, onDay(LATER_DAY)), 'june-very-late')).toMatchObject({
    kind: 'applied',
  })
  await until(async () => ((await entries())[0]?.jobStatus === 'success' ? isComputed(JULY) : undefined))
  expect(await entries()).toEqual([
    {
      month: JULY,
      jobStatus: 'success',
      kind: 'csv',
      publisherId: 3601n,
      amountYen: 500n,
      reason: 'correction',
      originMonth: JUNE,
    },
  ])
  expect(await rowsOf(JUNE)).toEqual(before)
  await until(async () => ((await rowsOf(JULY))[0]?.[2] === 500n ? true : undefined))
  expect(await rowsOf(JULY)).toEqual([
    [3601n, 310n, 500n],
    [3602n, 310n, 0n],
    [3603n, 1_000n, 0n],
  ])
  for (const month of [JUNE, JULY]) {
    expect(await monthViolations(system.dependencies, { mediumId: MEDIUM, month })).toEqual([])
  }
})

test('the same file twice, and repeated again and again: nothing more is booked', async () => {
  const content = delivery(JUNE, { 3601: 1_001, 3603: 50 }, onDay(LATER_DAY))
  expect(await take(content, 'june-very-late')).toMatchObject({ kind: 'unchanged' })
  const key = { mediumId: MEDIUM, month: JUNE }
  expect(
    await Promise.all(Array.from({ length: 20 }, () => bookLateFigures(system.dependencies.money.payments, key))),
  ).toEqual(Array.from({ length: 20 }, () => undefined))
  expect(await entries()).toHaveLength(1)
})

test('a corrected file takes back what its predecessor brought too much', async () => {
  expect(await take(delivery(JUNE, { 3601: 1, 3603: 50 }, onDay(LATER_DAY)), 'june-very-late')).toMatchObject({
    kind: 'applied',
  })
  await until(async () => ((await entries())[1]?.jobStatus === 'success' ? true : undefined))
  expect((await entries()).map(row => row.amountYen)).toEqual([500n, -500n])
})

test('a reset of the month that holds corrections books them again at once', async () => {
  const { database } = system.dependencies
  const standing = async () => {
    const rows = await database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('lateCorrections as c')
        .innerJoin('dividends as d', 'd.id', 'c.dividendId')
        .innerJoin('dividendRows as r', 'r.dividendId', 'd.id')
        .select(['d.id', 'd.jobStatus', 'r.publisherId', 'r.amountYen', 'r.originMonth'])
        .where('d.reversedByDividendId', 'is', null)
        .orderBy('d.id')
        .execute(),
    )
    return rows.map(({ id: _id, ...row }) => row)
  }
  const before = await standing()
  expect(before.map(row => row.amountYen)).toEqual([500n, -500n])
  const { uid: userUid } = system.rows.users['insight:admin']
  const { manualOperations } = system.dependencies.money
  for (let turn = 1; turn <= 2; turn += 1) {
    const input = {
      ...{ mediumId: MEDIUM, month: JULY, kind: 'reset' as const, method: 'payment' as const },
      ...{ extraRevenueYen: null, extraRevenueMonth: '', notes: '' },
    }
    const entered = await database.inScope(SYSTEM, tx =>
      createManualOperation(tx, manualOperations, { input, rawRows: [], userUid }),
    )
    if (!entered.ok) throw new Error(JSON.stringify(entered.refusals))
    await until(async () => {
      const reset = await database.inScope(SYSTEM, tx =>
        tx.selectFrom('dividends').select('jobStatus').where('id', '=', entered.value).executeTakeFirstOrThrow(),
      )
      return reset.jobStatus === 'success' ? true : undefined
    })
    expect(await standing()).toEqual(before)
    await until(() => isComputed(JULY))
    expect((await rowsOf(JULY))[0]).toEqual([3601n, 310n, 0n])
    expect(await monthViolations(system.dependencies, { mediumId: MEDIUM, month: JULY })).toEqual([])
  }
  // Nothing is missing, so nothing more is booked.
  const key = { mediumId: MEDIUM, month: JUNE }
  expect(await bookLateFigures(system.dependencies.money.payments, key)).toBeUndefined()
})

test('the history of deliveries names the entry that followed each, and none for what came before the close', async () => {
  const batches = await system.dependencies.database.inScope(SYSTEM, async tx => {
    // Moments that do not hang on who was faster: before the close, and just before the entry that followed.
    await sql`update ingest_batches b set applied_at = case
        when b.batch_id in ('june', 'june-late', 'july') then m.finalized_at - interval '1 minute'
        else (select c.created_at - interval '1 millisecond' from late_corrections c
          order by c.dividend_id offset b.revision - 1 limit 1) end
      from month_closings m where m.medium_id = ${MEDIUM} and m.month = ${JUNE}`.execute(tx)
    return tx.selectFrom('ingestBatches').select(['batchNo', 'batchId', 'revision']).orderBy('batchNo').execute()
  })
  const token = await system.tokenOf(system.rows.users['insight:viewer'].email)
  const found: Record<string, unknown> = {}
  for (const { batchNo, batchId, revision } of batches) {
    const query = `{ ingestBatch(id: "${batchNo}") { corrections { originMonth month amount } } }`
    const { json, text } = await system.ask('insight', query, token)
    expect(json.errors, text).toBeUndefined()
    found[`${batchId} ${revision}`] = (json.data as { ingestBatch: { corrections: unknown } }).ingestBatch.corrections
  }
  expect(found).toEqual({
    'june 1': [],
    'june-late 1': [],
    'july 1': [],
    'june-very-late 1': [{ originMonth: '2026-06', month: '2026-07', amount: 500 }],
    'june-very-late 2': [{ originMonth: '2026-06', month: '2026-07', amount: -500 }],
  })
})

test('every day is rebuilt from its files without a difference', async () => {
  for (const day of [...daysOf(JUNE), ...daysOf(JULY)].filter((_, index) => index % 9 === 0)) {
    expect(await replayDay(system.dependencies.ingest.context, day)).toMatchObject({ differences: 0 })
  }
})
