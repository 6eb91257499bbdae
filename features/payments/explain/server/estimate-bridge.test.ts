import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { bookManualOperations, writeAgreements } from '@pc/testing/books/settlement-books.ts'
import { unfinishedJobs } from '@pc/testing/faults/unfinished-jobs.ts'
import { csv } from '@pc/testing/statistics/ingest-fixture.ts'
import { decodedMail } from '@pc/testing/system/people-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importBatch } from '../../../ingest/server/import-batch.ts'
import { computeMonth } from '../../core/server/compute-month.ts'
import { importHolidays } from '../../core/server/import-holidays.ts'
import { daysOf } from '../../core/server/month-statistics.ts'
import { LATE_FIGURES_JOB } from '../../month-close/server/late-figures-job.ts'

/** What reports showed of a month, and how it became what the month came to: by the real import, worker, close and API. */
let system: SystemUnderTest
const MEDIUM = 41n
const JUNE = 202606 as YearMonth
const JULY = 202607 as YearMonth
const clock = fixedClock('2026-11-20T12:00:00+09:00')
const token = new Map<string, string>()
const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => system.dependencies.database.inScope(SYSTEM, work)

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: clock })
  for (const role of ['insight:admin', 'insight:publisher_admin', 'ofB', 'nobody'] as const) {
    token.set(role, await system.tokenOf(system.rows.users[role].email))
  }
  const { a, b } = system.rows
  const share = { ownAdsRateUnits: 5000, sspRateUnits: 4000, isTargetForSspAllocation: true }
  const rule = (id: bigint, more: object = {}) => ({
    ...sampleRule(id, 0n, { share, ...more }),
    ruleId: id,
    mediumId: MEDIUM,
  })
  const agreements = [
    { ...sampleAgreement(4101n, [rule(4601n), rule(4602n)]), mediumId: MEDIUM, organizationId: a.organizationId },
    {
      ...sampleAgreement(4102n, [rule(4603n)], { terms: { fixedRevenueYen: 1_000n } }),
      mediumId: MEDIUM,
      organizationId: b.organizationId,
    },
  ]
  await inBooks(async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeAgreements(tx, [{ mediumId: MEDIUM, agreements }])
  })
  await system.dependencies.jobs.work(system.dependencies.jobHandlers)
})
afterAll(() => system?.close())

interface Sent {
  /** Own ads and SSP of a day before any share, and the publisher's revenue as its sender computed it; micro-yen. */
  readonly ads: number
  readonly ssp: number
  readonly shown: number
}

