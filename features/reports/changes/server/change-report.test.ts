import { type ChangePart, isMember } from '@pc/domain/change/change-parts.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { CHANGE_METRICS, type ChangeMetric, identityOf, isRevenueDetail } from '@pc/domain/report/metric-identity.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { makeReportFixture, REPORT_MEDIA, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import {
  type FactRow,
  importFacts,
  type Random,
  randomFrom,
  randomPublisherFacts,
} from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSummary, type SummaryFigures } from '../../dashboard/server/summary-report.ts'
import { parseSummaryRequest } from '../../dashboard/server/summary-request.ts'
import { type ExplainedChange, readChange } from './change-report.ts'
import { type ChangeArguments, parseChangeRequest } from './change-request.ts'
import { SUMMARY_COLUMNS } from './figure-columns.ts'

/**
 * Explanations over real PostgreSQL and every statistics engine: each level sums to the difference that the dashboard shows, and
 * what a member contributes is what a second computation over the same rows in plain TypeScript says.
 */
const FIRST_DAY = day('2025-12-10')
const DAYS = 110
const { database, drop } = await testDatabase()
afterAll(drop)
const { organizationIds, publishers, permitOf, maySee } = await makeReportFixture(database)
const clock = fixedClock('2026-04-20T10:00:00+09:00')
const ON = 'insight:summary_stats.'

