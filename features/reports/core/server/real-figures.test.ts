import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { addDays, type Day, day, dayOfWeek } from '@pc/domain/month/day.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { type GraphContext, openGraph } from '@pc/platform/graphql/graph.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import {
  deskdropDelivery,
  kuairandDelivery,
  type RealDelivery,
  SHIFTED_DAYS,
  sourceRows,
} from '@pc/testing/statistics/real-deliveries.ts'
import { type GraphQLSchema, graphql } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addArticleFields } from '../../contents/server/article-fields.ts'
import { contentRevenueType } from '../../contents/server/content-fields.ts'
import { addVideoFields } from '../../contents/server/video-fields.ts'
import { addRankFields } from '../../ranking/server/rank-fields.ts'
import { reportTypes } from './report-graph.ts'

/**
 * Every figure of `articleStats`, `videoStats` and `publisherRank` over real files, against a second computation over
 * the lines of the files alone: reads of articles (Deskdrop), plays of videos (KuaiRand), and revenue of real videos.
 */
const deskdrop = sourceRows('events', 'deskdrop_events.csv.gz')
const kuairand = sourceRows('events', 'kuairand_video_events.csv.gz')
const revenue = sourceRows('benchmarks', 'youtube_channel_real_revenue_numbers.csv.gz')
const hasFiles = deskdrop !== undefined && kuairand !== undefined && revenue !== undefined

const COUNTS = ['impression', 'click', 'watch', 'watch3s', 'watch97p', 'playMs', 'grossMicro', 'ownMicro'] as const
type Sums = Record<(typeof COUNTS)[number], bigint>
const nothing = (): Sums => Object.fromEntries(COUNTS.map(name => [name, 0n])) as Sums
interface Line {
  readonly kind: 'article' | 'video'
  readonly id: number
  readonly publisher: number
  readonly medium: number
  readonly date: Day
  readonly sums: Partial<Sums>
}
const publisherOf = (id: number) => (id % 20) + 1
const tokyoDay = (ms: number) => day(new Date(ms + 9 * 3_600_000).toISOString().slice(0, 10))

/** The files as lines of figures, read without the system. */
function readLines(): Line[] {
  const lines: Line[] = []
  const numbers = new Map<string, number>()
  for (const row of deskdrop ?? []) {
    const id = numbers.get(row.contentId!) ?? numbers.size + 1
    numbers.set(row.contentId!, id)
    const date = tokyoDay((Number(row.timestamp) + SHIFTED_DAYS * 86_400) * 1000)
    const sums = row.eventType === 'VIEW' ? { impression: 1n } : { click: 1n }
    lines.push({ kind: 'article', id, publisher: publisherOf(id), medium: 1, date, sums })
  }
  for (const row of kuairand ?? []) {
    const id = Number(row.video_id) + 1
    const [played, duration] = [BigInt(row.play_time_ms!), BigInt(row.duration_ms!)]
    const isPlayed = played > 0n
    const sums = {
      impression: 1n,
      click: row.is_click === '1' ? 1n : 0n,
      watch: isPlayed ? 1n : 0n,
      playMs: played,
      watch3s: played >= 3_000n ? 1n : 0n,
      watch97p: isPlayed && duration > 0n && played * 100n >= duration * 97n ? 1n : 0n,
    }
    lines.push({ kind: 'video', id, publisher: publisherOf(id), medium: 2, date: tokyoDay(Number(row.time_ms)), sums })
  }
  return [...lines, ...revenueLines()]
}

/** Real money has odd amounts: at 150 yen for a dollar, of which a publisher gets 55 %. */
function revenueLines(): Line[] {
  return (revenue ?? []).map((row, index) => {
    const id = 3_000_000 + index
    const grossMicro = BigInt(Math.round(Number(row.revenue_usd) * 1_000)) * 150_000n
    const impression = BigInt(Math.round(Number(row.impressions)))
    const watch = BigInt(Math.round(Number(row.views)))
    const sums = {
      ...{
        impression,
        watch,
        watch3s: watch / 2n,
        watch97p: watch / 9n,
        grossMicro,
        ownMicro: (grossMicro * 55n) / 100n,
      },
      click: BigInt(Math.floor((Number(row.impressions) * Number(row.impression_ctr_pct)) / 100)),
      playMs: BigInt(Math.round(Number(row.watch_hours) * 3_600_000)),
    }
    const date = addDays(day('2024-01-01'), index % 75)
    return { kind: 'video', id, publisher: publisherOf(id), medium: 9, date, sums }
  })
}

