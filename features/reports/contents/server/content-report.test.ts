import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { FACTS } from '@pc/platform/stats/tables.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import {
  arrivedDays,
  arrivedRows,
  comparedDays,
  isComparedRow,
  secondComputation,
  total,
  totals,
} from '@pc/testing/statistics/content-second-computation.ts'
import { makeReportFixture, REPORT_MEDIA, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, type Facts, importFacts, type Random, randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import { parseReportArguments } from '../../core/server/report-arguments.ts'
import { COMMON_ORDERS } from '../../core/server/report-order.ts'
import { COUNT_COLUMNS } from '../../core/server/summary-sql.ts'
import { readSummary } from '../../dashboard/server/summary-report.ts'
import { parseSummaryRequest } from '../../dashboard/server/summary-request.ts'
import { readRanking } from '../../ranking/server/rank-report.ts'
import { RANK_COLUMNS, RANK_FIGURES, RANKED_BY, type RankFigure } from '../../ranking/server/rank-sql.ts'
import type { ContentFigures } from './content-figures.ts'
import { type ContentReport, readContent } from './content-report.ts'
import { type ContentArguments, contentOrderNames, parseContentRequest } from './content-request.ts'

/**
 * Articles, videos and the ranking over real PostgreSQL and every statistics engine, against a second computation over
 * the same rows in plain TypeScript; and against each other, because what is shown twice must be the same twice.
 */
const FIRST_DAY = day('2025-11-20')
const DAYS = 115
const LAST_DAY = addDays(FIRST_DAY, DAYS - 1)
const clock = fixedClock('2026-03-20T10:00:00+09:00')

const { database, drop } = await testDatabase()
afterAll(drop)
const fixture = await makeReportFixture(database)
const { organizationIds, publishers, permitOf } = fixture
const publisherIds = publishers.map(({ id }) => id)
const publisherNames = new Map<unknown, string>(
  (await database.inScope(SYSTEM, tx => tx.selectFrom('publishers').select(['id', 'name']).execute())).map(
    ({ id, name }) => [id, name],
  ),
)

/** Created and updated: several of them at once, and not in the order of the ids. */
const publisherTimestamps = new Map(
  publisherIds.map((id, index) => [id, [Date.UTC(2026, 0, 9 - (index % 3)), Date.UTC(2026, 1, 1 + (index % 4))]]),
)
await database.inScope(SYSTEM, async tx => {
  for (const [id, [createdAt, updatedAt]] of publisherTimestamps) {
    await tx
      .updateTable('publishers')
      .set({ createdAt: new Date(createdAt!), updatedAt: new Date(updatedAt!) })
      .where('id', '=', id)
      .execute()
  }
})

const { expected, isRequested } = secondComputation(fixture, publisherNames)

interface Item {
  readonly id: bigint
  readonly mediumId: bigint
  readonly publisherId: bigint
  /** Many are read on a few days only, within a month or across its end. */
  readonly firstDay: Day
  readonly lastDay: Day
}
const itemsFrom = (random: Random, count: number, base: bigint): Item[] =>
  Array.from({ length: count }, (_, index) => {
    const isShort = random.chance(0.6)
    const firstDay = isShort ? addDays(FIRST_DAY, random.below(DAYS)) : FIRST_DAY
    return {
      id: base + BigInt(index),
      mediumId: random.pick(REPORT_MEDIA),
      publisherId: random.pick(publisherIds),
      firstDay,
      lastDay: isShort ? addDays(firstDay, random.below(15)) : LAST_DAY,
    }
  })
const random = randomFrom(20260321)
const articles = itemsFrom(random, 80, 1000n)
const videos = itemsFrom(random, 25, 5000n)

/** Rows of items on a few days each, with what belongs to them, and the publishers' days that they add up to. */
function contentFacts(batchNo: bigint, from: Day, days: number): Record<keyof typeof FACTS, FactRow[]> {
  const facts = Object.fromEntries(Object.keys(FACTS).map(name => [name, []])) as unknown as Record<
    keyof typeof FACTS,
    FactRow[]
  >
  for (let index = 0; index < days; index += 1) {
    const date = addDays(from, index)
    const isRead = ({ firstDay, lastDay }: Item) => date >= firstDay && date <= lastDay && random.chance(0.25)
    for (const item of articles) if (isRead(item)) addRows(facts, ARTICLES, item, { date, batch_no: batchNo })
    for (const item of videos) if (isRead(item)) addRows(facts, VIDEOS, item, { date, batch_no: batchNo })
  }
  const groups = Map.groupBy(
    [
      ...facts.article_day.map(row => ({ kind: 'article', row })),
      ...facts.video_day.map(row => ({ kind: 'video', row })),
    ],
    ({ row }) => `${row.date} ${row.medium_id} ${row.publisher_id}`,
  )
  for (const rows of groups.values()) {
    const { date = null, medium_id = null, publisher_id = null } = rows[0]!.row
    const sum = (kind: string, column: string) =>
      rows.reduce((total, each) => (each.kind === kind ? total + (each.row[column] as bigint) : total), 0n)
    const either = (column: string) => sum('article', column) + sum('video', column)
    const live = () => BigInt(random.below(90))
    facts.publisher_day.push({
      ...{ date, medium_id, publisher_id, batch_no: batchNo, follower: BigInt(random.below(1000)) },
      ...Object.fromEntries(
        ['article', 'video'].flatMap(kind =>
          ['impression', 'click', 'watch'].map(column => [`${kind}_${column}`, sum(kind, column)]),
        ),
      ),
      ...{ live_impression: live(), live_click: live(), live_watch: live() },
      ads_revenue_micro_yen: either('ads_revenue_micro_yen'),
      ssp_revenue_micro_yen: BigInt(random.below(9_000_000)),
      video_ssp_revenue_micro_yen: BigInt(random.below(9_000_000)),
      live_ssp_revenue_micro_yen: BigInt(random.below(9_000_000)),
      publisher_revenue_micro_yen: either('publisher_revenue_micro_yen'),
    })
  }
  return facts
}

function addRows(facts: Record<string, FactRow[]>, kind: ContentKind, item: Item, of: { date: Day; batch_no: bigint }) {
  const key = { ...of, medium_id: item.mediumId, publisher_id: item.publisherId, [kind.id]: item.id }
  const some = () => (random.chance(0.2) ? 0n : BigInt(random.below(40)))
  const columns = [...kind.counts, 'ads_revenue_micro_yen']
  const money = () => BigInt(random.below(2 ** 30)) * 1_009n
  facts[kind.day]!.push({
    ...key,
    ...Object.fromEntries(columns.map(column => [column, column.endsWith('_yen') ? money() : some()])),
  })
  for (let cell = random.below(3); cell > 0; cell -= 1) {
    const person = { gender_id: BigInt(random.below(3)), age_id: BigInt(random.below(4)) }
    facts[kind.demographics]!.push({ ...key, ...person, click: some(), watch3s: some() })
  }
  if (kind.watchTime) facts[kind.watchTime]!.push({ ...key, bucket_id: BigInt(random.below(11)), watch: some() })
}

// What is requested.

const somePick = (ids: readonly bigint[]) =>
  random.chance(0.6)
    ? undefined
    : random.chance(0.1)
      ? []
      : [...new Set(Array.from({ length: 1 + random.below(4) }, () => String(random.pick(ids))))]

function randomParam() {
  const from = random.chance(0.4)
    ? day(random.pick(['2025-12-01', '2026-01-01', '2026-02-01']))
    : addDays(FIRST_DAY, random.below(DAYS + 10) - 5)
  const to = random.chance(0.4) ? day('2026-02-28') : addDays(from, random.below(90))
  const [first, last] = [from, to].sort()
  return {
    from: first!,
    to: last!,
    mediumIds: somePick([...REPORT_MEDIA, 77n]),
    organizationIds: somePick([...organizationIds, 999_999n]),
    publisherIds: somePick([...publisherIds, 999_999n]),
  }
}

function randomArguments(kind: ContentKind): ContentArguments {
  const groupBy = random.pick(['item', 'date'] as const)
  const names = contentOrderNames(kind).filter(name => groupBy === 'date' || name !== 'DATE')
  return {
    limit: random.pick([1, 5, 1000]),
    offset: random.pick([0, 0, 0, 2, 70]),
    orderBy: random.chance(0.2) ? undefined : `${random.pick(names)}_${random.pick(['ASC', 'DESC'])}`,
    param: {
      ...randomParam(),
      groupBy,
      granularity: random.pick(['daily', 'weekly', 'monthly'] as const),
      compareWith: random.chance(0.5) ? random.pick(COMPARISONS) : undefined,
      itemIds: somePick((kind === ARTICLES ? articles : videos).map(({ id }) => id)),
    },
  }
}

async function report(
  engine: StatsEngine,
  kind: ContentKind,
  person: ReportPerson,
  args: ContentArguments,
  wantedColumns?: readonly string[],
) {
  const request = parseContentRequest(kind, args)
  if (!request.ok) throw new Error(JSON.stringify(request.refusals))
  const permit = permitOf(person, 'read:list', kind === ARTICLES ? 'insight:article_stats.' : 'insight:video_stats.')
  const wanted = wantedColumns && { wantedColumns, wantsPublisherNames: true }
  return readContent({ stats: engine.store, database, clock }, { ...request.value, ...wanted }, permit)
}

const plain = async (figures: ContentFigures) => ({
  ...figures,
  publisherName: await figures.publisherName(),
  master: figures.master?.title ?? null,
  demographics: await figures.demographics(),
  watchTimes: await figures.watchTimes(),
})
const plainReport = async ({ content, lateMedia, ...result }: ContentReport) => ({
  ...result,
  nodes: await Promise.all(result.nodes.map(plain)),
  totals: result.totals && (await plain(result.totals)),
})

describe.each(STATS_ENGINES)('%s', { timeout: 180_000 }, name => {
  const repeats = name === 'duckdb' ? sampleOr(20, 60) : sampleOr(5, 12)
  let engine: StatsEngine
  const facts: Record<string, FactRow[]> = Object.fromEntries(Object.keys(FACTS).map(table => [table, []]))

  beforeAll(async () => {
    engine = await openTestStats(name)
    const deliveries: Facts[] = [
      contentFacts(1n, FIRST_DAY, 60),
      contentFacts(2n, addDays(FIRST_DAY, 60), DAYS - 60),
      contentFacts(3n, addDays(FIRST_DAY, 40), 8), // the same days once more: added
    ]
    for (const [index, delivery] of deliveries.entries()) {
      await importFacts(engine.store, BigInt(index + 1), delivery)
      for (const [table, rows] of Object.entries(delivery)) facts[table]!.push(...rows!)
    }
  })
  afterAll(() => engine?.drop())

  test.each([ARTICLES, VIDEOS] as ContentKind[])('$id: equal to the second computation', async kind => {
    let filled = 0
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const args = randomArguments(kind)
      for (const person of ['staff', 'admin', 'editor'] as const) {
        const result = await plainReport(await report(engine, kind, person, args))
        const message = `${person} ${JSON.stringify(args)}`
        expect(result, message).toEqual(expected(kind, person, args, facts))
        filled += result.total > 0 ? 1 : 0
      }
    }
    expect(filled).toBeGreaterThan(repeats / 2)
  })

  test.each([ARTICLES, VIDEOS] as ContentKind[])('$id: the same page whatever columns are read', async kind => {
    const figuresOf = ({ sums, compared, ...of }: ContentFigures, columns: readonly string[]) => {
      const chosen = (all: Readonly<Record<string, bigint>>) => columns.map(column => all[column])
      return { ...of, sums: chosen(sums), compared: compared && { ...compared, sums: chosen(compared.sums) } }
    }
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const args = randomArguments(kind)
      const compareWith = args.param.compareWith ?? 'previous_period'
      const change = {
        orderOf: random.pick(['difference', 'percent'] as const),
        minChange: random.pick([undefined, 1, 20]),
      }
      const ofItems = { ...args, orderBy: random.pick(['CTR_DESC', 'CLICK_ASC', 'RPM_DESC', 'WATCH_DESC']) }
      const requested =
        args.param.groupBy === 'item' && random.chance(0.7)
          ? { ...ofItems, param: { ...args.param, ...change, compareWith } }
          : args
      const columns = kind.counts.filter(() => random.chance(0.3))
      const person = random.pick(['staff', 'admin', 'editor'] as const)
      const [all, some] = [
        await report(engine, kind, person, requested),
        await report(engine, kind, person, requested, columns),
      ]
      const plainOf = async ({ nodes, totals, total }: ContentReport) =>
        [
          total,
          await Promise.all(
            [...nodes, ...(totals ? [totals] : [])].map(async each =>
              figuresOf({ ...each, ...(await plain(each)) } as never, columns),
            ),
          ),
        ] as const
      expect(await plainOf(some), JSON.stringify(requested)).toEqual(await plainOf(all))
    }
  })

  test('an editor without agreements sees nothing', async () => {
    for (const kind of [ARTICLES, VIDEOS] as ContentKind[]) {
      const result = await report(engine, kind, 'idleEditor', {
        limit: 10,
        offset: 0,
        orderBy: undefined,
        param: { from: FIRST_DAY, to: LAST_DAY, groupBy: 'item', granularity: 'daily' },
      })
      expect(result).toMatchObject({ total: 0, nodes: [], totals: null })
    }
  })

  test('the ranking: equal to the second computation, in either direction', async () => {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const compareWith = random.pick(COMPARISONS)
      const isDescending = random.chance(0.5)
      const common = random.chance(0.3) ? random.pick(COMMON_ORDERS) : undefined
      const name = common ? RANKED_BY : random.pick(Object.keys(RANK_FIGURES) as RankFigure[])
      const page = { limit: random.pick([1, 3, 100]), offset: random.pick([0, 0, 1, 50]) }
      const request = parseReportArguments({ ...page, param })
      if (!request.ok) throw new Error(JSON.stringify(request.refusals))
      const permit = permitOf('staff', 'read:list', 'insight:publisher_rank.')
      const wanted = { compared: random.chance(0.7), revenueDetail: random.chance(0.7), medium: random.chance(0.7) }
      const result = await readRanking(
        { stats: engine.store, database, clock },
        { ...request.value, order: { name: common ?? name, isDescending }, compareWith, wanted },
        permit,
      )
      const shown = wanted.revenueDetail ? RANK_COLUMNS : COUNT_COLUMNS
      const measured = (first: Day, last: Day, isCounted: (row: FactRow) => boolean = () => true) => {
        const rows = facts.publisher_day!.filter(
          row => isRequested(param, row) && row.date! >= first && row.date! <= last && isCounted(row),
        )
        const all = [...Map.groupBy(rows, row => row.publisher_id as bigint)].map(([id, own]) => {
          const { columns, per } = RANK_FIGURES[name] as { columns: readonly string[]; per?: readonly string[] }
          const add = (of: readonly string[]) => Number(of.reduce((sum, column) => sum + total(own, column), 0n))
          const figure = !per ? add(columns) : add(per) === 0 ? null : add(columns) / add(per)
          const media = [...new Set(own.map(row => row.medium_id as bigint))]
          const mediumId = wanted.medium && media.length === 1 ? media[0] : null
          return { id, mediumId, figure, sums: totals(own, shown) }
        })
        const isBetter = (a: number | null, b: number | null) => a !== null && (b === null || a > b)
        return all.map(each => ({ ...each, rank: 1 + all.filter(other => isBetter(other.figure, each.figure)).length }))
      }
      const now = measured(param.from, param.to)
      const sign = isDescending ? -1 : 1
      const placeOf = ({ id }: { id: bigint }) => publisherTimestamps.get(id)![common === 'UPDATEDAT' ? 1 : 0]!
      now.sort((a, b) =>
        common !== undefined
          ? ((common === 'ID' ? 0 : placeOf(a) - placeOf(b)) || Number(a.id - b.id)) * sign
          : a.figure === b.figure
            ? (a.id < b.id ? -1 : 1) * sign
            : a.figure === null || b.figure === null
              ? Number(a.figure === null) - Number(b.figure === null)
              : (a.figure - b.figure) * sign,
      )
      const arrived = arrivedDays(fixture, 'staff', param, facts.publisher_day!)
      const days = comparedDays(compareWith, param, [param.from, param.to], arrived)
      const ofMedia = arrivedRows(fixture, 'staff', param, facts.publisher_day!)
      const isCompared = isComparedRow(compareWith, param, ofMedia)
      const before = new Map(days ? measured(days.from, days.to, isCompared).map(each => [each.id, each]) : [])
      expect(result.total, `${common ?? name} ${JSON.stringify({ param, page })}`).toBe(now.length)
      expect(
        result.nodes.map(({ publisherId, mediumId, rank, previousRank, sums, compared }) => ({
          ...{ id: publisherId, mediumId },
          rank,
          previousRank,
          sums,
          compared: compared?.sums,
        })),
      ).toEqual(
        now.slice(page.offset, page.offset + page.limit).map(({ id, mediumId, rank, sums }) => ({
          ...{ id, mediumId },
          rank,
          previousRank: before.get(id)?.rank ?? null,
          sums,
          compared: wanted.compared ? before.get(id)?.sums : undefined,
        })),
      )
    }
  })

  test('what is shown twice is the same twice: by date, by item, ranking, summary', async () => {
    const sources = { stats: engine.store, database, clock }
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const page = { limit: 1000, offset: 0 }
      const all = { ...page, orderBy: undefined }
      const granularity = random.pick(['daily', 'weekly', 'monthly'] as const)
      const of = (kind: ContentKind, groupBy: 'item' | 'date') =>
        report(engine, kind, 'staff', { ...all, param: { ...param, groupBy, granularity } })
      const sumOf = (rows: readonly { readonly sums: Readonly<Record<string, bigint>> }[], column: string) =>
        rows.reduce((sum, row) => sum + row.sums[column]!, 0n)
      const summaryRequest = parseSummaryRequest({ ...page, param: { ...param, granularity } })
      const rankRequest = parseReportArguments({ ...page, param })
      if (!summaryRequest.ok || !rankRequest.ok) throw new Error('refused')
      const summary = await readSummary(
        sources,
        summaryRequest.value,
        permitOf('staff', 'read:list', 'insight:summary_stats.'),
      )
      const ranking = await readRanking(
        sources,
        { ...rankRequest.value, order: { name: 'CTR', isDescending: true }, compareWith: 'previous_period' },
        permitOf('staff', 'read:list', 'insight:publisher_rank.'),
      )
      for (const column of RANK_COLUMNS) {
        expect(sumOf(ranking.nodes, column)).toBe(sumOf(summary.nodes, column))
        expect(ranking.totals?.sums[column]).toBe(summary.totals?.sums[column])
      }
      for (const [kind, prefix] of [
        [ARTICLES, 'article'],
        [VIDEOS, 'video'],
      ] as const) {
        const [byDate, byItem] = [await of(kind, 'date'), await of(kind, 'item')]
        expect(byItem.totals?.sums).toEqual(byDate.totals?.sums)
        for (const column of kind.counts) {
          expect(sumOf(byItem.nodes, column)).toBe(sumOf(byDate.nodes, column))
          expect(byDate.totals?.sums[column] ?? 0n).toBe(sumOf(byDate.nodes, column))
        }
        // A publisher's day holds its articles, its videos, its live programmes and what belongs to none of them.
        for (const column of ['impression', 'click', 'watch'] as const) {
          expect(sumOf(byItem.nodes, column)).toBe(summary.totals?.sums[`${prefix}_${column}`] ?? 0n)
        }
      }
    }
  })
})

