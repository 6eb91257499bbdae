import fs from 'node:fs'
import type { Role } from '@pc/domain/access/role.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import {
  ARTICLE_METRICS,
  CONTENT_REVENUE_METRICS,
  REVENUE_DETAIL_METRICS,
  SUMMARY_METRICS,
  VIDEO_METRICS,
} from '@pc/domain/report/metric.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { finishGraph } from '@pc/platform/graphql/finish-graph.ts'
import { type GraphContext, openGraph } from '@pc/platform/graphql/graph.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { buildSchema, type GraphQLObjectType, type GraphQLSchema, graphql, printType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addArticleFields } from '../../contents/server/article-fields.ts'
import { contentRevenueType } from '../../contents/server/content-fields.ts'
import { addVideoFields } from '../../contents/server/video-fields.ts'
import { reportTypes } from '../../core/server/report-graph.ts'
import { COUNT_COLUMNS, SOURCE_REVENUE_COLUMNS } from '../../core/server/summary-sql.ts'
import { addRankFields } from '../../ranking/server/rank-fields.ts'
import { addSummaryFields } from './summary-fields.ts'

const { database, drop } = await testDatabase()
const { store: stats, drop: dropStats } = await openTestDuckDb()
afterAll(async () => {
  await drop()
  await dropStats()
})
const clock = fixedClock('2026-03-10T00:00:00+09:00')
let schema: GraphQLSchema
let own: { organizationId: bigint; publisherId: bigint }

const QUERY = `query ($param: SummaryStatsParam!, $detail: Boolean!) { summaryStats(limit: 100, offset: 0, param: $param) {
  total dataUntil articleDataUntil videoDataUntil nodes { date } totals { date days daysWithData isComplete hasBeenFinalized organizationId follower
    impressions clicks ctr watchCount articleImpressions publisherTotalRevenue clickDemographics { genderId ageId click }
    revenueDetail @include(if: $detail) { grossRevenue productAdsRevenue sspRevenue videoSspRevenue liveSspRevenue retainedRevenue } } } }`

async function ask(roles: readonly Role[], options: { detail?: boolean; param?: object; source?: string } = {}) {
  const { organizationId } = own
  const viewer = {
    uid: '00000000-0000-7000-8000-000000000009',
    email: 'a@example.jp',
    roles,
    organizationId,
    organizationName: null,
  }
  const contextValue: GraphContext = {
    viewer: { ...viewer, scope: viewerScope(viewer.uid, roles, organizationId) },
    requestId: 'r-1',
    sourceAddress: '192.0.2.1',
    signal: new AbortController().signal,
    permits: new Map(),
  }
  const variableValues = {
    param: { from: '2026-02-01', to: '2026-02-28', ...options.param },
    detail: options.detail ?? false,
  }
  const { data, errors } = await graphql({ schema, source: options.source ?? QUERY, variableValues, contextValue })
  const stats = data?.summaryStats as { totals: Record<string, unknown>; nodes: unknown[] } | null
  return {
    data,
    stats,
    errors: errors?.map(error => [error.extensions.code, error.path?.join('.')]),
    texts: errors?.map(error => error.message),
  }
}

beforeAll(async () => {
  const graph = openGraph()
  graph.queryType({})
  const sources = { stats, database, clock }
  const types = { ...reportTypes(graph), ContentRevenueDetail: contentRevenueType(graph) }
  addSummaryFields(graph, sources, types)
  addRankFields(graph, sources, types)
  addArticleFields(graph, sources, types)
  addVideoFields(graph, sources, types)
  schema = finishGraph(graph)
  const ids = await database.inScope(SYSTEM, async tx => {
    const rows = []
    for (const name of ['あおい新聞社', 'みどり出版']) {
      const organization = await tx
        .insertInto('organizations')
        .values({ name })
        .returning('id')
        .executeTakeFirstOrThrow()
      const publisher = await tx
        .insertInto('publishers')
        .values({ organizationId: organization.id, name })
        .returning('id')
        .executeTakeFirstOrThrow()
      rows.push({ organizationId: organization.id, publisherId: publisher.id })
    }
    return rows
  })
  own = ids[0]!
  const zero = Object.fromEntries([...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS].map(column => [column, 0n]))
  const row: FactRow = {
    ...zero,
    date: '2026-02-10',
    medium_id: 1n,
    publisher_id: own.publisherId,
    batch_no: 1n,
    follower: 7n,
    article_impression: 8n,
    article_click: 1n,
    video_watch: 3n,
    ads_revenue_micro_yen: 1_900_000n,
    ssp_revenue_micro_yen: 1_900_000n,
    publisher_revenue_micro_yen: 2_500_000n,
  }
  const foreign = { ...row, publisher_id: ids[1]!.publisherId, article_impression: 2n ** 62n, follower: 1000n }
  const cell = {
    date: '2026-02-10',
    medium_id: 1n,
    publisher_id: own.publisherId,
    batch_no: 1n,
    gender_id: 2n,
    age_id: 3n,
    click: 4n,
  }
  const article = {
    ...{ date: '2026-02-09', medium_id: 1n, publisher_id: own.publisherId, article_id: 5n, batch_no: 1n },
    ...{ impression: 8n, click: 1n, watch: 1n, ads_revenue_micro_yen: 0n, publisher_revenue_micro_yen: 0n },
  }
  await importFacts(stats, 1n, {
    publisher_day: [row, foreign, { ...row, date: '2026-01-20', article_click: 4n }],
    publisher_demo_day: [cell, { ...cell, age_id: 0n }],
    article_day: [article],
  })
})