function revenueDelivery(): RealDelivery {
  const header =
    'date,medium_id,publisher_id,video_id,impression,click,watch,watch3s,watch97p,play_time_ms,ads_revenue_micro_yen,publisher_revenue_micro_yen\n'
  const lines = revenueLines().map(({ date, publisher, id, sums: s }) =>
    [
      date,
      9,
      publisher,
      id,
      s.impression,
      s.click,
      s.watch,
      s.watch3s,
      s.watch97p,
      s.playMs,
      s.grossMicro,
      s.ownMicro,
    ].join(','),
  )
  return { name: 'revenue', dataset: 'video-daily', content: Buffer.from(`${header}${lines.join('\n')}\n`) }
}

/** Of publishers, daily figures are delivered apart: here one video a day. */
function summaryDelivery(): RealDelivery {
  const header =
    'date,medium_id,publisher_id,article_impression,article_click,video_impression,video_click,video_watch,ads_revenue_micro_yen,publisher_revenue_micro_yen\n'
  const rows = revenueLines().map(({ date, publisher, sums: s }) =>
    [date, 9, publisher, 0, 0, s.impression, s.click, s.watch, s.grossMicro, s.ownMicro].join(','),
  )
  return { name: 'summary', dataset: 'summary-daily', content: Buffer.from(`${header}${rows.join('\n')}\n`) }
}

const fixture = hasFiles ? await ingestFixture() : undefined
afterAll(() => fixture?.close())
const lines = hasFiles ? readLines() : []
let schema: GraphQLSchema

beforeAll(async () => {
  if (!fixture) return
  const deliveries = [deskdropDelivery(deskdrop!), kuairandDelivery(kuairand!), revenueDelivery(), summaryDelivery()]
  for (const { dataset, content } of deliveries) {
    const outcome = await fixture.take(dataset, content)
    if (outcome.kind !== 'applied') throw outcome.kind === 'refused' ? outcome.refusal : new Error(outcome.kind)
  }
  const { database, stats, clock } = fixture.context
  const graph = openGraph()
  graph.queryType({})
  const sources = { stats, database, clock }
  const types = { ...reportTypes(graph), ContentRevenueDetail: contentRevenueType(graph) }
  addRankFields(graph, sources, types)
  addArticleFields(graph, sources, types)
  addVideoFields(graph, sources, types)
  schema = finishGraph(graph)
})

async function ask(source: string, variableValues: object): Promise<Record<string, unknown>[]> {
  const uid = '00000000-0000-7000-8000-000000000009'
  const scope = viewerScope(uid, ['insight:viewer'], null)
  const contextValue: GraphContext = {
    viewer: { uid, email: 'a@example.jp', roles: ['insight:viewer'], organizationId: null, scope },
    ...{ requestId: 'r-1', sourceAddress: '192.0.2.1', signal: new AbortController().signal, permits: new Map() },
  }
  const nodes: Record<string, unknown>[] = []
  for (;;) {
    const given = { ...variableValues, offset: nodes.length }
    const { data, errors } = await graphql({ schema, source, variableValues: given, contextValue })
    if (errors) throw errors[0]
    const stats = JSON.parse(JSON.stringify(data!.stats, plain)) as Answer
    nodes.push(...stats.nodes)
    if (nodes.length >= stats.total) return [...nodes, { ...stats.totals, isTotal: true, total: stats.total }]
  }
}
interface Answer {
  readonly total: number
  readonly nodes: Record<string, unknown>[]
  readonly totals: Record<string, unknown>
}
const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