async function take(month: YearMonth, batchId: string, sent: (publisherId: number, day: number) => Sent) {
  const content = csv(
    [
      'date',
      'medium_id',
      'publisher_id',
      'article_impression',
      'article_click',
      'ads_revenue_micro_yen',
      'ssp_revenue_micro_yen',
      'publisher_revenue_micro_yen',
    ],
    daysOf(month).flatMap((date, day) =>
      [4601, 4602, 4603].map(publisherId => {
        const { ads, ssp, shown } = sent(publisherId, day)
        return [date, Number(MEDIUM), publisherId, 10, 1, ads, ssp, shown]
      }),
    ),
  )
  async function* input() {
    yield Buffer.from(content)
  }
  const request = { dataset: 'summary-daily', input: input(), batchId, quarantine: false, sourceName: 'test' } as const
  const taken = await importBatch(system.dependencies.ingest.context, request)
  expect(
    taken.kind,
    JSON.stringify(taken, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
  ).toBe('applied')
}
const PLAIN: Sent = { ads: 200_600_000, ssp: 10_000_000, shown: 104_300_000 }
/** The sender of 4602 counted 45 % of the own ads until the contract was corrected. */
const sentFirst = (publisherId: number): Sent => (publisherId === 4602 ? { ...PLAIN, shown: 94_270_000 } : PLAIN)

const ask = async (query: string, as: string, variables?: object) => {
  const answer = await system.ask('insight', query, token.get(as), variables)
  return answer.json
}
interface Step {
  readonly name: string
  readonly amount: number
  readonly level: number
  readonly lines: readonly { readonly label: string; readonly amount: number }[]
}
interface Bridge {
  readonly isFinal: boolean
  readonly recordedAt: string | null
  readonly shownRevenue: number | null
  readonly steps: readonly Step[]
  readonly toPayment: readonly { readonly label: string; readonly amount: number; readonly isSum: boolean }[]
  readonly errorRange: { readonly lowest: number; readonly highest: number; readonly months: number } | null
}
const FIELDS = `isFinal recordedAt shownRevenue steps { name amount level lines { label amount } } toPayment { label amount isSum }
  errorRange { lowest highest months }`
const bridgeOf = async (kind: string, id: string | bigint, as: string) =>
  (
    (await ask(`query ($id: ID!) { estimateBridge(kind: ${kind}, id: $id) { ${FIELDS} } }`, as, { id: `${id}` }))
      .data as {
      estimateBridge: Bridge | null
    }
  ).estimateBridge
const monthBridge = async (as: string, month = '2026-06', more = '') =>
  (
    (await ask(`{ monthEstimateBridge(month: "${month}"${more}) { ${FIELDS} } }`, as)).data as {
      monthEstimateBridge: Bridge
    }
  ).monthEstimateBridge
const shownByReports = async (as: string, publisherIds: readonly number[]) => {
  const found = await ask(
    `query ($param: SummaryStatsParam!) { summaryStats(limit: 1, offset: 0, param: $param) { totals { publisherTotalRevenue } } }`,
    as,
    {
      param: { from: '2026-06-01', to: '2026-06-30', mediumIds: [`${MEDIUM}`], publisherIds: publisherIds.map(String) },
    },
  )
  return (found.data as { summaryStats: { totals: { publisherTotalRevenue: number } } }).summaryStats.totals
    .publisherTotalRevenue
}
const paymentIds = (month = JUNE) =>
  inBooks(async tx => {
    const rows = await tx
      .selectFrom('monthlyPayments')
      .select(['id', 'agreementId'])
      .where('mediumId', '=', MEDIUM)
      .where('month', '=', month)
      .orderBy('agreementId')
      .execute()
    return rows.map(row => row.id)
  })
const expectExact = ({ steps }: Bridge) => {
  expect(steps.map(step => step.name)).toEqual([
    ...['estimate', 'late_data', 'invalid_traffic', 'pool_allocation', 'minimum', 'adjustment', 'final'],
  ])
  const sum = (amounts: readonly { readonly amount: number }[]) => amounts.reduce((all, each) => all + each.amount, 0)
  expect(sum(steps.slice(0, 6))).toBe(steps[6]!.amount)
  for (const step of steps) expect(sum(step.lines), step.name).toBe(step.amount)
}

let shown: { readonly a: number; readonly b: number }

test('what the reports show is kept when the month has all its days, and stays as it was then', async () => {
  await take(JUNE, 'june', sentFirst)
  const recorded = await until(() =>
    inBooks(tx =>
      tx
        .selectFrom('revenueEstimates')
        .selectAll()
        .where('mediumId', '=', MEDIUM)
        .where('month', '=', JUNE)
        .executeTakeFirst(),
    ),
  )
  expect(recorded.occasion).toBe('complete')
  shown = {
    a: await shownByReports('insight:publisher_admin', [4601, 4602]),
    b: await shownByReports('insight:admin', [4603]),
  }
  expect(shown).toEqual({ a: Math.floor(30 * (104.3 + 94.27)), b: 30 * 104.3 })
  // A day of 4601 comes once more with more in it, and 4602 is counted at its own rate.
  await take(JUNE, 'june', (publisherId, day) =>
    publisherId === 4601 && day === 9 ? { ads: 400_600_000, ssp: 10_000_000, shown: 204_300_000 } : PLAIN,
  )
  expect(await shownByReports('insight:admin', [4601, 4602])).toBe(30 * (104.3 + 104.3) + 100)
  const kept = await inBooks(tx =>
    tx
      .selectFrom('publisherRevenueEstimates')
      .select(eb => eb.fn.sum<bigint>('shownMicroYen').as('sum'))
      .executeTakeFirstOrThrow(),
  )
  expect(BigInt(kept.sum)).toBe(30n * (104_300_000n + 94_270_000n + 104_300_000n))
})

test('a finalised month: seven steps that sum, each with the lines behind it, to the yen', async () => {
  const { money } = system.dependencies
  const input = {
    ...sampleMonth(JUNE, {
      poolJobs: [
        {
          ...({ jobId: 1n, kind: 'ssp', method: 'payment', poolYen: 1_000n } as const),
          weights: [4601n, 4602n].map(publisherId => ({ agreementId: 4101n, publisherId, weight: 1n })),
        },
      ],
      adjustments: [
        sampleAdjustment(4101n, 4601n, -77n, { reason: 'invalid_traffic' }),
        sampleAdjustment(4101n, 4602n, 5n, { line: 2 }),
      ],
    }),
    mediumId: MEDIUM,
  }
  await bookManualOperations(
    { manualOperations: money.manualOperations, userUid: system.rows.users['insight:admin'].uid },
    input,
  )
  const key = { mediumId: MEDIUM, month: JUNE }
  // Refused while a job works on the month, or changed it meanwhile.
  await until(async () => ((await computeMonth(money.payments, key)).ok ? true : undefined))
  const [idOfA, idOfB] = await paymentIds()
  // Nobody is shown a final before there is one.
  expect(await bridgeOf('payment', idOfA!, 'insight:publisher_admin')).toBeNull()
  expect(await bridgeOf('payment', idOfA!, 'insight:admin')).toMatchObject({
    ...{ isFinal: false, steps: [], errorRange: null, shownRevenue: 30 * (104.3 + 104.3) + 100 },
  })
  const { uid } = system.rows.users['insight:admin']
  await until(async () => ((await closeMonth(money, key, uid)).ok ? true : undefined))

  const bridge = (await bridgeOf('payment', idOfA!, 'insight:admin'))!
  expectExact(bridge)
  expect(bridge.recordedAt).toBe('2026-11-20T03:00:00.000Z')
  // Own ads at 50 %: 3,009 and 3,009 as sent first, 100 more later. Of SSP the sender had counted 120 each.
  expect(bridge.steps.map(step => step.amount)).toEqual([shown.a, 100 + 301, -77, 400 - 240, 0, 5, 6_446])
  expect(bridge.steps[1]!.lines).toEqual([
    { label: '速報のあとに届いた統計', amount: 100 },
    { label: '支払率と端数の差', amount: 301 },
  ])
  expect(bridge.steps[3]!.lines.map(line => line.amount)).toEqual([400, -240])
  expect(bridge.toPayment.map(line => line.amount)).toEqual([6_446, 0, 0, 6_446, 644, 7_090])
  const ofB = (await bridgeOf('payment', idOfB!, 'insight:admin'))!
  expectExact(ofB)
  expect(ofB.steps.map(step => step.amount)).toEqual([shown.b, 0, 0, -120, 1_000, 0, 4_009])

  // All of it is paid: with what was taken off, nothing of it is owed.
  const { data } = await ask(
    `{ monthlyPayments(limit: 1, offset: 0, param: { mediumId: "${MEDIUM}" }) {
      sumWithoutTax sumRevenueWithoutTax sumManualAdjustment } }`,
    'insight:admin',
  )
  const { monthlyPayments: sums } = data as {
    monthlyPayments: Record<'sumWithoutTax' | 'sumRevenueWithoutTax' | 'sumManualAdjustment', number>
  }
  expect(sums.sumManualAdjustment).toBe(-72)
  expect(sums.sumRevenueWithoutTax + sums.sumManualAdjustment - sums.sumWithoutTax).toBe(0)
})

test('a payee sees its own rows, the same figures as staff, and nobody else', async () => {
  const [idOfA, idOfB] = await paymentIds()
  for (const [id, own, other] of [
    [idOfA!, 'insight:publisher_admin', 'ofB'],
    [idOfB!, 'ofB', 'insight:publisher_admin'],
  ] as const) {
    expect(await bridgeOf('payment', id, own)).toEqual(await bridgeOf('payment', id, 'insight:admin'))
    expect(await bridgeOf('payment', id, other)).toBeNull()
    expect((await ask(`{ estimateBridge(kind: payment, id: "${id}") { month } }`, 'nobody')).errors).toBeDefined()
  }
  const parts = await inBooks(tx =>
    tx
      .selectFrom('monthlyPublisherPayments')
      .select(['id', 'publisherId'])
      .where('mediumId', '=', MEDIUM)
      .orderBy('publisherId')
      .execute(),
  )
  const ofParts = await Promise.all(
    parts.slice(0, 2).map(part => bridgeOf('publisher_payment', part.id, 'insight:publisher_admin')),
  )
  for (const part of ofParts) expectExact(part!)
  const whole = (await bridgeOf('payment', idOfA!, 'insight:admin'))!
  const finals = ofParts.map(part => part!.steps[6]!.amount)
  expect(finals[0]! + finals[1]!).toBe(whole.steps[6]!.amount)
  expect(await bridgeOf('publisher_payment', parts[2]!.id, 'insight:publisher_admin')).toBeNull()
})

test('over a month: staff all payees, a payee its own; an open month has the range of what happened before', async () => {
  const [idOfA] = await paymentIds()
  const mediumIds = `, mediumIds: ["${MEDIUM}"]`
  const whole = await monthBridge('insight:admin', '2026-06', mediumIds)
  expectExact(whole)
  expect(whole.steps[0]!.amount).toBe(await shownOf([4601, 4602, 4603]))
  expect(whole.steps[6]!.amount).toBe(6_446 + 4_009)
  const own = await monthBridge('insight:publisher_admin', '2026-06', mediumIds)
  expect(own.steps).toEqual((await bridgeOf('payment', idOfA!, 'insight:admin'))!.steps)
  // Asking for somebody else's publisher answers nothing of it.
  expect((await monthBridge('insight:publisher_admin', '2026-06', ', publisherIds: ["4603"]')).steps).toEqual([])
  const error = 6_446 - shown.a
  expect(await monthBridge('insight:publisher_admin', '2026-07')).toMatchObject({
    ...{ isFinal: false, steps: [], errorRange: { lowest: error, highest: error, months: 1 } },
  })
})
/** What was shown, over all of them: rounded once. */
async function shownOf(publisherIds: readonly number[]): Promise<number> {
  const rows = await inBooks(tx =>
    tx
      .selectFrom('publisherRevenueEstimates')
      .select('shownMicroYen')
      .where('publisherId', 'in', publisherIds.map(BigInt))
      .execute(),
  )
  return Number(rows.reduce((sum, row) => sum + row.shownMicroYen, 0n) / 1_000_000n)
}

test('lists name the estimate beside the final; the rows of it never change', async () => {
  const found = await ask(
    '{ monthlyPayments(limit: 10, offset: 0, orderBy: ID_ASC) { nodes { estimatedRevenue } } monthlyPublisherPayments(limit: 10, offset: 0, orderBy: ID_ASC) { nodes { publisherId estimatedRevenue } } }',
    'insight:publisher_admin',
  )
  expect(found.data).toEqual({
    monthlyPayments: { nodes: [{ estimatedRevenue: shown.a }] },
    monthlyPublisherPayments: {
      nodes: [
        { publisherId: '4601', estimatedRevenue: 30 * 104.3 },
        { publisherId: '4602', estimatedRevenue: Math.floor(30 * 94.27) },
      ],
    },
  })
  for (const change of [
    sql`update monthly_estimates set shown_micro_yen = 0`,
    sql`delete from publisher_revenue_estimates`,
    sql`delete from revenue_estimates`,
    sql`truncate monthly_estimates`,
    sql`insert into publisher_revenue_estimates values (${MEDIUM}, ${JUNE}, 1, 1, 1, 1, 1, 1)`,
  ]) {
    await expect(inBooks(tx => change.execute(tx))).rejects.toThrow()
  }
})

test('the mail of the statement says it', async () => {
  const folder = path.join(system.dependencies.config.dataDir, 'outbox')
  const to = `To: ${system.rows.users['insight:publisher_admin'].email}`
  const text = await until(async () => {
    const files = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.eml'))
    const mails = await Promise.all(files.map(file => readFile(path.join(folder, file), 'utf8')))
    return mails
      .filter(mail => mail.includes(to))
      .map(decodedMail)
      .find(mail => mail.includes('速報値'))
  })
  expect(text).toContain(`速報値　${shown.a.toLocaleString('ja-JP')}円`)
  expect(text).toContain('無効トラフィックの控除　-77円')
  expect(text).toContain('確定値　6,446円')
})

test('a month that nobody had looked at before its close is kept with the close', async () => {
  const { money } = system.dependencies
  clock.set('2026-07-20T12:00:00+09:00') // July runs: its figures are not the whole month's yet
  await take(JULY, 'july', () => PLAIN)
  // The delivery's job has to read the clock while it is in July.
  await until(async () =>
    (await unfinishedJobs(system.dependencies.database, [LATE_FIGURES_JOB])) === 0 ? true : undefined,
  )
  const key = { mediumId: MEDIUM, month: JULY }
  await until(async () => ((await computeMonth(money.payments, key)).ok ? true : undefined))
  clock.set('2026-11-20T12:00:00+09:00')
  const { uid } = system.rows.users['insight:admin']
  await until(async () => ((await closeMonth(money, key, uid)).ok ? true : undefined))
  const kept = await inBooks(tx =>
    tx.selectFrom('revenueEstimates').select('occasion').where('month', '=', JULY).executeTakeFirstOrThrow(),
  )
  expect(kept.occasion).toBe('finalize')
  const [idOfA] = await paymentIds(JULY)
  const bridge = (await bridgeOf('payment', idOfA!, 'insight:publisher_admin'))!
  expectExact(bridge)
  expect(bridge.steps[1]!.lines.map(line => line.label)).not.toContain('速報のあとに届いた統計')
})
