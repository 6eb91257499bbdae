import { addDays } from '@pc/domain/month/day.ts'
import { checkDueFeeds } from '@pc/features/feeds/server/feed-check-job.ts'
import { today } from '@pc/platform/clock.ts'
import { openSafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql as statsSql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertApiKeys } from '../../../demo/demo-api-keys.ts'
import { DEMO_FEEDS, demoFeedUrl } from '../../../demo/demo-feeds.ts'
import { insertMasterData } from '../../../demo/demo-master-data.ts'
import { demoDay, SUMMARY_HEADER } from '../../../demo/demo-statistics.ts'
import { DEMO_USERS, insertUsers } from '../../../demo/demo-users.ts'
import { NO_QUEUE } from './books.ts'
import { keepDemoLiveHours } from './demo-live-hours.ts'
import { keepDemoFeedReadings } from './feed-readings.ts'
import { openDemoFeedSites } from './feed-sites.ts'
import { addDemoStaffActions } from './staff-actions.ts'

/** What there is to look at besides figures and money, which `demo-dates.faults.test.ts` looks at. */
const fixture = await ingestFixture({ empty: true })
afterAll(() => fixture.close())
const { database, clock } = fixture.context
const read = <T>(work: (tx: Transaction) => Promise<T>) => database.inScope(SYSTEM, work)
const yesterday = addDays(today(clock), -1)
const feedDependencies = {
  database,
  clock,
  jobs: NO_QUEUE,
  webOrigin: 'http://127.0.0.1',
  readDailyRevenue: async () => [],
}

beforeAll(async () => {
  const channels = await read(async tx => {
    const made = await insertMasterData(tx, { first: yesterday, last: yesterday })
    await insertUsers(
      tx,
      DEMO_USERS.map(() => 'hash'),
      new Date(clock.now()),
    )
    await insertApiKeys(tx, clock.now())
    return made
  })
  await fixture.taken('summary-daily', SUMMARY_HEADER + demoDay(channels, yesterday).summaries.join(''))
  // A start that was killed is completed: twice is once.
  for (const _ of [1, 2]) {
    await addDemoStaffActions(database, clock)
    await keepDemoLiveHours(database, clock)
    await keepDemoFeedReadings(feedDependencies)
  }
})

const feedStates = async () => {
  const rows = await read(tx =>
    tx
      .selectFrom('feedHealth as h')
      .innerJoin('feeds as f', 'f.id', 'h.feedId')
      .select(['f.url', 'h.state'])
      .where('h.state', '<>', 'unchecked')
      .execute(),
  )
  return new Map(rows.map(row => [row.url, row.state]))
}
const EXPECTED = { ok: 'ok', quiet: 'quiet', failing: 'failing', broken: 'outage' }
const expectedStates = (change: Partial<typeof EXPECTED> = {}) =>
  new Map(
    DEMO_FEEDS.map(feed => [demoFeedUrl(feed.publisher, feed.mediumId)!, { ...EXPECTED, ...change }[feed.behavior]]),
  )

test('feeds of every state, which the job reads on the loopback and finds so on the next days too', async () => {
  expect(await feedStates()).toEqual(expectedStates())
  const requested: string[] = []
  const sites = openDemoFeedSites(clock, async address => {
    requested.push(address)
    return { ok: false, problem: 'address-not-public' }
  })
  const job = { ...feedDependencies, safeFetch: sites.fetch, servesFeedsOf: sites.serves, pauseMs: 0 }
  try {
    for (const [time, failing] of [
      ['2026-11-20T13:10:00+09:00', 'failing'],
      ['2026-11-20T13:40:00+09:00', 'ok'],
      ['2026-11-22T09:50:00+09:00', 'ok'],
    ] as const) {
      fixture.clock.set(time)
      expect(await checkDueFeeds(job, new AbortController().signal), time).toBeGreaterThan(0)
      expect(await feedStates(), time).toEqual(expectedStates({ failing }))
    }
    expect(requested).toEqual([])
  } finally {
    sites.close()
    fixture.clock.set('2026-11-20T12:00:00+09:00')
  }
})