test('the types are those of the reviewed schema', () => {
  const reviewed = buildSchema(fs.readFileSync(new URL('../../../../schemas/insight.graphql', import.meta.url), 'utf8'))
  for (const name of [
    'SummaryStatsList',
    'SummaryStats',
    'SummaryStatsParam',
    'RevenueDetail',
    'ClickDemographic',
    'Granularity',
  ]) {
    expect(sortedFields(schema, name), name).toEqual(sortedFields(reviewed, name))
  }
})
const sortedFields = (of: GraphQLSchema, name: string) =>
  printType(of.getType(name)!)
    .replaceAll(/""".*?"""\s*|"[^"\n]*"\s*/gs, '')
    .split('\n')
    .filter(line => line.trim() !== '')
    .sort()

test('every figure of the schema has its label and unit', () => {
  const figures = (name: string) =>
    Object.values((schema.getType(name) as GraphQLObjectType).getFields())
      .filter(each => /^(Long|Float)!?$/.test(String(each.type)))
      .map(each => each.name)
      .sort()
  expect(Object.keys(SUMMARY_METRICS).sort()).toEqual(figures('SummaryStats'))
  expect(Object.keys(REVENUE_DETAIL_METRICS).sort()).toEqual(figures('RevenueDetail'))
  expect(Object.keys(ARTICLE_METRICS).sort()).toEqual(figures('ArticleStats'))
  expect(Object.keys(VIDEO_METRICS).sort()).toEqual(figures('VideoStats'))
  expect(Object.keys(CONTENT_REVENUE_METRICS).sort()).toEqual(figures('ContentRevenueDetail'))
})

test('a publisher administrator reads the own figures', async () => {
  expect((await ask(['insight:publisher_admin'])).stats).toMatchObject({
    total: 1,
    dataUntil: '2026-02-10',
    articleDataUntil: '2026-02-09',
    videoDataUntil: null,
    nodes: [{ date: '2026-02-10' }],
    totals: {
      date: '2026-02-01',
      days: 28,
      daysWithData: 1,
      isComplete: true,
      hasBeenFinalized: false,
      organizationId: null,
      follower: 7,
      impressions: 8,
      clicks: 1,
      ctr: 0.125,
      watchCount: 3,
      articleImpressions: 8,
      publisherTotalRevenue: 2,
      clickDemographics: [{ genderId: 2, ageId: 3, click: 4 }],
    },
  })
})

test('the revenue detail is for staff: rounded down once per value, and it adds up', async () => {
  const staff = await ask(['insight:viewer'], {
    detail: true,
    param: { organizationIds: [String(own.organizationId)] },
  })
  expect(staff.errors).toBeUndefined()
  expect(staff.stats?.totals).toMatchObject({
    organizationId: String(own.organizationId),
    publisherTotalRevenue: 2,
    // 3.8 yen from two sources of 1.9 yen, less the 2 yen that are shown as the publisher's.
    revenueDetail: {
      grossRevenue: 3,
      productAdsRevenue: 1,
      sspRevenue: 1,
      videoSspRevenue: 0,
      liveSspRevenue: 0,
      retainedRevenue: 1,
    },
  })
  const publisher = await ask(['insight:publisher_admin'], { detail: true })
  expect(publisher.stats?.totals).toMatchObject({ publisherTotalRevenue: 2, revenueDetail: null })
  expect(publisher.errors).toEqual([['FORBIDDEN', 'summaryStats.totals.revenueDetail']])
})

