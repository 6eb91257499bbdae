import { isMember } from '@pc/domain/change/change-parts.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { ARTICLE_LABEL_KINDS } from '@pc/domain/report/article-label.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { GRANULARITIES } from '@pc/domain/report/granularity.ts'
import type { ChangeMetric } from '@pc/domain/report/metric-identity.ts'
import { periodOf } from '@pc/domain/report/period.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { insertLabelledArticles } from '@pc/testing/statistics/labelled-articles.ts'
import { makeReportFixture, REPORT_MEDIA, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom, randomPublisherFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readContent } from '../../contents/server/content-report.ts'
import { parseContentRequest } from '../../contents/server/content-request.ts'
import { ARTICLES, VIDEOS } from '../../core/server/content-kind.ts'
import type { Sums } from '../../core/server/figure-sums.ts'
import { parseReportArguments } from '../../core/server/report-arguments.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import { readSummary } from '../../dashboard/server/summary-report.ts'
import { parseSummaryRequest } from '../../dashboard/server/summary-request.ts'
import { readRanking } from '../../ranking/server/rank-report.ts'
import { readChange } from './change-report.ts'
import { type ChangeArguments, parseChangeRequest } from './change-request.ts'
import { readChangedTerms } from './changed-terms.ts'

/**
 * A row of a report is explained with the row's filter: the explanation has the figures that the row shows, and every level of
 * it sums to their difference, for publishers, articles, videos, labels and periods, on every statistics engine.
 */
const FIRST_DAY = day('2025-12-10')
const DAYS = 110
const { database, drop } = await testDatabase()
afterAll(drop)
const { publishers, permitOf, maySee } = await makeReportFixture(database)
const clock = fixedClock('2026-04-20T10:00:00+09:00')
type Param = ChangeArguments['param']

/** What the columns of the lists are called as metrics, with the sum that they show. */
const OF_PUBLISHERS: Readonly<Record<string, readonly string[]>> = {
  publisherTotalRevenue: ['publisher_revenue_micro_yen'],
  clicks: ['article_click', 'video_click', 'live_click'],
  articleWatchCount: ['article_watch'],
}
const OF_ARTICLES: Readonly<Record<string, readonly string[]>> = {
  publisherTotalRevenue: ['publisher_revenue_micro_yen'],
  productAdsRevenue: ['ads_revenue_micro_yen'],
  articleImpressions: ['impression'],
  articleClicks: ['click'],
  articleEngagedTime: ['engaged_time_ms'],
  articleCompletions: ['completion'],
}
const OF_VIDEOS: Readonly<Record<string, readonly string[]>> = {
  publisherTotalRevenue: ['publisher_revenue_micro_yen'],
  videoImpressions: ['impression'],
  videoWatchCount: ['watch'],
  videoWatch97p: ['watch97p'],
  videoPlayTime: ['play_time_ms'],
}