test('titles come from the master data that the viewer may see', async () => {
  const engine = await openTestStats('duckdb')
  try {
    const [own, foreign] = [publishers[0]!, publishers.at(-1)!]
    const publishedAt = new Date('2026-01-01T00:00:00+09:00')
    const master = { mediumId: 1n, url: 'https://example.jp/a', publishedAt }
    await database.inScope(SYSTEM, tx =>
      tx
        .insertInto('mediumArticles')
        .values([
          { ...master, articleId: 1n, mediumArticleId: 'a', publisherId: own.id, title: '自社の記事' },
          { ...master, articleId: 2n, mediumArticleId: 'b', publisherId: foreign.id, title: '他社の記事' },
        ])
        .execute(),
    )
    const row = (articleId: bigint, publisherId: bigint): FactRow => ({
      ...Object.fromEntries(FACTS.article_day.columns.map(([column]) => [column, 1n])),
      date: '2026-01-01',
      article_id: articleId,
      publisher_id: publisherId,
    })
    await importFacts(engine.store, 1n, { article_day: [row(1n, own.id), row(2n, foreign.id), row(3n, own.id)] })
    const args: ContentArguments = {
      limit: 10,
      offset: 0,
      orderBy: 'ID_ASC',
      param: { from: day('2026-01-01'), to: day('2026-01-01'), groupBy: 'item', granularity: 'daily' },
    }
    const titles = async (person: ReportPerson) =>
      Promise.all(
        (await report(engine, ARTICLES, person, args)).nodes.map(async node => [
          ...[node.itemId, node.master?.title, await node.publisherName()],
        ]),
      )
    const [ownName, foreignName] = [own, foreign].map(({ id }) => publisherNames.get(id))
    expect(await titles('staff')).toEqual([
      [1n, '自社の記事', ownName],
      [2n, '他社の記事', foreignName],
      [3n, undefined, ownName],
    ])
    const found = async (title: string) => {
      const param = { ...args.param, title }
      return (await report(engine, ARTICLES, 'staff', { ...args, param })).nodes.map(node => node.itemId)
    }
    expect(await found('自社　記事')).toEqual([1n])
    expect(await found('自社 他社')).toEqual([])
    expect(await found('！？'), 'separators alone are in no title').toEqual([])
    expect(await found('　'), 'nothing that can be looked for').toEqual([1n, 2n, 3n])
    const of = async (person: ReportPerson, itemId: bigint, publisherId: bigint) => {
      const later = { from: day('2026-02-01'), to: day('2026-02-01'), itemIds: [String(itemId)] }
      const param = { ...args.param, ...later, groupBy: 'date', publisherIds: [String(publisherId)] } as const
      const { totals, content } = await report(engine, ARTICLES, person, { ...args, orderBy: undefined, param })
      expect(totals).toBeNull()
      return content && [content.master.title, await content.publisherName()]
    }
    // What an article is is known on days without data of it, to those who may see it and under its own publisher.
    expect(await of('admin', 1n, own.id)).toEqual(['自社の記事', ownName])
    expect(await of('staff', 2n, foreign.id)).toEqual(['他社の記事', foreignName])
    expect(await of('admin', 2n, foreign.id)).toBeNull()
    expect(await of('staff', 2n, own.id)).toBeNull()
    expect(await of('staff', 3n, own.id)).toBeNull()
    expect(await titles('admin')).toEqual([
      [1n, '自社の記事', ownName],
      [3n, undefined, ownName],
    ])
  } finally {
    await engine.drop()
  }
})