test('the ranking reads what is requested: compared days and the detail of revenues, each alone, both or none', async () => {
  const figures = { clicks: 1, revenueDetail: { grossRevenue: 3 } }
  const compared = { from: '2026-01-20', to: '2026-01-30', clicks: 4, revenueDetail: { grossRevenue: 3 } }
  const detail = 'revenueDetail { grossRevenue }'
  const before = (inside: string) => `compared { from to clicks ${inside} }`
  const { revenueDetail: _, ...comparedFigures } = compared
  for (const [requested, answered] of [
    ['', { clicks: 1 }],
    [detail, figures],
    [before(''), { clicks: 1, compared: comparedFigures }],
    [`${detail} ${before(detail)}`, { ...figures, compared }],
  ] as const) {
    const source = `query ($param: PublisherRankParam!) { publisherRank(limit: 10, offset: 0, orderBy: CLICK_DESC, param: $param) {
      totals { clicks ${requested} } nodes { rank previousRank clicks ${requested} } } }`
    const param = { from: '2026-01-31', to: '2026-02-10', publisherIds: [String(own.publisherId)] }
    const answer = await ask(['insight:viewer'], { source, param })
    expect(answer.errors).toBeUndefined()
    expect(answer.data).toEqual({
      publisherRank: { totals: answered, nodes: [{ rank: 1, previousRank: 1, ...answered }] },
    })
  }
})

test('the common orders are that by date; pages join in either direction', async () => {
  const days = async (orderBy: string, page = 'limit: 9, offset: 0') => {
    const source = `query ($param: SummaryStatsParam!) { summaryStats(${page}, orderBy: ${orderBy}, param: $param) { total nodes { date } } }`
    const { data, errors } = await ask(['insight:viewer'], { source, param: { from: '2026-01-01' } })
    expect(errors).toBeUndefined()
    return (data as { summaryStats: { nodes: { date: string }[] } }).summaryStats.nodes.map(node => node.date)
  }
  for (const name of ['ID', 'CREATEDAT', 'UPDATEDAT', 'DATE']) {
    expect(await days(`${name}_ASC`)).toEqual(['2026-01-20', '2026-02-10'])
    expect(await days(`${name}_DESC`)).toEqual(['2026-02-10', '2026-01-20'])
  }
  expect(await days('ID_DESC', 'limit: 1, offset: 0')).toEqual(['2026-02-10'])
  expect(await days('ID_DESC', 'limit: 1, offset: 1')).toEqual(['2026-01-20'])
})

test('a figure that is requested alone is what it is among all', async () => {
  const video = {
    ...{ date: '2026-02-09', medium_id: 1n, publisher_id: own.publisherId, video_id: 6n, batch_no: 2n, watch3s: 5n },
    ...{ impression: 9n, click: 2n, watch: 7n, watch97p: 3n, play_time_ms: 61_000n },
    ...{ ads_revenue_micro_yen: 4_000_000n, publisher_revenue_micro_yen: 2_000_000n },
  }
  await importFacts(stats, 2n, { video_day: [video] })
  for (const [root, type, order, metrics, details] of [
    ['summaryStats', 'SummaryStatsParam', 'DATE_DESC', SUMMARY_METRICS, REVENUE_DETAIL_METRICS],
    ['articleStats', 'ArticleStatsParam', 'CLICK_DESC', ARTICLE_METRICS, CONTENT_REVENUE_METRICS],
    ['videoStats', 'VideoStatsParam', 'PLAYTIME_DESC', VIDEO_METRICS, CONTENT_REVENUE_METRICS],
  ] as const) {
    const read = async (requested: string) => {
      const source = `query ($param: ${type}!) { stats: ${root}(limit: 10, offset: 0, orderBy: ${order}, param: $param) {
        totals { ${requested} } nodes { ${requested} } } }`
      const { data, errors } = await ask(['insight:viewer'], {
        source,
        param: { publisherIds: [String(own.publisherId)] },
      })
      expect(errors, requested).toBeUndefined()
      const found = data as { stats: Record<'totals' | 'nodes', unknown> }
      return found.stats as { totals: Record<string, unknown>; nodes: Record<string, unknown>[] }
    }
    const detail = (names: readonly string[]) => `revenueDetail { ${names.join(' ')} }`
    const figures = Object.keys(metrics).filter(name => name !== 'articles')
    const all = await read([...figures, detail(Object.keys(details))].join(' '))
    expect(all.nodes).toHaveLength(1)
    for (const name of figures) {
      const only = { [name]: all.totals[name] }
      expect(await read(name)).toEqual({ totals: only, nodes: [only] })
    }
    for (const name of Object.keys(details)) {
      const only = { revenueDetail: { [name]: (all.totals.revenueDetail as Record<string, unknown>)[name] } }
      expect(await read(detail([name]))).toEqual({ totals: only, nodes: [only] })
    }
  }
})

test('without the right there is no report', async () => {
  expect((await ask(['coupon:admin'])).errors).toEqual([['FORBIDDEN', 'summaryStats']])
})

test('wrong arguments are explained in Japanese', async () => {
  const { errors, texts } = await ask(['insight:admin'], {
    param: { from: '2026-03-01', to: '2026-02-01', mediumIds: ['x'] },
  })
  expect(errors).toEqual([['BAD_REQUEST', 'summaryStats']])
  expect(texts).toEqual(['期間の終了日は開始日以降の日付にしてください。\nIDには数字を指定してください。'])
})
