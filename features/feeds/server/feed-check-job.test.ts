import { ROLES } from '@pc/domain/access/role.ts'
import { addDays } from '@pc/domain/month/day.ts'
import { dayAt, fixedClock } from '@pc/platform/clock.ts'
import type { FetchOutcome, SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkDueFeeds, type FeedCheckDependencies } from './feed-check-job.ts'
import type { ReadDailyRevenue } from './feed-revenue-at-risk.ts'

let own: TestDatabase
let rows: TwoOrganizations
const clock = fixedClock('2026-11-20T03:00:00Z')
const mails: Mail[] = []
const requested: { url: string; etag: string | undefined }[] = []
let revenueOf: (requested: Parameters<ReadDailyRevenue>[2]) => ReturnType<ReadDailyRevenue> = async () => []
let answerOf: (url: string) => FetchOutcome = () => ({ ok: false, problem: 'connection-failed' })

beforeAll(async () => {
  own = await testDatabase()
  await own.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('roles')
      .values(ROLES.map(name => ({ name })))
      .execute(),
  )
  rows = await makeTwoOrganizations(own.database)
  await own.database.inScope(SYSTEM, tx =>
    tx.updateTable('feeds').set({ url: sql`replace(url, 'feeds.example', 'feeds.alpha-news.net')` }).execute(),
  )
})
afterAll(() => own?.drop())
beforeEach(() => {
  requested.length = 0
  mails.length = 0
})

/** The outside world: the sites that are asked, and the mails that would leave. */
const safeFetch: SafeFetch = async (url, { etag }) => {
  requested.push({ url, etag })
  return answerOf(url)
}
const jobs = {
  enqueue: async (_tx: unknown, _kind: unknown, mail: Mail) => {
    mails.push(mail)
    return 'id'
  },
} as unknown as Jobs

const dependencies = (): FeedCheckDependencies => ({
  clock,
  database: own.database,
  jobs,
  safeFetch,
  webOrigin: 'https://pc.example',
  readDailyRevenue: (_reader, _scope, requested) => revenueOf(requested),
  pauseMs: 0,
})
const run = () => checkDueFeeds(dependencies(), new AbortController().signal)
const later = (minutes: number) => clock.set(new Date(clock.now() + minutes * 60_000).toISOString())
const healthOf = (feedId: bigint | undefined) =>
  own.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('feedHealth')
      .selectAll()
      .where('feedId', '=', feedId ?? 0n)
      .executeTakeFirst(),
  )

const feed = (items: readonly { guid: string; at: string }[], etag?: string): FetchOutcome => ({
  ok: true,
  document: {
    url: 'https://feeds.example/x',
    status: 200,
    contentType: 'application/rss+xml',
    etag,
    lastModified: undefined,
    body: Buffer.from(
      `<rss version="2.0"><channel><title>t</title>${items.map(item => `<item><title>t</title><guid>${item.guid}</guid><pubDate>${new Date(item.at).toUTCString()}</pubDate></item>`).join('')}</channel></rss>`,
    ),
  },
})
const item = (guid: string, at: string) => ({ guid, at })

test('only feeds that are due are read, each once; what it knows is sent along', async () => {
  answerOf = () => feed([item('1', '2026-11-20T00:00:00Z')], '"v1"')
  expect(await run()).toBe(4)
  expect(await run()).toBe(0)
  later(15)
  expect(await run()).toBe(4)
  expect(requested.at(-1)?.etag).toBe('"v1"')
  const [enabled, disabled] = rows.a.feedIds
  await own.database.inScope(SYSTEM, tx =>
    tx
      .updateTable('feeds')
      .set({ enabled: false })
      .where('id', '=', disabled ?? 0n)
      .execute(),
  )
  await own.database.inScope(SYSTEM, tx =>
    tx
      .updateTable('feeds')
      .set({ type: 'scraping_rule_only' })
      .where('id', 'in', [...rows.b.feedIds])
      .execute(),
  )
  later(15)
  expect(await run()).toBe(1)
  expect(await healthOf(enabled)).toMatchObject({ state: 'ok', failures: 0, errorClass: null })
})