describe.each(STATS_ENGINES)('%s', { timeout: 240_000 }, name => {
  let engine: StatsEngine
  beforeAll(async () => {
    engine = await openTestStats(name)
    const random = randomFrom(20260402)
    const options = { publisherIds: publishers.map(({ id }) => id), mediumIds: REPORT_MEDIA, gaps: 0.4 }
    const facts = randomPublisherFacts(random, { ...options, from: FIRST_DAY, days: DAYS, batchNo: 1n })
    const contents = publishers.flatMap(({ id: publisherId }) =>
      REPORT_MEDIA.flatMap(mediumId =>
        [0n, 1n].map(place => ({ id: publisherId * 100n + mediumId * 10n + place, publisherId, mediumId })),
      ),
    )
    const rowsOf = (key: 'article_id' | 'video_id'): FactRow[] =>
      contents.flatMap(({ id, publisherId, mediumId }) =>
        Array.from({ length: DAYS }, (_, index) => addDays(FIRST_DAY, index)).flatMap(date => {
          if (random.chance(0.4)) return []
          const amount = () => BigInt(random.below(900_000))
          const figures = { impression: amount(), click: amount(), watch: amount() }
          const money = { ads_revenue_micro_yen: amount() * 1_000n, publisher_revenue_micro_yen: amount() * 999n }
          const videos = { watch3s: amount(), watch97p: amount(), play_time_ms: amount() * 1_000n }
          const watches = random.chance(0.5) ? figures.watch : 0n
          const reading = {
            engaged_time_ms: watches * 7_000n,
            engaged_time_watch: watches,
            completion: watches / 3n,
            completion_watch: watches,
          }
          const more = key === 'video_id' ? videos : reading
          const keys = { date, medium_id: mediumId, publisher_id: publisherId, [key]: id, batch_no: 1n }
          return [{ ...keys, ...figures, ...money, ...more } as unknown as FactRow]
        }),
      )
    await importFacts(engine.store, 1n, {
      ...facts,
      article_day: rowsOf('article_id'),
      video_day: rowsOf('video_id'),
    })
    const named = (all: readonly string[]) => all.filter(() => random.chance(0.6))
    await insertLabelledArticles(
      { database, stats: engine.store },
      contents.map(each => ({
        ...each,
        author: named(['佐藤', '鈴木']),
        section: named(['国内', '経済']).slice(0, 1),
        tag: named(['選挙', '防災', '台風']),
      })),
    )
  })
  afterAll(() => engine?.drop())

  let explained = 0
  beforeEach(() => {
    explained = 0
  })
  const expectSome = () => expect(explained).toBeGreaterThan(repeats / 6)
  const sources = () => ({ stats: engine.store, database, clock })
  async function explain(person: ReportPerson, param: Param) {
    const request = parseChangeRequest({ param } as ChangeArguments)
    if (!request.ok) throw new Error(JSON.stringify(request.refusals))
    const permit = permitOf(person, 'read:list', 'insight:summary_stats.')
    return readChange(sources(), request.value, permit, { articles: true, videos: true })
  }
  /** The explanation has the row's figures, and every level sums to their difference. */
  async function expectExplained(person: ReportPerson, param: Param, columns: readonly string[], row: ShownRow) {
    const sumOf = (sums: Sums) => sumBy(columns, column => sums[column] ?? 0n)
    const message = `${person} ${JSON.stringify(param)}`
    const change = await explain(person, param)
    if (!row.compared) return expect(change, message).toBeUndefined()
    explained += 1
    const [before, now] = [sumOf(row.compared.sums), sumOf(row.sums)]
    expect(change, message).toMatchObject({ before, now, difference: now - before })
    expect(change!.compared, message).toEqual({ from: row.compared.from, to: row.compared.to })
    for (const parts of [change!.factors, ...change!.dimensions.map(each => each.parts)])
      expect(
        sumBy(parts, part => part.difference),
        message,
      ).toBe(now - before)
    // A single member that is there on both sides repeats the filter.
    for (const { parts } of change!.dimensions) expect(parts.some(isMember), message).toBe(true)
  }
  interface ShownRow {
    readonly sums: Sums
    readonly compared: { readonly from: Day; readonly to: Day; readonly sums: Sums } | null
  }

  const random = randomFrom(11)
  const repeats = name === 'duckdb' ? sampleOr(8, 60) : 6
  const randomParam = () => {
    const from = addDays(FIRST_DAY, 40 + random.below(DAYS - 45))
    const mediumIds = random.chance(0.5) ? undefined : [String(random.pick(REPORT_MEDIA))]
    return {
      ...{ from, to: addDays(from, random.below(30)), compareWith: random.pick(COMPARISONS), mediumIds },
    }
  }
  const metricOf = (columns: typeof OF_PUBLISHERS) => random.pick(Object.keys(columns)) as ChangeMetric

  test('publishers of the ranking, also narrowed to sections', async () => {
    const labels = await database.reader({ kind: 'all' }).selectFrom('articleLabels').select(['id', 'kind']).execute()
    const sections = labels
      .filter(({ kind }) => kind === 'section')
      .map(({ id }) => String(id))
      .slice(0, 10)
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = { ...randomParam(), ...(random.chance(0.5) ? { sectionIds: sections } : {}) }
      const request = parseReportArguments({ limit: 100, offset: 0, param })
      if (!request.ok) throw new Error(JSON.stringify(request.refusals))
      const order = { name: 'REVENUE', isDescending: true } as const
      const permit = permitOf('staff', 'read:list', 'insight:publisher_rank.')
      const row = random.pick((await readRanking(sources(), { ...request.value, order }, permit)).nodes)
      if (!row) continue
      const metric = metricOf(OF_PUBLISHERS)
      await expectExplained(
        'staff',
        { ...param, metric, publisherIds: [String(row.publisherId)] },
        OF_PUBLISHERS[metric]!,
        row,
      )
    }
    expectSome()
  })

  const KINDS = [
    { of: 'article', kind: ARTICLES, columns: OF_ARTICLES },
    { of: 'video', kind: VIDEOS, columns: OF_VIDEOS },
  ] as const
  const anyLabels = async () => {
    const all = await database.reader({ kind: 'all' }).selectFrom('articleLabels').select(['id', 'kind']).execute()
    return (kind: string) =>
      random.chance(0.3)
        ? all
            .filter(one => one.kind === kind && random.chance(0.5))
            .map(({ id }) => String(id))
            .slice(0, 10)
        : []
  }
  test.each(KINDS)('rows of the report of each $of, and of their periods', async ({ of, kind, columns }) => {
    const labelsOf = await anyLabels()
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const labels = ARTICLE_LABEL_KINDS.map(label => [`${label}Ids`, labelsOf(label)] as const).filter(
        ([, ids]) => ids.length > 0,
      )
      const param = { ...randomParam(), ...(of === 'article' ? Object.fromEntries(labels) : {}) }
      const granularity = random.pick(GRANULARITIES)
      const groupBy = random.pick(['item', 'date'] as const)
      const request = parseContentRequest(kind, {
        ...{ limit: 1000, offset: 0, orderBy: null, param: { ...param, granularity, groupBy } },
      })
      if (!request.ok) throw new Error(JSON.stringify(request.refusals))
      const metric = metricOf(columns)
      const person = metric === 'productAdsRevenue' ? 'staff' : random.pick(['staff', 'admin', 'editor'] as const)
      const on = of === 'article' ? 'insight:article_stats.' : 'insight:video_stats.'
      const { nodes } = await readContent(sources(), request.value, permitOf(person, 'read:list', on))
      const row = random.pick(nodes)
      if (!row) continue
      const own =
        groupBy === 'item'
          ? { contentIds: [String(row.itemId)] }
          : { ...periodOf(granularity, row.date!, param).covered, within: { from: param.from, to: param.to } }
      await expectExplained(person, { ...param, metric, of, ...own }, columns[metric]!, row)
    }
    expectSome()
  })

  test('rows by author, section and tag', async () => {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const groupBy = random.pick(ARTICLE_LABEL_KINDS)
      const request = parseContentRequest(ARTICLES, {
        ...{ limit: 1000, offset: 0, orderBy: null, param: { ...param, granularity: 'daily' as const, groupBy } },
      })
      if (!request.ok) throw new Error(JSON.stringify(request.refusals))
      const person = random.pick(['staff', 'admin', 'editor'] as const)
      const permit = permitOf(person, 'read:list', 'insight:article_stats.')
      const { nodes } = await readContent(sources(), request.value, permit)
      const row = random.pick(nodes.filter(({ labelled }) => labelled!.label.id !== 0n))
      if (!row) continue
      const own = { of: 'article' as const, [`${groupBy}Ids`]: [String(row.labelled!.label.id)] }
      await expectExplained(person, { ...param, metric: 'articleClicks', ...own }, ['click'], row)
    }
    expectSome()
  })

  test('periods of the dashboard', async () => {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const granularity = random.pick(GRANULARITIES)
      const request = parseSummaryRequest({ limit: 1000, offset: 0, param: { ...param, granularity } })
      if (!request.ok) throw new Error(JSON.stringify(request.refusals))
      const person = random.pick(['staff', 'admin', 'editor'] as const)
      const permit = permitOf(person, 'read:list', 'insight:summary_stats.')
      const row = random.pick((await readSummary(sources(), request.value, permit)).nodes)
      if (!row) continue
      const own = {
        ...periodOf(granularity, row.date, param).covered,
        within: { from: param.from, to: param.to },
      }
      const metric = metricOf(OF_PUBLISHERS)
      await expectExplained(person, { ...param, metric, ...own }, OF_PUBLISHERS[metric]!, row)
    }
    expectSome()
  })

  test('articles of others are not there, whatever the filter names', async () => {
    const [own, foreign] = [publishers[0]!, publishers.at(-1)!]
    const idOf = (publisherId: bigint) => String(publisherId * 100n + REPORT_MEDIA[0]! * 10n)
    const param: Param = {
      ...({ metric: 'articleImpressions', of: 'article', compareWith: 'previous_period' } as const),
      ...{ from: day('2026-02-10'), to: day('2026-02-19') },
    }
    const read = (contentIds: readonly string[]) => explain('admin', { ...param, contentIds })
    const plain = (change: Awaited<ReturnType<typeof read>>) => ({
      ...change,
      lateMedia: undefined,
      changedTerms: undefined,
    })
    expect(plain(await read([idOf(own.id), idOf(foreign.id)]))).toEqual(plain(await read([idOf(own.id)])))
    expect(await read([idOf(foreign.id)])).toBeUndefined()
    expect(
      await explain('admin', { ...param, of: 'video', metric: 'videoImpressions', sectionIds: ['1'] }),
    ).toBeUndefined()
  })
})

