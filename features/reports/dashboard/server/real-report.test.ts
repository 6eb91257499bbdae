import { SYSTEM } from '@pc/platform/postgres/database.ts'
import type { RealDelivery } from '@pc/testing/statistics/real-deliveries.ts'
import {
  apacheDelivery,
  deskdropDelivery,
  kuairandDelivery,
  SHIFTED_DAYS,
  sourceRows,
  youtubeDelivery,
} from '@pc/testing/statistics/real-deliveries.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importBatch } from '../../../ingest/server/import-batch.ts'

/** Other people's figures go in at one end; the dashboard's question at the API's answers the sums of their files. */
const deskdrop = sourceRows('events', 'deskdrop_events.csv.gz')
const kuairand = sourceRows('events', 'kuairand_video_events.csv.gz')
const youtube = sourceRows('videos', 'youtube_jp_view_increments_derived.csv.gz')
const apache = sourceRows('events', 'apache_access_log.csv.gz')

let system: SystemUnderTest
beforeAll(async () => {
  system = await startSystemUnderTest()
  // The deliveries name 20 publishers; every second new one is of the other organisation.
  const { a, b } = system.rows
  await system.dependencies.database.inScope(SYSTEM, async tx => {
    for (let n = 5; n <= 20; n += 1) {
      const organizationId = n % 2 === 0 ? a.organizationId : b.organizationId
      await tx
        .insertInto('publishers')
        .values({ organizationId, name: `実データ ${n}` })
        .execute()
    }
    const known = await tx.selectFrom('publishers').select('id').orderBy('id').execute()
    expect(known.map(row => row.id)).toEqual(Array.from({ length: 20 }, (_, n) => BigInt(n + 1)))
  })
})
afterAll(() => system?.close())

async function* inOnePiece(content: Buffer): AsyncIterable<Buffer> {
  yield content
}
async function take({ dataset, content, name }: RealDelivery) {
  const batch = { dataset, input: inOnePiece(content), quarantine: false, sourceName: name }
  const outcome = await importBatch(system.dependencies.ingest.context, batch)
  expect(outcome.kind).toBe('applied')
}

type Totals = Record<string, bigint>
const count = (totals: Totals, key: string, by = 1n) => {
  totals[key] = (totals[key] ?? 0n) + by
}
const tokyoDay = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 10)

/** What the dashboard asks, as staff: per day, without days where the figure is 0, and the total beside it. */
async function reported(mediumId: string, field: string, report: 'summaryStats' | 'videoStats') {
  const token = await system.tokenOf(system.rows.users['insight:viewer'].email)
  const perDay: Totals = {}
  let total = 0n
  // The report answers a year at most.
  for (const year of [2021, 2022, 2023, 2024, 2025, 2026]) {
    const { json } = await system.ask(
      'insight',
      `query Q($param: ${report === 'summaryStats' ? 'SummaryStatsParam' : 'VideoStatsParam'}!) { ${report}(limit: 400, offset: 0, param: $param) { nodes { date ${field} } totals { ${field} } } }`,
      token,
      {
        param: {
          from: `${year}-01-01`,
          to: `${year}-12-31`,
          mediumIds: [mediumId],
          ...(report === 'videoStats' ? { groupBy: 'date' } : {}),
        },
      },
    )
    expect(json.errors).toBeUndefined()
    const { nodes, totals } = (
      json.data as Record<typeof report, { nodes: Record<string, string>[]; totals: Record<string, string> | null }>
    )[report]
    for (const node of nodes)
      if (BigInt(node[field] ?? '0') !== 0n) perDay[node.date ?? ''] = BigInt(node[field] ?? '0')
    total += BigInt(totals?.[field] ?? '0')
  }
  return { perDay, total }
}
async function expectReported(
  mediumId: string,
  field: string,
  expected: Totals,
  report: 'summaryStats' | 'videoStats' = 'summaryStats',
) {
  const { perDay, total } = await reported(mediumId, field, report)
  expect(perDay, field).toEqual(expected)
  expect(total, field).toBe(Object.values(expected).reduce((sum, value) => sum + value, 0n))
}

test.skipIf(!deskdrop || !apache)(
  'reads of articles: Deskdrop and the web server’s log, on one medium',
  async () => {
    await take(deskdropDelivery(deskdrop!))
    await take(apacheDelivery(apache!))
    const views: Totals = {}
    const clicks: Totals = {}
    const watches: Totals = {}
    for (const row of deskdrop!) {
      const day = tokyoDay((Number(row.timestamp) + SHIFTED_DAYS * 86_400) * 1000)
      count(row.eventType === 'VIEW' ? views : clicks, day)
    }
    for (const row of apache!) {
      if (row.method !== 'GET' || row.status !== '200') continue
      const [date, hour] = [Number(row.time!.slice(0, 2)), Number(row.time!.slice(12, 14))]
      const day = new Date(Date.UTC(2015, 4, date, hour + 9) + SHIFTED_DAYS * 86_400_000)
      count(watches, day.toISOString().slice(0, 10))
    }
    await expectReported('1', 'articleImpressions', views)
    await expectReported('1', 'articleClicks', clicks)
    await expectReported('1', 'articleWatchCount', watches)
  },
  180_000,
)

test.skipIf(!kuairand)(
  'watches of short videos: KuaiRand',
  async () => {
    await take(kuairandDelivery(kuairand!))
    const expected = { videoImpressions: {} as Totals, videoClicks: {} as Totals, videoWatchCount: {} as Totals }
    for (const row of kuairand!) {
      const day = tokyoDay(Number(row.time_ms))
      count(expected.videoImpressions, day)
      if (row.is_click === '1') count(expected.videoClicks, day)
      if (row.play_time_ms !== '0') count(expected.videoWatchCount, day)
    }
    for (const [field, totals] of Object.entries(expected)) await expectReported('2', field, totals)
  },
  180_000,
)

test.skipIf(!youtube)(
  'growth of trending videos: YouTube',
  async () => {
    await take(youtubeDelivery(youtube!))
    const views: Totals = {}
    for (const row of youtube!) if (row.views_delta !== '0') count(views, row.to_date!, BigInt(row.views_delta!))
    // Deliveries of videos are of the video report; the dashboard has deliveries and events of its own.
    await expectReported('9', 'watch', views, 'videoStats')
  },
  180_000,
)