// The second computation: nothing here is shared with the system but the calendar.
const yen = (micro: bigint) => Number(micro / 1_000_000n)
const per = (part: bigint, whole: bigint) => (whole === 0n ? null : Number(part) / Number(whole))
function shared(sums: Sums) {
  return {
    ...{ impression: Number(sums.impression), click: Number(sums.click), watch: Number(sums.watch) },
    ctr: per(sums.click, sums.impression),
    publisherTotalRevenue: yen(sums.ownMicro),
    rpm: per(sums.ownMicro, sums.impression * 1_000n),
    revenueDetail: {
      productAdsRevenue: yen(sums.grossMicro),
      retainedRevenue: yen(sums.grossMicro) - yen(sums.ownMicro),
      effectiveRate: per(sums.ownMicro, sums.grossMicro),
    },
  }
}
const ofVideo = (sums: Sums) => ({
  ...shared(sums),
  ...{ watch3s: Number(sums.watch3s), play_time: Number(sums.playMs / 1_000n), watch97p: Number(sums.watch97p) },
  average_play_time: per(sums.playMs, sums.watch * 1_000n),
  average_watch97p: per(sums.watch97p, sums.watch),
})

function addUp<Key>(chosen: readonly Line[], keyOf: (line: Line) => Key): Map<Key, Sums> {
  const byKey = new Map<Key, Sums>()
  for (const line of chosen) {
    const sums = byKey.get(keyOf(line)) ?? nothing()
    for (const name of COUNTS) sums[name] += line.sums[name] ?? 0n
    byKey.set(keyOf(line), sums)
  }
  return byKey
}
const startOf = {
  daily: (d: Day) => d,
  weekly: (d: Day) => addDays(d, -dayOfWeek(d)),
  monthly: (d: Day) => `${d.slice(0, 7)}-01`,
}

const SHARED =
  'impression click watch ctr publisherTotalRevenue rpm revenueDetail { productAdsRevenue retainedRevenue effectiveRate }'
const VIDEO = `${SHARED} watch3s play_time average_play_time watch97p average_watch97p`
const query = (field: 'article' | 'video', key: string, figures: string) => {
  const type = field === 'article' ? 'ArticleStats' : 'VideoStats'
  return `query ($offset: Int!, $order: ${type}OrderBy!, $param: ${type}Param!) {
    stats: ${field}Stats(limit: 1000, offset: $offset, orderBy: $order, param: $param) {
      total totals { ${figures} } nodes { ${key} ${figures} } } }`
}

interface Filter {
  readonly from: string
  readonly to: string
  readonly publisherIds?: readonly string[]
  readonly mediumIds?: readonly string[]
}
const FILTERS: Readonly<Record<Line['kind'], readonly Filter[]>> = {
  article: [
    { from: '2026-01-01', to: '2026-11-30' },
    { from: '2026-04-09', to: '2026-07-02', publisherIds: ['3', '4', '17'] },
    { from: '2026-05-31', to: '2026-05-31', mediumIds: ['1', '2'] },
  ],
  video: [
    { from: '2020-12-01', to: '2026-11-30' },
    { from: '2022-04-26', to: '2024-02-10', publisherIds: ['1', '8', '20'] },
    { from: '2024-01-15', to: '2024-03-03', mediumIds: ['9'] },
  ],
}
const linesOf = (kind: Line['kind'] | undefined, { from, to, publisherIds, mediumIds }: Filter) =>
  lines.filter(
    line =>
      (kind === undefined || line.kind === kind) &&
      line.date >= from &&
      line.date <= to &&
      (publisherIds?.includes(String(line.publisher)) ?? true) &&
      (mediumIds?.includes(String(line.medium)) ?? true),
  )