test('rates that were changed between the compared days and the last are told, of the own rows alone', async () => {
  const rule = await database.inScope(SYSTEM, async tx => {
    const rules = await tx.selectFrom('agreementPublisherRules').selectAll().orderBy('id').execute()
    const own = rules.find(({ publisherId, mediumId }) => maySee('admin', mediumId, publisherId))!
    const other = rules.find(({ publisherId, mediumId }) => !maySee('admin', mediumId, publisherId))!
    for (const { id, paymentRate } of [own, other]) {
      const terms = { ruleId: id, fixedRevenueYen: 0n, minimumRevenueYen: 0n, isTargetForSspAllocation: false }
      const pools = { isTargetForVideoSspAllocation: false, isTargetForLiveSspAllocation: false }
      const rates = { sspPaymentRate: 0, videoSspPaymentRate: 0, liveSspPaymentRate: 0 }
      await tx
        .insertInto('agreementPublisherRuleVersions')
        .values([
          { ...terms, ...pools, ...rates, paymentRate: paymentRate + 250, validFromMonth: 202603 },
          { ...terms, ...pools, ...rates, paymentRate: paymentRate + 250, validFromMonth: 202604 },
        ])
        .execute()
    }
    return own
  })
  const changedIn = async (
    person: ReportPerson,
    from: string,
    to: string,
    compared: string,
    publisherIds?: bigint[],
  ) => {
    const { scope: viewer } = permitOf(person, 'read:list', 'insight:summary_stats.')
    const reader = database.reader(viewer)
    const filter = { publisherIds, mediumIds: undefined, organizationIds: undefined }
    const scope = await readReportScope(reader, viewer, filter)
    const days = { from: day(compared), to: day(compared) }
    return readChangedTerms(reader, scope, days, { from: day(from), to: day(to) })
  }
  const change = { publisherId: rule.publisherId, validFrom: 202603 }
  expect(await changedIn('admin', '2026-03-01', '2026-04-30', '2026-02-01')).toMatchObject([change])
  expect((await changedIn('admin', '2026-03-01', '2026-03-31', '2026-02-01'))[0]!.rates).toEqual([
    `自社広告 ${rule.paymentRate / 100}% → ${(rule.paymentRate + 250) / 100}%`,
  ])
  expect(await changedIn('staff', '2026-03-01', '2026-03-31', '2026-02-01')).toHaveLength(2)
  expect(await changedIn('staff', '2026-03-01', '2026-03-31', '2026-02-01', [rule.publisherId])).toMatchObject([change])
  // Within a month, and where both sides have the same rates, nothing has changed.
  expect(await changedIn('staff', '2026-03-20', '2026-03-31', '2026-03-01')).toEqual([])
  expect(await changedIn('staff', '2026-04-20', '2026-05-31', '2026-03-01')).toEqual([])
})

test('days outside of the report that they are a row of are refused', () => {
  const param: Param = {
    ...({ metric: 'clicks', compareWith: 'previous_period' } as const),
    ...{ from: day('2026-02-01'), to: day('2026-02-07') },
    within: { from: day('2026-02-02'), to: day('2026-02-28') },
  }
  expect(parseChangeRequest({ param })).toMatchObject({ refusals: [{ code: 'report/part-outside-of-range' }] })
})
