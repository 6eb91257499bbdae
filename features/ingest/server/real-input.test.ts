import { ident, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import {
  apacheDelivery,
  deskdropDelivery,
  kuairandDelivery,
  livedoorDelivery,
  type RealDelivery,
  SHIFTED_DAYS,
  sourceRows,
  youtubeDelivery,
} from '@pc/testing/statistics/real-deliveries.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

const deskdrop = sourceRows('events', 'deskdrop_events.csv.gz')
const kuairand = sourceRows('events', 'kuairand_video_events.csv.gz')
const youtube = sourceRows('videos', 'youtube_jp_view_increments_derived.csv.gz')
const apache = sourceRows('events', 'apache_access_log.csv.gz')
const livedoor = sourceRows('articles', 'livedoor_articles.csv.gz')

const fixture = await ingestFixture()
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

async function take({ dataset, content }: RealDelivery, rows?: number) {
  const outcome = await fixture.take(dataset, content)
  if (outcome.kind !== 'applied') throw outcome.kind === 'refused' ? outcome.refusal : new Error(outcome.kind)
  if (rows !== undefined) expect(outcome.batch.rowsTotal).toBe(BigInt(rows))
  expect(outcome.batch.rowsQuarantined).toBe(0n)
}

type Totals = Record<string, bigint>
/** Adds one to `totals[key]`, or more. */
const count = (totals: Totals, key: string, by = 1n) => {
  totals[key] = (totals[key] ?? 0n) + by
}
const tokyoDay = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 10)

/** Daily sums of a column in the store, without days where it is 0. */
async function daily(name: 'article_day' | 'video_day' | 'publisher_day', column: string): Promise<Totals> {
  const rows = await fixture.context.stats.query(
    sql`select date, ${sumInt(ident(column))} as total from ${table(name)} group by date order by date`,
  )
  return Object.fromEntries(rows.filter(row => row.total !== 0n).map(row => [String(row.date), row.total as bigint]))
}

describe('totals equal sums computed from the files alone', () => {
  test.skipIf(!deskdrop)('reads of articles (Deskdrop, NDJSON)', async () => {
    await take(deskdropDelivery(deskdrop!), deskdrop!.length)
    const views: Totals = {}
    const clicks: Totals = {}
    for (const row of deskdrop!) {
      const day = tokyoDay((Number(row.timestamp) + SHIFTED_DAYS * 86_400) * 1000)
      count(row.eventType === 'VIEW' ? views : clicks, day)
    }
    expect(await daily('article_day', 'impression')).toEqual(views)
    expect(await daily('article_day', 'click')).toEqual(clicks)
    expect(await daily('publisher_day', 'article_impression')).toEqual(views)
    const [articles] = await fixture.context.stats.query(
      sql`select count(distinct article_id) as articles from ${table('article_day')}`,
    )
    expect(articles!.articles).toBe(BigInt(new Set(deskdrop!.map(row => row.contentId)).size))
  })

  test.skipIf(!kuairand)('watches of short videos (KuaiRand, CSV)', async () => {
    await take(kuairandDelivery(kuairand!))
    const expected = {
      impression: {},
      click: {},
      watch: {},
      watch3s: {},
      watch97p: {},
      play_time_ms: {},
    } satisfies Record<string, Totals>
    const buckets: Totals = {}
    for (const row of kuairand!) {
      const day = tokyoDay(Number(row.time_ms))
      const add = (column: keyof typeof expected, by = 1n) => count(expected[column], day, by)
      const [played, duration] = [BigInt(row.play_time_ms!), BigInt(row.duration_ms!)]
      add('impression')
      if (row.is_click === '1') add('click')
      if (played === 0n) continue
      add('watch')
      add('play_time_ms', played)
      if (played >= 3000n) add('watch3s')
      if (duration === 0n) continue
      if (played * 100n >= duration * 97n) add('watch97p')
      const tenth = (played * 10n) / duration
      count(buckets, String(tenth > 10n ? 10n : tenth))
    }
    for (const [column, totals] of Object.entries(expected)) {
      expect(await daily('video_day', column), column).toEqual(totals)
    }
    expect(await daily('publisher_day', 'video_watch')).toEqual(expected.watch)
    const rows = await fixture.context.stats.query(
      sql`select bucket_id, ${sumInt(sql`watch`)} as total from ${table('video_watch_time_day')} group by bucket_id order by bucket_id`,
    )
    expect(Object.fromEntries(rows.map(row => [String(row.bucket_id), row.total]))).toEqual(buckets)
  })

  test.skipIf(!youtube)('growth of trending videos (YouTube, zstd)', async () => {
    await take(youtubeDelivery(youtube!))
    const views: Totals = {}
    for (const row of youtube!) if (row.views_delta !== '0') count(views, row.to_date!, BigInt(row.views_delta!))
    expect(await daily('video_day', 'watch')).toEqual(views)
    const months = await fixture.context.stats.query(
      sql`select ${sumInt(sql`watch`)} as total from ${table('video_month')}`,
    )
    expect(months[0]!.total).toBe(Object.values(views).reduce((sum, value) => sum + value, 0n))
  })

  test.skipIf(!apache)('reads of a web site (Apache log, CSV with BOM and CRLF)', async () => {
    await take(apacheDelivery(apache!))
    const reads = apache!.filter(row => row.method === 'GET' && row.status === '200')
    const watches: Totals = {}
    for (const row of reads) {
      const [date, hour] = [Number(row.time!.slice(0, 2)), Number(row.time!.slice(12, 14))]
      // All lines are of May 2015 in UTC; nine hours later it is Tokyo, and 522 weeks later 17 May 2025 is two days on.
      const day = new Date(Date.UTC(2015, 4, date, hour + 9) + SHIFTED_DAYS * 86_400_000)
      count(watches, day.toISOString().slice(0, 10))
    }
    expect(await daily('article_day', 'watch')).toEqual(watches)
    expect(await daily('publisher_day', 'article_watch')).toEqual(watches)
  })

  test.skipIf(!livedoor)('articles of six media (livedoor, CSV)', async () => {
    await take(livedoorDelivery(livedoor!), livedoor!.length)
    const total = livedoor!.reduce((sum, row) => sum + BigInt(row.body_chars!), 0n)
    const stored = Object.values(await daily('article_day', 'impression'))
    expect(stored.reduce((sum, value) => sum + value, 0n)).toBe(total)
    const [counted] = await fixture.context.stats.query(sql`select count(*) as row_count from ${table('article_day')}`)
    expect(counted!.row_count).toBe(BigInt(livedoor!.length))
  })

  test.skipIf(!deskdrop || !apache)('events of two sources add up, in any order', async () => {
    const deliveries = [deskdropDelivery(deskdrop!), apacheDelivery(apache!)]
    for (const delivery of deliveries) await take(delivery)
    const forwards = await fixture.figures()
    await fixture.clear()
    for (const delivery of deliveries.reverse()) await take(delivery)
    expect(await fixture.figures()).toEqual(forwards)
  })
})