describe.skipIf(!hasFiles)('real files', () => {
  for (const kind of ['article', 'video'] as const) {
    const figuresOf = kind === 'article' ? shared : ofVideo
    const figures = kind === 'article' ? SHARED : VIDEO
    test.each(FILTERS[kind])(`${kind}Stats by ${kind}, %j`, async filter => {
      const answer = await ask(query(kind, `${kind}Id`, figures), { order: 'IMPRESSION_DESC', param: filter })
      const { isTotal, total, ...totals } = answer.pop()!
      const expected = addUp(linesOf(kind, filter), line => line.id)
      expect([isTotal, total]).toEqual([true, expected.size])
      expect(expected.size).toBeGreaterThan(10)
      expect(totals).toEqual(figuresOf(addUp(linesOf(kind, filter), () => '').get('')!))
      const byId = new Map(answer.map(({ [`${kind}Id`]: id, ...rest }) => [Number(id), rest]))
      expect(byId.size).toBe(expected.size)
      for (const [id, sums] of expected) expect(byId.get(id), String(id)).toEqual(figuresOf(sums))
      // The order of the answer is that of the files.
      const order = [...expected].sort((a, b) => Number(b[1].impression - a[1].impression) || b[0] - a[0])
      expect(answer.map(row => Number(row[`${kind}Id`]))).toEqual(order.map(([id]) => id))
    })

    for (const granularity of ['daily', 'weekly', 'monthly'] as const) {
      test.each(FILTERS[kind])(`${kind}Stats by date, ${granularity}, %j`, async filter => {
        const param = { ...filter, groupBy: 'date', granularity }
        const answer = await ask(query(kind, 'date', figures), { order: 'DATE_ASC', param })
        const { isTotal: _, total, ...totals } = answer.pop()!
        const expected = addUp(linesOf(kind, filter), line => startOf[granularity](line.date))
        expect(total).toBe(expected.size)
        expect(totals).toEqual(figuresOf(addUp(linesOf(kind, filter), () => '').get('')!))
        const sorted = [...expected].sort(([a], [b]) => (a < b ? -1 : 1))
        expect(answer.map(({ date: _date, ...rest }) => rest)).toEqual(sorted.map(([, sums]) => figuresOf(sums)))
      })
    }
  }

  test.each([
    { from: '2020-12-01', to: '2026-11-30' },
    { from: '2022-04-26', to: '2026-06-10' },
    { from: '2024-01-15', to: '2026-04-03', mediumIds: ['1', '9'] },
  ])('publisherRank, %j', async filter => {
    const source = `query ($offset: Int!, $param: PublisherRankParam!) {
      stats: publisherRank(limit: 1000, offset: $offset, orderBy: IMPRESSION_DESC, param: $param) {
        total totals { ${RANK} } nodes { publisherId rank ${RANK} } } }`
    const answer = await ask(source, { param: filter })
    const { isTotal: _, total, ...totals } = answer.pop()!
    const expected = rankFigures(filter)
    expect(total).toBe(20)
    expect(totals).toEqual(expected.totals)
    expect(answer).toEqual(expected.nodes)
  })
})

const RANK = `impressions clicks watchCount ctr articleImpressions articleClicks articleWatchCount videoImpressions videoClicks
  videoWatchCount liveImpressions liveClicks liveWatchCount publisherTotalRevenue rpm
  revenueDetail { grossRevenue productAdsRevenue sspRevenue retainedRevenue effectiveRate }`

function rankFigures(filter: Filter) {
  const figures = (chosen: readonly Line[]) => {
    const all = addUp(chosen, () => '').get('') ?? nothing()
    const of = (kind: Line['kind']) =>
      addUp(
        chosen.filter(line => line.kind === kind),
        () => '',
      ).get('') ?? nothing()
    const [articles, videos] = [of('article'), of('video')]
    const { impression: impressions, click: clicks, watch: watchCount, ctr, publisherTotalRevenue, rpm } = shared(all)
    return {
      ...{ impressions, clicks, watchCount, ctr, publisherTotalRevenue, rpm },
      articleImpressions: Number(articles.impression),
      articleClicks: Number(articles.click),
      articleWatchCount: Number(articles.watch),
      videoImpressions: Number(videos.impression),
      videoClicks: Number(videos.click),
      videoWatchCount: Number(videos.watch),
      ...{ liveImpressions: 0, liveClicks: 0, liveWatchCount: 0 },
      revenueDetail: { ...shared(all).revenueDetail, grossRevenue: yen(all.grossMicro), sspRevenue: 0 },
    }
  }
  const chosen = linesOf(undefined, filter)
  const nodes = [...Map.groupBy(chosen, line => line.publisher)]
    .map(([publisher, own]) => ({ publisherId: String(publisher), rank: 0, ...figures(own) }))
    .sort((a, b) => b.impressions - a.impressions || Number(b.publisherId) - Number(a.publisherId))
  for (const node of nodes) node.rank = 1 + nodes.filter(other => other.impressions > node.impressions).length
  return { nodes, totals: figures(chosen) }
}