describe.each(STATS_ENGINES)('%s', { timeout: 240_000 }, name => {
  let engine: StatsEngine
  const rows: FactRow[] = []
  const articles: FactRow[] = []

  beforeAll(async () => {
    engine = await openTestStats(name)
    const random = randomFrom(20260401)
    const options = { publisherIds: publishers.map(({ id }) => id), mediumIds: REPORT_MEDIA, gaps: 0.4 }
    const facts = randomPublisherFacts(random, { ...options, from: FIRST_DAY, days: DAYS, batchNo: 1n })
    const contents = randomArticles(random)
    await importFacts(engine.store, 1n, { ...facts, article_day: contents })
    rows.push(...facts.publisher_day!)
    articles.push(...contents)
  })
  afterAll(() => engine?.drop())

  const sources = () => ({ stats: engine.store, database, clock })
  function explain(person: ReportPerson, args: ChangeArguments, rights = { articles: true, videos: true }) {
    const request = parseChangeRequest(args)
    if (!request.ok) throw new Error(JSON.stringify(request.refusals))
    return readChange(sources(), request.value, permitOf(person, 'read:list', ON), rights)
  }
  async function totals(person: ReportPerson, { param }: ChangeArguments): Promise<SummaryFigures | null> {
    const request = parseSummaryRequest({ limit: 1, offset: 0, param: { ...param, granularity: 'daily' } })
    if (!request.ok) throw new Error(JSON.stringify(request.refusals))
    return (await readSummary(sources(), request.value, permitOf(person, 'read:list', ON))).totals
  }

  test('random data, people, metrics, filters and comparisons: every level sums to the difference of the dashboard', async () => {
    const random = randomFrom(7)
    let explained = 0
    const repeats = name === 'duckdb' ? sampleOr(40, 200) : sampleOr(10, 30)
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const args = randomArguments(random)
      const person = isRevenueDetail(args.param.metric) ? 'staff' : random.pick(['staff', 'admin', 'editor'] as const)
      const message = `${person} ${JSON.stringify(args)}`
      const [change, shown] = [await explain(person, args), await totals(person, args)]
      const [before, now] = [
        shown?.compared && valueApart(args.param.metric, shown.compared.sums),
        shown && valueApart(args.param.metric, shown.sums),
      ]
      if (!change) {
        expect(before ?? null, message).toBe(null)
        continue
      }
      explained += 1
      expect({ before: change.before, now: change.now, ...change.compared }, message).toEqual({
        ...{ before, now },
        ...{ from: shown!.compared!.from, to: shown!.compared!.to },
      })
      expectSums(change, message)
      expectPublishers(change, person, args, message)
    }
    expect(explained).toBeGreaterThan(repeats / 5)
  })

  /** What a publisher contributes to a sum is its own difference: added up apart, from the rows that the person may see. */
  function expectPublishers(
    change: ExplainedChange,
    person: ReportPerson,
    { param }: ChangeArguments,
    message: string,
  ) {
    const { of, less = [], per } = identityOf(param.metric)
    if (per) return
    const isIn = (ids: readonly string[] | null | undefined, id: unknown) => !ids || ids.includes(String(id))
    const own = rows.filter(
      row =>
        maySee(person, row.medium_id, row.publisher_id) &&
        isIn(param.mediumIds, row.medium_id) &&
        isIn(param.publisherIds, row.publisher_id) &&
        isIn(param.organizationIds, publishers.find(({ id }) => id === row.publisher_id)?.organizationId),
    )
    const parts = change.dimensions.find(({ dimension }) => dimension === 'publisher')?.parts ?? []
    for (const { id, difference } of parts.filter(isMember)) {
      const sumOf = ({ from, to }: { from: Day; to: Day }) =>
        own
          .filter(row => String(row.publisher_id) === id && row.date! >= from && row.date! <= to)
          .reduce(
            (sum, row) =>
              sum +
              sumBy(of, figure => row[SUMMARY_COLUMNS[figure]!] as bigint) -
              sumBy(less, figure => row[SUMMARY_COLUMNS[figure]!] as bigint),
            0n,
          )
      expect(difference, `${message} ${id}`).toBe(sumOf(change.range) - sumOf(change.compared))
    }
  }

  test('contents are listed by what they contribute, and the rest is what is not earned by articles', async () => {
    const change = await explain('staff', {
      param: {
        metric: 'impressions',
        from: day('2026-02-10'),
        to: day('2026-02-19'),
        compareWith: 'previous_period',
      } as ChangeArguments['param'],
    } as ChangeArguments)
    const parts = change!.dimensions.find(({ dimension }) => dimension === 'article')!.parts
    const differences = new Map<string, bigint>()
    for (const row of articles) {
      const sign =
        row.date! >= '2026-02-10' && row.date! <= '2026-02-19'
          ? 1n
          : row.date! >= '2026-01-31' && row.date! < '2026-02-10'
            ? -1n
            : 0n
      const key = `${row.article_id}:${row.publisher_id}`
      differences.set(key, (differences.get(key) ?? 0n) + sign * (row.impression as bigint))
    }
    const size = (value: bigint) => (value < 0n ? -value : value)
    const expected = [...differences].sort(([, a], [, b]) => Number(size(b) - size(a))).slice(0, 5)
    expect(parts.filter(isMember).map(part => [part.id, part.difference])).toEqual(expected)
    const all = sumBy(differences.values(), each => each)
    expect(parts.at(-1)).toMatchObject({ kind: 'outside', difference: change!.difference - all })
  })

  test('a dimension without its right is not offered', async () => {
    const args = {
      param: { metric: 'clicks', from: day('2026-02-10'), to: day('2026-02-19'), compareWith: 'previous_period' },
    } as ChangeArguments
    const names = (change: ExplainedChange | undefined) => change!.dimensions.map(({ dimension }) => dimension)
    expect(names(await explain('admin', args))).toContain('article')
    expect(names(await explain('admin', args, { articles: false, videos: false }))).not.toContain('article')
  })

  test('nobody learns of rows that are not theirs: foreign ids in the filter change nothing', async () => {
    const [own, foreign] = [publishers[0]!, publishers.at(-1)!]
    const param = {
      metric: 'impressions',
      from: day('2026-02-10'),
      to: day('2026-02-19'),
      compareWith: 'previous_period',
    }
    const of = (ids: readonly bigint[]) =>
      explain('admin', { param: { ...param, publisherIds: ids.map(String) } } as ChangeArguments)
    const plain = ({ lateMedia, changedTerms, ...change }: ExplainedChange) => change
    expect(plain((await of([own.id, foreign.id]))!)).toEqual(plain((await of([own.id]))!))
    expect(await of([foreign.id])).toBeUndefined()
  })
})

function expectSums(change: ExplainedChange, message: string) {
  const levels: readonly (readonly ChangePart[])[] = [change.factors, ...change.dimensions.map(({ parts }) => parts)]
  for (const parts of levels)
    expect(
      sumBy(parts, part => part.difference),
      message,
    ).toBe(change.difference)
}