test('no other address leads to the loopback', async () => {
  const requested: string[] = []
  const sites = openDemoFeedSites(clock, async address => {
    requested.push(address)
    return { ok: false, problem: 'address-not-public' }
  })
  const get = (address: string) => sites.fetch(address, { accept: '*/*' })
  try {
    const url = 'https://asagiri-digital.example.jp/feed.xml'
    expect(await get(url)).toMatchObject({ ok: true, document: { url } })
    expect(await get('https://asagiri-digital.example.jp/')).toMatchObject({ problem: 'http-status', status: 404 })
    const foreign = [
      'http://asagiri-digital.example.jp/feed.xml',
      'https://asagiri-digital.example.jp:8443/feed.xml',
      'https://asagiri-digital.example.jp.evil.example/feed.xml',
      'https://asagiri-digital.example.jp@127.0.0.1/feed.xml',
      'http://127.0.0.1/feed.xml',
      'not an address',
    ]
    for (const address of foreign) expect(await get(address), address).toMatchObject({ problem: 'address-not-public' })
    expect(requested).toEqual(foreign)
    const elsewhere = openSafeFetch({ resolve: async () => ['127.0.0.1'] })
    expect(await elsewhere(url, { accept: '*/*' })).toMatchObject({ ok: false, problem: 'address-not-public' })
  } finally {
    sites.close()
  }
})

test('events of today and of the days that they are compared with, as the daily figures say', async () => {
  const { rows } = await read(tx =>
    sql<{ day: string; hours: bigint; impressions: bigint; clicks: bigint }>`
      select (starts_at at time zone 'Asia/Tokyo')::date as day, count(distinct starts_at) as hours,
        sum(article_impression)::bigint as impressions, sum(article_click)::bigint as clicks
      from event_hours group by 1 order by 1`.execute(tx),
  )
  expect(rows.map(({ day, hours }) => [day, hours])).toEqual([
    ['2026-11-13', 24n],
    ['2026-11-19', 24n],
    ['2026-11-20', 24n],
  ])
  const [daily] = await fixture.context.stats.query(statsSql`
    select ${sumInt(statsSql`article_impression`)} as impressions, ${sumInt(statsSql`article_click`)} as clicks
    from ${table('publisher_day')} where date = ${yesterday}`)
  expect(rows[1]).toMatchObject(daily!)
})

test('a person who is paid, a removed article, rows of staging, shared boards, a key for some addresses', async () => {
  const found = await read(async tx => ({
    people: await tx.selectFrom('agreements').select('code').where('payeeKind', '=', 'individual').execute(),
    removals: await tx.selectFrom('mediumArticleRemovals').select('restoredAt').orderBy('id').execute(),
    boards: await tx.selectFrom('boards').select(['isByStaff', 'sharedRoles']).orderBy('id').execute(),
    keys: await tx
      .selectFrom('publisherApiKeys')
      .select('name')
      .where(sql<boolean>`cardinality(allowed_addresses) > 0`)
      .execute(),
    staging: await sql`select (select count(*) from staging.publishers) as publishers,
      (select count(*) from staging.feeds) as feeds`.execute(tx),
  }))
  expect(found.people).toEqual([{ code: 'MNS-1' }])
  expect(found.removals).toEqual([{ restoredAt: expect.any(Date) }, { restoredAt: null }])
  expect(found.boards).toEqual([
    { isByStaff: true, sharedRoles: ['insight:admin', 'insight:viewer'] },
    { isByStaff: false, sharedRoles: ['insight:publisher_editor'] },
  ])
  expect(found.keys).toEqual([{ name: '会計システム' }])
  expect(found.staging.rows).toEqual([{ publishers: 2n, feeds: 3n }])
})
