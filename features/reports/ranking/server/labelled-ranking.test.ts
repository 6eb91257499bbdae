import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { insertLabelledArticles } from '@pc/testing/statistics/labelled-articles.ts'
import { makeReportFixture, REPORT_MEDIA, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseReportArguments } from '../../core/server/report-arguments.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import { COUNT_COLUMNS, followers, periodSums, totalSums } from '../../core/server/summary-sql.ts'
import { type RankRequest, readRanking } from './rank-report.ts'
import { RANK_COLUMNS, RANK_FIGURES, type RankFigure } from './rank-sql.ts'

/**
 * The ranking of publishers by the articles of some sections, over real PostgreSQL and every statistics engine, against the
 * sum of the articles' rows in plain TypeScript. Publishers have figures of their own too, none of which may be counted.
 */
const FIRST_DAY = day('2026-01-10')
const DAYS = 75
const clock = fixedClock('2026-04-20T10:00:00+09:00')
const random = randomFrom(20261129)

const { database, drop } = await testDatabase()
afterAll(drop)
const { publishers, permitOf, maySee } = await makeReportFixture(database)
const publisherIds = publishers.map(({ id }) => id)

/** Two publishers may have a section of the same name: it is another one. */
const SECTIONS = ['国内', '経済', 'スポーツ']
const articles = Array.from({ length: 40 }, (_, index) => ({
  id: BigInt(1000 + index),
  mediumId: random.pick(REPORT_MEDIA),
  publisherId: random.pick(publisherIds),
  section: random.chance(0.8) ? [random.pick(SECTIONS)] : [],
  ...{ author: [], tag: [] },
}))

const articleRows: FactRow[] = []
const publisherRows: FactRow[] = []
for (let index = 0; index < DAYS; index += 1) {
  const date = addDays(FIRST_DAY, index)
  const count = () => BigInt(random.below(60))
  const money = () => ({
    ads_revenue_micro_yen: BigInt(random.below(2 ** 30)) * 1_009n,
    publisher_revenue_micro_yen: BigInt(random.below(2 ** 30)) * 911n,
  })
  for (const { id, mediumId, publisherId } of articles) {
    if (!random.chance(0.2)) continue
    articleRows.push({
      ...{ date, medium_id: mediumId, publisher_id: publisherId, article_id: id, batch_no: 1n },
      ...{ impression: count(), click: count(), watch: count(), ...money() },
    })
  }
  for (const publisherId of publisherIds) {
    publisherRows.push({
      ...{ date, medium_id: 1n, publisher_id: publisherId, batch_no: 1n, follower: 700n },
      ...{ article_impression: count(), article_click: count(), article_watch: count() },
      ...{ video_impression: count(), video_click: count(), video_watch: count() },
      ...{ live_impression: count(), live_click: count(), live_watch: count(), ...money() },
      ...{ ssp_revenue_micro_yen: 5n, video_ssp_revenue_micro_yen: 6n, live_ssp_revenue_micro_yen: 7n },
    })
  }
}

const OF_ARTICLES: Readonly<Record<string, string>> = {
  ...{ article_impression: 'impression', article_click: 'click', article_watch: 'watch' },
  ads_revenue_micro_yen: 'ads_revenue_micro_yen',
  publisher_revenue_micro_yen: 'publisher_revenue_micro_yen',
}
const sumsOf = (rows: readonly FactRow[], columns: readonly string[] = RANK_COLUMNS) =>
  Object.fromEntries(
    columns.map(column => [
      column,
      rows.reduce((sum, row) => sum + BigInt((row[OF_ARTICLES[column] ?? 'none'] ?? 0n) as bigint), 0n),
    ]),
  )

