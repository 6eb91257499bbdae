import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import {
  livedoorContents,
  livedoorDelivery,
  type RealDelivery,
  type SourceRow,
  sourceRows,
  youtubeContents,
  youtubeDelivery,
} from '@pc/testing/statistics/real-deliveries.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importBatch } from '../../../ingest/server/import-batch.ts'

/** Titles that other people wrote go in as a delivery; the article list, the search and the reports show them. */
const livedoor = sourceRows('articles', 'livedoor_articles.csv.gz')
const increments = sourceRows('videos', 'youtube_jp_view_increments_derived.csv.gz')
const snapshots = sourceRows('videos', 'youtube_jp_trending_daily.csv.gz')

let system: SystemUnderTest
let token: string
beforeAll(async () => {
  system = await startSystemUnderTest()
  const { a, b } = system.rows
  await system.dependencies.database.inScope(SYSTEM, async tx => {
    for (let n = 5; n <= 20; n += 1) {
      const organizationId = n % 2 === 0 ? a.organizationId : b.organizationId
      await tx
        .insertInto('publishers')
        .values({ organizationId, name: `実データ ${n}` })
        .execute()
    }
  })
  token = await system.tokenOf(system.rows.users['insight:viewer'].email)
})
afterAll(() => system?.close())

async function take({ dataset, content, name }: RealDelivery) {
  async function* input() {
    yield content
  }
  return importBatch(system.dependencies.ingest.context, {
    dataset,
    input: input(),
    quarantine: false,
    sourceName: name,
  })
}
async function ask<T>(query: string, variables: object = {}, as = token): Promise<T> {
  const { json } = await system.ask('insight', query, as, variables)
  expect(json.errors).toBeUndefined()
  return json.data as T
}
interface Articles {
  readonly mediumArticles: { total: number; nodes: { articleId: string; title: string; url: string }[] }
}
const list = (variables: object = {}, as = token) =>
  ask<Articles>(
    `query ($limit: Int!, $offset: Int!, $q: String, $param: MediumArticlesParam) {
      mediumArticles(limit: $limit, offset: $offset, q: $q, param: $param) { total nodes { articleId title url } } }`,
    { limit: 20, offset: 0, ...variables },
    as,
  ).then(data => data.mediumArticles)

test.skipIf(!livedoor)(
  'articles of livedoor NEWS are listed, found and reported by their titles',
  async () => {
    const before = await list()
    const titleOf = (row: SourceRow) => withoutHiddenCharacters(row.title!)
    expect(livedoor!.filter(row => titleOf(row) !== row.title).length).toBeGreaterThan(0)
    expect(await take(livedoorDelivery(livedoor!))).toMatchObject({ kind: 'applied' })
    const report = () =>
      ask<{ articleStats: { nodes: { articleId: string; title: string | null; url: string | null }[] } }>(
        `{ articleStats(limit: 1000, offset: 0, orderBy: IMPRESSION_DESC, param: { from: "2024-06-01", to: "2024-12-31", mediumIds: ["1"], groupBy: article }) {
          nodes { articleId title url } } }`,
      ).then(data => data.articleStats.nodes)
    const byId = new Map(livedoor!.map(row => [row.article_id!, row]))
    const untitled = (await report()).filter(node => byId.has(node.articleId))
    expect(untitled.length).toBeGreaterThan(100)
    expect(untitled.filter(node => node.title)).toEqual([])

    const started = performance.now()
    expect(await take(livedoorContents(livedoor!))).toMatchObject({
      kind: 'applied',
      batch: { rowsQuarantined: 0n, factRows: BigInt(livedoor!.length) },
    })
    console.warn(`${livedoor!.length} titles in ${Math.round(performance.now() - started)} ms`)
    for (const node of (await report()).filter(({ articleId }) => byId.has(articleId))) {
      const row = byId.get(node.articleId)!
      expect(node).toMatchObject({ title: titleOf(row), url: row.url })
    }
    expect((await list()).total).toBe(before.total + livedoor!.length)
    const found = await list({ q: '東京' })
    expect(found.total).toBe(livedoor!.filter(row => titleOf(row).includes('東京')).length)
    for (const node of found.nodes) expect(node.title).toBe(titleOf(byId.get(node.articleId)!))
    expect((await list({ q: livedoor![0]!.url! })).nodes.map(node => node.articleId)).toEqual([
      livedoor![0]!.article_id,
    ])
  },
  180_000,
)

test.skipIf(!livedoor)('a publisher sees and counts its own only', async () => {
  const own = await system.tokenOf(system.rows.users['insight:publisher_admin'].email)
  const all = await list({ limit: 100 })
  const mine = await list({ limit: 100 }, own)
  expect(mine.total).toBeGreaterThan(0)
  expect(mine.total).toBeLessThan(all.total)
  const { rows } = await system.dependencies.database.inScope(SYSTEM, async tx => ({
    rows: await tx
      .selectFrom('mediumArticles')
      .innerJoin('publishers', 'publishers.id', 'mediumArticles.publisherId')
      .select('articleId')
      .where('publishers.organizationId', '=', system.rows.a.organizationId)
      .where('articleId', 'not in', eb =>
        eb.selectFrom('mediumArticleRemovals').select('articleId').where('restoredAt', 'is', null),
      )
      .execute(),
  }))
  expect(mine.total).toBe(rows.length)
})

test.skipIf(!increments || !snapshots)(
  'trending videos: titles, addresses, thumbnails and durations are in the report',
  async () => {
    const { videos, ...delivery } = youtubeContents(increments!, snapshots!)
    expect(await take(youtubeDelivery(increments!))).toMatchObject({ kind: 'applied' })
    expect(await take(delivery)).toMatchObject({ kind: 'applied', batch: { factRows: BigInt(videos.size) } })
    const { videoStats } = await ask<{ videoStats: { nodes: Record<string, unknown>[] } }>(
      `{ videoStats(limit: 500, offset: 0, orderBy: IMPRESSION_DESC, param: { from: "2025-12-01", to: "2026-06-30", mediumIds: ["9"], groupBy: video }) {
        nodes { videoId title url thumbnailURL duration } } }`,
    )
    const shown = videoStats.nodes.filter(node => videos.has(Number(node.videoId)))
    expect(shown.length).toBeGreaterThan(100)
    for (const node of shown) {
      const row = videos.get(Number(node.videoId))!
      expect(node).toEqual({
        videoId: node.videoId,
        title: row.title,
        url: `https://www.youtube.com/watch?v=${row.video_id}`,
        thumbnailURL: row.thumbnail,
        duration: Math.trunc(Number(row.duration_sec)),
      })
    }
  },
  180_000,
)