test('one mail per outage to the administrators of the publisher, one when it is over', async () => {
  const [feedId] = rows.a.feedIds
  // Of the last 28 days, 10 have arrived.
  revenueOf = async ({ publisherIds: [publisherId = 0n], mediumIds: [mediumId = 0n], range }) => {
    expect(range).toEqual({ from: addDays(dayAt(clock.now()), -28), to: addDays(dayAt(clock.now()), -1) })
    return Array.from({ length: 10 }, (_, n) => ({ publisherId, mediumId, microYen: BigInt(n + 1) * 2_000_000_000n }))
  }
  answerOf = () => ({ ok: false, problem: 'http-status', status: 503 })
  const states: (string | undefined)[] = []
  for (let reading = 0; reading < 6; reading += 1) {
    later(800)
    await run()
    states.push((await healthOf(feedId))?.state)
  }
  expect(states).toEqual(['failing', 'failing', 'outage', 'outage', 'outage', 'outage'])
  expect(mails.map(mail => mail.to)).toEqual([rows.users['insight:publisher_admin'].email])
  expect(mails[0]?.subject).toBe('フィード「ALPHA フィード 1」を読み込めません')
  expect(mails[0]?.text).toContain(`https://pc.example/gpc/#/managements/feeds/edit/${feedId}`)
  expect(mails[0]?.text).toContain('失われるおそれのある収益（推定）：1日あたり約11,000円')
  expect(await healthOf(feedId)).toMatchObject({ errorClass: 'http', failures: 6 })
  answerOf = () => feed([])
  later(1500)
  await run()
  expect(mails.map(mail => mail.subject)).toEqual([
    'フィード「ALPHA フィード 1」を読み込めません',
    'フィード「ALPHA フィード 1」が復旧しました',
  ])
  expect(await healthOf(feedId)).toMatchObject({ state: 'ok', failures: 0, failingSince: null, alertedAt: null })
})

test('a broken feed is a failure with its class; an address that was changed meanwhile is left alone', async () => {
  const [feedId] = rows.a.feedIds
  answerOf = () => ({
    ok: true,
    document: {
      url: 'x',
      status: 200,
      contentType: '',
      etag: undefined,
      lastModified: undefined,
      body: Buffer.from('<rss>'),
    },
  })
  later(1500)
  await run()
  const broken = await healthOf(feedId)
  expect(broken).toMatchObject({ state: 'failing', errorClass: 'format' })
  later(1500)
  await own.database.inScope(SYSTEM, tx =>
    tx
      .updateTable('feedHealth')
      .set({ nextCheckAt: new Date(0) })
      .execute(),
  )
  answerOf = () => feed([])
  const changing: SafeFetch = async (url, request) => {
    await own.database.inScope(SYSTEM, tx =>
      tx
        .updateTable('feeds')
        .set({ url: `${url}?new` })
        .where('id', '=', feedId ?? 0n)
        .execute(),
    )
    return safeFetch(url, request)
  }
  await checkDueFeeds({ ...dependencies(), safeFetch: changing }, new AbortController().signal)
  expect((await healthOf(feedId))?.checkedAt).toEqual(broken?.checkedAt)
})

test('articles count once, on their day; a weekday that is far below its usual is quiet', async () => {
  const [feedId] = rows.a.feedIds
  await own.database.inScope(SYSTEM, tx => tx.deleteFrom('feedHealth').execute())
  await own.database.inScope(SYSTEM, tx => tx.deleteFrom('feedSeenItems').execute())
  clock.set('2026-12-01T03:00:00Z')
  const start = dayAt(clock.now())
  const seen = new Set<string>()
  for (let passed = 0; passed <= 30; passed += 1) {
    const day = addDays(start, passed)
    // Ten articles a day; on the last day one.
    const count = passed === 29 ? 1 : 10
    const items = Array.from({ length: count }, (_, index) => item(`${day}-${index}`, `${day}T01:00:00Z`))
    for (const one of items) seen.add(one.guid)
    answerOf = () => feed([...items, ...items])
    await run()
    later(24 * 60)
  }
  const health = await healthOf(feedId)
  expect(health).toMatchObject({ volumeDay: addDays(start, 29), volumeItems: 1, usualHundredths: 1000, state: 'quiet' })
  const counted = await own.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('feedSeenItems')
      .select(eb => eb.fn.countAll<bigint>().as('count'))
      .where('feedId', '=', feedId ?? 0n)
      .executeTakeFirstOrThrow(),
  )
  expect(Number(counted.count)).toBe(seen.size)
})

test('names that stand for nobody are not called', async () => {
  await own.database.inScope(SYSTEM, tx => tx.deleteFrom('feedHealth').execute())
  const [feedId] = rows.a.feedIds
  await own.database.inScope(SYSTEM, tx =>
    tx
      .updateTable('feeds')
      .set({ url: 'https://publisher-1.example.jp/feeds/1.xml' })
      .where('id', '=', feedId ?? 0n)
      .execute(),
  )
  expect(await run()).toBe(0)
  expect(requested).toEqual([])
  expect(await healthOf(feedId)).toMatchObject({ state: 'unchecked', checkedAt: null, failures: 0 })
  expect(mails).toEqual([])
})