describe.each(STATS_ENGINES)('%s', { timeout: 120_000 }, name => {
  const repeats = name === 'duckdb' ? sampleOr(12, 40) : 6
  let engine: StatsEngine
  /** `publisher name` by the section's id. */
  const sections = new Map<bigint, string>()
  beforeAll(async () => {
    engine = await openTestStats(name)
    await importFacts(engine.store, 1n, { article_day: articleRows, publisher_day: publisherRows })
    await insertLabelledArticles({ database, stats: engine.store }, articles)
    const labels = await database.inScope(SYSTEM, tx => tx.selectFrom('articleLabels').selectAll().execute())
    for (const { id, publisherId, name } of labels) sections.set(id, `${publisherId} ${name}`)
  })
  afterAll(() => engine?.drop())

  const sources = () => ({ stats: engine.store, database, clock })
  const chosenRows = (ids: readonly bigint[], from: Day, to: Day, media: readonly bigint[] | undefined) => {
    const chosen = new Set(ids.map(id => sections.get(id)))
    const isChosen = new Set(
      articles.filter(({ publisherId, section }) => chosen.has(`${publisherId} ${section[0]}`)).map(({ id }) => id),
    )
    return articleRows.filter(
      row =>
        isChosen.has(row.article_id as bigint) &&
        row.date! >= from &&
        row.date! <= to &&
        (media?.includes(row.medium_id as bigint) ?? true),
    )
  }
  const randomSections = () => [...new Set([1, 2, 3].map(() => random.pick([...sections.keys()])))]
  const randomDays = () => {
    const [from, to] = [addDays(FIRST_DAY, random.below(DAYS)), addDays(FIRST_DAY, random.below(DAYS))].sort()
    return { from: from!, to: to! }
  }
  const requestOf = (param: Parameters<typeof parseReportArguments>[0]['param'], name: RankFigure): RankRequest => {
    const request = parseReportArguments({ limit: 1000, offset: 0, param })
    if (!request.ok) throw new Error(JSON.stringify(request.refusals))
    return { ...request.value, order: { name, isDescending: true } }
  }
  const permit = permitOf('staff', 'read:list', 'insight:publisher_rank.')

  test('the ranking sums the articles of the sections, and nothing else', async () => {
    let found = 0
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const [ids, days] = [randomSections(), randomDays()]
      const mediumIds = random.chance(0.3) ? [random.pick(REPORT_MEDIA)] : undefined
      const order = random.pick(Object.keys(RANK_FIGURES) as RankFigure[])
      const param = { ...days, sectionIds: ids.map(String), mediumIds: mediumIds?.map(String), compareWith: null }
      const report = await readRanking(sources(), requestOf(param, order), permit)
      const rows = chosenRows(ids, days.from, days.to, mediumIds)
      const byPublisher = Map.groupBy(rows, row => row.publisher_id as bigint)
      const message = JSON.stringify({ ...param, order })
      expect(report.isOfArticlesOnly, message).toBe(true)
      expect(report.total, message).toBe(byPublisher.size)
      expect(new Map(report.nodes.map(({ publisherId, sums }) => [publisherId, sums])), message).toEqual(
        new Map([...byPublisher].map(([id, own]) => [id, sumsOf(own)])),
      )
      expect(report.totals?.sums, message).toEqual(rows.length === 0 ? undefined : sumsOf(rows))
      found += report.nodes.length
    }
    expect(found).toBeGreaterThan(0)
  })

  test('ranks and the days before are those of the same sections', async () => {
    const ids = [...sections.keys()]
    const [from, to, before] = [addDays(FIRST_DAY, 30), addDays(FIRST_DAY, 39), addDays(FIRST_DAY, 20)]
    const param = { from, to, sectionIds: ids.slice(0, 10).map(String), compareWith: 'previous_period' as const }
    const { nodes, totals } = await readRanking(sources(), requestOf(param, 'IMPRESSION'), permit)
    const earlier = chosenRows(ids.slice(0, 10), before, addDays(from, -1), undefined)
    expect(totals?.compared).toEqual({ from: before, to: addDays(from, -1), sums: sumsOf(earlier) })
    for (const { publisherId, sums, rank, compared } of nodes) {
      const better = nodes.filter(other => other.sums.article_impression! > sums.article_impression!)
      expect(rank).toBe(1 + better.length)
      const own = earlier.filter(row => row.publisher_id === publisherId)
      expect(compared?.sums).toEqual(own.length === 0 ? undefined : sumsOf(own))
    }
  })

  test('a section that is nobody’s leaves no row, and without sections everything counts', async () => {
    const days = { from: FIRST_DAY, to: addDays(FIRST_DAY, DAYS - 1), compareWith: null }
    const none = await readRanking(sources(), requestOf({ ...days, sectionIds: ['999999'] }, 'REVENUE'), permit)
    expect([none.total, none.nodes, none.totals]).toEqual([0, [], null])
    const all = await readRanking(sources(), requestOf(days, 'REVENUE'), permit)
    expect(all.isOfArticlesOnly).toBeUndefined()
    expect(all.nodes).toHaveLength(publishers.length)
  })

  // The ranking is for staff: the rows that it reads are those of every report, which others have too.
  test.each(['staff', 'admin', 'editor', 'idleEditor'] as const)('%s sees the own sections only', async person => {
    const { scope: viewer } = permitOf(person, 'read:list', 'insight:summary_stats.')
    const ids = [...sections.keys()]
    const filter = { mediumIds: undefined, organizationIds: undefined, publisherIds: undefined }
    const range = { from: FIRST_DAY, to: addDays(FIRST_DAY, DAYS - 1) }
    const read = async (chosen: readonly bigint[]) => {
      const scope = await readReportScope(database.reader(viewer), viewer, { ...filter, labels: { section: chosen } })
      if (scope.entries.length === 0) return { sums: undefined, days: [], known: [] }
      const [sums] = await engine.store.query(totalSums({ range, scope }, COUNT_COLUMNS))
      const query = { range, scope, granularity: 'monthly' as const }
      const days = await engine.store.query(periodSums(query, COUNT_COLUMNS, new Map()))
      return { sums, days, known: await engine.store.query(followers(query)) }
    }
    for (const chosen of [ids, ...ids.map(id => [id])]) {
      const own = chosenRows(chosen, range.from, range.to, undefined).filter(row => isSeen(person, row))
      const expected = Object.entries(sumsOf(own, COUNT_COLUMNS)).map(([column, sum]) => [`sum_${column}`, sum])
      const { sums, days, known } = await read(chosen)
      expect(sums).toEqual(own.length === 0 ? undefined : expect.objectContaining(Object.fromEntries(expected)))
      expect(days.map(row => row.followers)).toEqual(days.map(() => null))
      expect(known).toEqual([])
    }
  })

  const isSeen = (person: ReportPerson, row: FactRow) => maySee(person, row.medium_id, row.publisher_id)
})
