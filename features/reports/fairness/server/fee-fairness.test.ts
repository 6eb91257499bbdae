import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { makeReportFixture, REPORT_MEDIA, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom, randomPublisherFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EntityFilter } from '../../core/server/report-scope.ts'
import { readFeeFairness } from './fee-fairness-report.ts'
import { readOwnHistory } from './own-history-report.ts'

/** Both benchmarks over real stores, against the same rows in plain TypeScript. */
const clock = fixedClock('2026-03-20T10:00:00+09:00')
const { database, drop, adminUrl } = await testDatabase()
afterAll(drop)
const { publishers, permitOf, maySee } = await makeReportFixture(database)
const rows = randomPublisherFacts(randomFrom(5), {
  from: day('2025-01-20'),
  days: 424,
  publisherIds: publishers.map(({ id }) => id),
  mediumIds: REPORT_MEDIA,
  batchNo: 1n,
  gaps: 0.5,
}).publisher_day!.map((row): FactRow => ({ ...row, ssp_revenue_micro_yen: 1_000_000n }))
const everything: EntityFilter = { mediumIds: undefined, organizationIds: undefined, publisherIds: undefined }

/** Of every publisher of medium 1 but the last: revenue, fixed, minimum, rate; the month 2025-12 is final. */
const PAID = publishers.slice(0, 7).map((publisher, at) => ({
  ...{ publisherId: publisher.id, fixed: at === 2 ? 50_000n : 0n, topUp: at === 4 ? 777n : 0n },
  ...{ fee: BigInt((at + 3) * 123_457), rate: [4_000, 5_000, 5_000, 5_500, 5_000, 6_000, 5_000][at]! },
}))
beforeAll(() =>
  withClient(adminUrl, async client => {
    // Without its triggers: what a close writes, and nothing around it.
    await client.query('set session_replication_role = replica')
    for (const [at, { publisherId, fixed, topUp, fee, rate }] of PAID.entries()) {
      for (const [id, month, isFinal] of [
        [at + 1, 202512, true],
        [at + 101, 202603, false],
      ] as const) {
        await client.query(
          `insert into monthly_publisher_payments (id, monthly_payment_id, medium_id, agreement_id, organization_id, publisher_id, rule_id, month, has_been_finalized, ads_revenue_yen, ssp_revenue_yen, video_ssp_revenue_yen, live_ssp_revenue_yen, fixed_revenue_applied_yen, minimum_top_up_revenue_yen, revenue_yen, manual_adjustment_revenue_yen, carried_over_revenue_yen, cumulative_revenue_yen, payment_yen, carried_over_to_next_yen, fixed_of_rule_yen, fixed_of_agreement_yen, top_up_of_rule_yen, top_up_of_agreement_yen, reference_tax_yen)
             overriding system value values ($1, $1, 1, 1, 1, $2, $1, $3, $4, $5, 0, 0, 0, $6::bigint, $7::bigint, $8::bigint, 900, 40, $8::bigint + 940, 0, $8::bigint + 940, $6::bigint, 0, $7::bigint, 0, 0)`,
          [id, publisherId, month, isFinal, fee - fixed - topUp, fixed, topUp, fee],
        )
        await client.query(
          'insert into monthly_rule_snapshots values ($1, 1, $2, 1, 1, $3, $4, 0, 0, 0, true, true, true)',
          [...[id, month, isFinal, rate]],
        )
      }
    }
  }),
)

const sum = (some: readonly FactRow[], ...columns: string[]) =>
  some.reduce((all, row) => columns.reduce((one, column) => one + (row[column] as bigint), all), 0n)

/** Every figure of each month by hand: numerator and denominator. */
function monthsOf(person: ReportPerson, filter: EntityFilter) {
  const months: Record<string, readonly (readonly [bigint, bigint])[]> = {}
  for (const month of ['2025-03', '2025-04', '2025-05', '2025-06', '2025-07', '2025-08', '2025-09', '2025-10'].concat([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
    '2026-03',
  ])) {
    const some = rows.filter(
      row =>
        String(row.date).startsWith(month) &&
        row.date! < '2026-03-20' &&
        maySee(person, row.medium_id, row.publisher_id) &&
        (filter.mediumIds?.includes(row.medium_id as bigint) ?? true) &&
        (filter.publisherIds?.includes(row.publisher_id as bigint) ?? true),
    )
    const impressions = sum(some, 'article_impression', 'video_impression', 'live_impression')
    const [clicks, micro] = [
      sum(some, 'article_click', 'video_click', 'live_click'),
      sum(some, 'publisher_revenue_micro_yen'),
    ]
    const days = BigInt(new Set(some.map(row => row.date)).size)
    months[month] = [
      [micro, impressions * 1000n],
      [clicks, impressions],
      [micro, days * 1_000_000n],
      [impressions, days],
    ]
  }
  return months
}