/** A metric from the sums of the dashboard, in exact units; written apart from the identities. */
function valueApart(metric: ChangeMetric, sums: Readonly<Record<string, bigint>>): bigint | null {
  const sum = (...columns: string[]) => columns.reduce((all, column) => all + sums[column]!, 0n)
  const impressions = () => sum('article_impression', 'video_impression', 'live_impression')
  const clicks = () => sum('article_click', 'video_click', 'live_click')
  const gross = () =>
    sum('ads_revenue_micro_yen', 'ssp_revenue_micro_yen', 'video_ssp_revenue_micro_yen', 'live_ssp_revenue_micro_yen')
  const own = sum('publisher_revenue_micro_yen')
  const floored = (dividend: bigint, divisor: bigint) => {
    if (divisor === 0n) return null
    const [a, b] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
    return ((a % b) + b) % b === 0n ? a / b : (a - (((a % b) + b) % b)) / b
  }
  const values: Readonly<Record<ChangeMetric, () => bigint | null>> = {
    publisherTotalRevenue: () => own,
    impressions,
    clicks,
    ctr: () => floored(clicks() * 1_000_000_000n, impressions()),
    rpm: () => floored(own * 1000n, impressions()),
    watchCount: () => sum('article_watch', 'video_watch', 'live_watch'),
    articleImpressions: () => sum('article_impression'),
    articleClicks: () => sum('article_click'),
    articleWatchCount: () => sum('article_watch'),
    videoImpressions: () => sum('video_impression'),
    videoClicks: () => sum('video_click'),
    videoWatchCount: () => sum('video_watch'),
    liveImpressions: () => sum('live_impression'),
    liveClicks: () => sum('live_click'),
    liveWatchCount: () => sum('live_watch'),
    grossRevenue: gross,
    productAdsRevenue: () => sum('ads_revenue_micro_yen'),
    sspRevenue: () => sum('ssp_revenue_micro_yen'),
    videoSspRevenue: () => sum('video_ssp_revenue_micro_yen'),
    liveSspRevenue: () => sum('live_ssp_revenue_micro_yen'),
    retainedRevenue: () => gross() - own,
    effectiveRate: () => floored(own * 1_000_000_000n, gross()),
    // Nothing is known of these of publishers.
    ...{ videoWatch3s: () => null, videoPlayTime: () => null, averagePlayTime: () => null },
    ...{ videoWatch97p: () => null, averageWatch97p: () => null },
    ...{ articleEngagedTime: () => null, averageEngagedTime: () => null },
    ...{ articleCompletions: () => null, completionRate: () => null },
  }
  return values[metric]()
}

function randomArguments(random: Random): ChangeArguments {
  const from = addDays(FIRST_DAY, 20 + random.below(DAYS))
  const some = (ids: readonly bigint[]) =>
    random.chance(0.7) ? undefined : [...new Set([random.pick(ids), random.pick(ids)].map(String))]
  return {
    param: {
      ...{ metric: random.pick(CHANGE_METRICS), compareWith: random.pick(COMPARISONS) },
      ...{ from, to: addDays(from, random.below(40)) },
      mediumIds: some([...REPORT_MEDIA, 77n]),
      organizationIds: some([...organizationIds, 999_999n]),
      publisherIds: some([...publishers.map(({ id }) => id), 999_999n]),
    },
  }
}

/** Three articles of each publisher on each medium, with gaps; the ids say whose they are. */
function randomArticles(random: Random): FactRow[] {
  const found: FactRow[] = []
  for (let index = 0; index < DAYS; index += 1)
    for (const medium_id of REPORT_MEDIA)
      for (const { id: publisher_id } of publishers)
        for (const place of [0n, 1n, 2n]) {
          if (random.chance(0.5)) continue
          const amount = () => BigInt(random.below(900_000))
          found.push({
            ...{
              date: addDays(FIRST_DAY, index),
              medium_id,
              publisher_id,
              article_id: publisher_id * 100n + medium_id * 10n + place,
            },
            ...{ batch_no: 1n, impression: amount(), click: amount(), watch: amount() },
            ...{ ads_revenue_micro_yen: amount() * 1_000n, publisher_revenue_micro_yen: amount() * 999n },
          })
        }
  return found
}
