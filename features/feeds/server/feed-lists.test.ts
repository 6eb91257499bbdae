import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedsOf } from './feed-store.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await testDatabase({ maxConnections: 1 })
  await withClient(own.adminUrl, async client => {
    await client.query("set app.scope = 'all'")
    await client.query("insert into media values (1, 'アプリ')")
    await client.query("insert into organizations (name) values ('自社'), ('他社')")
    await client.query(`insert into publishers (organization_id, name)
      select case when n <= 300 then 1 else 2 end, '発行' || n from generate_series(1, 6000) n order by n`)
    await client.query(`insert into feeds (publisher_id, medium_id, name, url, type)
      select id, 1, name, 'https://a.example/' || id, 'rss_fulltext' from publishers order by id`)
    await client.query("insert into feed_health (feed_id, state, next_check_at) select id, 'ok', now() from feeds")
    await client.query('vacuum (analyze)')
  })
})
afterAll(() => own?.drop())

test('a page of a publisher’s feeds with their health reads the feeds of the page', async () => {
  const scope = { kind: 'organization', uid: '00000000-0000-0000-0000-000000000001', organizationId: 1n } as const
  const read = () =>
    own.database.inScope(SYSTEM, async tx => {
      const { rows } = await sql<{
        read: bigint
      }>`select pg_stat_force_next_flush(), seq_tup_read + idx_tup_fetch as read
        from pg_stat_user_tables where relid = 'feeds'::regclass`.execute(tx)
      return Number(rows[0]!.read)
    })
  const ids = Array.from({ length: 20 }, (_, n) => BigInt(1 + n))
  await read()
  const before = await read()
  const feeds = await feedsOf(own.database.reader(scope), [...ids, 5_000n])
  await read()
  expect(feeds.map(feed => [feed.id, feed.health?.state])).toEqual(ids.map(id => [id, 'ok']))
  expect((await read()) - before).toBeLessThan(5 * ids.length)
})