describe.each(STATS_ENGINES)('on %s', engineName => {
  let engine: StatsEngine
  beforeAll(async () => {
    engine = await openTestStats(engineName)
    await importFacts(engine.store, 1n, { publisher_day: rows })
  })
  afterAll(() => engine?.drop())

  test.each(['staff', 'admin', 'editor'] as const)('%s: this month among the own twelve before it', async person => {
    const sources = { stats: engine.store, database, clock }
    for (const filter of [
      everything,
      { ...everything, mediumIds: [1n], publisherIds: [publishers[1]!.id, publishers[5]!.id] },
    ]) {
      const { month, knownDays, figures } = await readOwnHistory(
        sources,
        filter,
        permitOf(person, 'read:list', 'insight:summary_stats.'),
      )
      const { '2026-03': now, ...before } = monthsOf(person, filter)
      expect([month, BigInt(knownDays)]).toEqual([202603, now![3]![1]])
      const known = (at: number) => Object.values(before).flatMap(one => (one[at]![1] > 0n ? [one[at]!] : []))
      const wanted = ['rpm', 'ctr', 'dailyRevenue', 'dailyImpressions'].flatMap((figure, at) => {
        const [numerator, denominator] = now![at]!
        if (denominator === 0n || known(at).length < 3) return []
        const exceeded = known(at).filter(([n, d]) => n * denominator < numerator * d).length
        return [{ figure, now: { numerator, denominator }, standing: { months: known(at).length, exceeded } }]
      })
      expect(figures).toMatchObject(wanted)
      expect(figures).toHaveLength(wanted.length)
      if (person === 'staff') expect(wanted).toHaveLength(4)
    }
  })

  test('who sees no rows has no history', async () => {
    const permit = permitOf('idleEditor', 'read:list', 'insight:summary_stats.')
    expect(await readOwnHistory({ stats: engine.store, database, clock }, everything, permit)).toEqual({
      ...{ month: 202603, knownDays: 0, figures: [] },
    })
  })

  test('every publisher’s final fee per 1,000 views, in quarters of the medium', async () => {
    const permit = permitOf('staff', 'read:list', 'insight:payment_rate.')
    const read = (mediumId?: bigint, month?: number) =>
      readFeeFairness({ stats: engine.store, database, clock }, { mediumId, month: month as never }, permit)
    const fairness = (await read(1n, 202512))!
    const wanted = PAID.map(paid => {
      const views = sum(
        rows.filter(
          row =>
            row.medium_id === 1n && row.publisher_id === paid.publisherId && String(row.date).startsWith('2025-12'),
        ),
        ...['article_watch', 'video_watch', 'live_watch'],
      )
      return { ...paid, views, perMille: (paid.fee * 1_000_000_000n) / views }
    }).sort((a, b) => (a.perMille < b.perMille ? -1 : 1))
    expect(fairness.nodes.map(one => [one.publisherId, one.views, one.feeYen, one.perMille, one.rateUnits])).toEqual(
      wanted.map(one => [one.publisherId, one.views, one.fee, one.perMille, one.rate]),
    )
    // Seven: the second, the fourth and the sixth.
    expect(fairness.range).toEqual({
      ...{ lowest: wanted[0]!.perMille, firstQuartile: wanted[1]!.perMille, median: wanted[3]!.perMille },
      ...{ thirdQuartile: wanted[5]!.perMille, highest: wanted[6]!.perMille, medianRateUnits: 5_000 },
    })
    expect(fairness.nodes.map(one => one.position)).toEqual([
      ...['below', 'within', 'within', 'within', 'within', 'within', 'above'],
    ])
    const reasonsOf = (at: number) => fairness.nodes.find(one => one.publisherId === PAID[at]!.publisherId)?.reasons
    expect([0, 2, 4, 5].map(reasonsOf)).toEqual([['lower_rate'], ['fixed'], ['minimum'], ['higher_rate']])
    expect(fairness).toMatchObject({ mediumId: 1n, mediumName: 'メディア1', month: 202512 })

    // Drafts are no fees; without an answer to when, the last final month; a medium that nobody knows is nothing.
    expect(await read(1n, 202603)).toMatchObject({ month: null, range: null, nodes: [] })
    expect(await read(1n)).toMatchObject({ month: 202601, nodes: [] })
    expect(await read()).toMatchObject({ mediumId: 1n, month: 202601 })
    expect(await read(77n)).toBeNull()
  })
})

test('the days of the samples are those that the months need', () => {
  const dates = new Set(rows.map(row => row.date as Day))
  expect([dates.has(day('2025-02-28')), dates.has(addDays(day('2026-03-20'), -1))]).toEqual([true, true])
})

test('people of publishers have no right to the fees of others', () => {
  for (const person of ['admin', 'editor'] as const)
    expect(() => permitOf(person, 'read:list', 'insight:payment_rate.')).toThrow(/no read:list/)
})
