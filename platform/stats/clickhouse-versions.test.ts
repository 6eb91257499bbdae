import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { sharedTestCluster } from '@pc/testing/postgres-cluster.ts'
import {
  dropTestDatabase,
  openTestClickHouse,
  STATS_ENGINES,
  startTestClickHouse,
  TEST_CLUSTER,
} from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, inColumnOrder } from '@pc/testing/statistics/stats-rows.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixedClock } from '../clock.ts'
import { withClient } from '../postgres/roles.ts'
import type { ClickHouseTransport } from './clickhouse-client.ts'
import { clickHouseServer } from './clickhouse-server.ts'
import { openClickHouse } from './clickhouse-store.ts'
import type { StatsStore } from './port.ts'
import { ident, sql, sumInt, table } from './sql.ts'
import { TABLES, type TableName } from './tables.ts'
import { PublicationConflict, VersionLedger } from './version-ledger.ts'

const articleDay = (date: string, batchNo: bigint, click: bigint): FactRow => ({
  ...Object.fromEntries(TABLES.article_day.columns.map(([name]) => [name, 0n])),
  date,
  medium_id: 1n,
  publisher_id: 7n,
  article_id: 3n,
  batch_no: batchNo,
  click,
})
const JANUARY = monthOfDay('2026-01-01' as Day)
const clicksOf = (name: TableName) => sql`select ${sumInt(ident('click'))} as clicks from ${table(name)}`

describe.runIf(STATS_ENGINES.includes('clickhouse'))('versions on ClickHouse', { timeout: 120_000 }, () => {
  let engine: Awaited<ReturnType<typeof startTestClickHouse>>
  let ledgerDatabase: TestDatabase
  let transport: ClickHouseTransport
  const opened: StatsStore[] = []
  const clock = fixedClock('2026-11-29T12:00:00+09:00')
  let databases = 0
  beforeAll(async () => {
    engine = await startTestClickHouse()
  })
  beforeEach(async () => {
    databases += 1
    ledgerDatabase = await testDatabase()
    transport = clickHouseServer(addressOf(`versions_${process.pid}_${databases}`))
    clock.set('2026-11-29T12:00:00+09:00')
    return async () => {
      for (const store of opened.splice(0)) await store.close()
      await transport.close()
      await dropTestDatabase(addressOf(transport.database))
      await ledgerDatabase.drop()
    }
  })
  afterAll(() => engine?.stop())

  async function open(): Promise<StatsStore> {
    const store = await openTestClickHouse(addressOf(transport.database), ledgerDatabase.url, clock)
    opened.push(store)
    return store
  }
  const addressOf = (database: string) => new URL(`/${database}`, engine.url).href
  const onCluster = TEST_CLUSTER === undefined ? '' : ` on cluster '${TEST_CLUSTER}'`
  const settings = TEST_CLUSTER === undefined ? {} : { distributed_ddl_output_mode: 'none', insert_distributed_sync: 1 }
  const command = (text: string) => transport.send(text, { settings })
  const rowsOf = async (name: TableName) =>
    Number(await transport.send(`select count() from ${transport.database}.${name}`, { settings: {}, format: 'TSV' }))
  const clicks = async (store: StatsStore, name: TableName) => (await store.query(clicksOf(name)))[0]!.clicks

  test('rows of a replaced version go when no snapshot can need them', async () => {
    const store = await open()
    await importFacts(store, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await importFacts(store, 2n, { article_day: [articleDay('2026-01-11', 2n, 8n)] }, [1n], [JANUARY])
    expect(await rowsOf('article_day')).toBe(2)
    await store.compact(JANUARY)
    expect(await rowsOf('article_day')).toBe(2)
    clock.set('2026-11-29T12:14:59+09:00')
    await store.compact(JANUARY)
    expect(await rowsOf('article_day')).toBe(2)
    clock.set('2026-11-29T12:15:01+09:00')
    await store.compact(JANUARY)
    expect([await rowsOf('article_day'), await rowsOf('article_month')]).toEqual([1, 1])
    expect([await clicks(store, 'article_day'), await clicks(store, 'article_month')]).toEqual([8n, 8n])
  })

  test('a dimension whose first tables are removed is still there after a start, and takes rows', async () => {
    const put = (store: StatsStore, id: bigint) =>
      store.putDimension('article_moment', (async function* () {
        yield [[id, 1n, 1n, 1n]]
      })()) // biome-ignore format: one block
    const store = await open()
    await put(store, 1n)
    clock.set('2026-11-29T12:15:01+09:00')
    await store.compact(JANUARY)
    const started = await open()
    await put(started, 2n)
    const known = sql`select article_id from ${table('article_moment')} order by article_id`
    for (const each of [store, started])
      expect(await each.query(known)).toEqual([{ article_id: 1n }, { article_id: 2n }])
  })

  test('a snapshot keeps its state while others publish, and ends before its rows may go', async () => {
    const [store, other] = [await open(), await open()]
    await importFacts(store, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await other.snapshot(async query => {
      await importFacts(store, 2n, { article_day: [articleDay('2026-01-10', 2n, 8n)] }, [1n], [JANUARY])
      expect(await query(clicksOf('article_day'))).toEqual([{ clicks: 5n }])
      expect(await clicks(store, 'article_day')).toBe(8n)
      clock.set('2026-11-29T12:04:59+09:00')
      expect(await query(clicksOf('article_month'))).toEqual([{ clicks: 5n }])
      clock.set('2026-11-29T12:05:01+09:00')
      await expect(query(clicksOf('article_month'))).rejects.toThrow(/too old/)
    })
    expect(await clicks(other, 'article_month')).toBe(8n)
  })

  test('a process that lost its turn to import cannot publish', async () => {
    const [first, second] = [await open(), await open()]
    const scope = { batchNo: 1n, replacesBatchNos: [], months: [JANUARY] }
    const run = await first.beginImport(scope)
    await run.append('article_day', inColumnOrder('article_day', [articleDay('2026-01-10', 1n, 5n)]))
    await importFacts(second, 1n, { article_day: [articleDay('2026-01-10', 1n, 6n)] })
    await expect(run.publish()).rejects.toThrow()
    await run.discard()
    expect(await clicks(first, 'article_day')).toBe(6n)
  })

  test('what another writer has begun to write cannot be published any more', async () => {
    const ledger = new VersionLedger(ledgerDatabase.url, clock)
    const version = { table: 'article_day', month: JANUARY, batchNo: 1n }
    const change = { versions: 1, replaces: [], whole: [], changesAnswers: true }
    const paused = await ledger.begin('import', [version])
    const next = await ledger.begin('import', [version])
    await expect(ledger.publish(paused, change)).rejects.toThrow(PublicationConflict)
    await ledger.publish(next, change)
    await expect(ledger.publish(next, change)).rejects.toThrow(PublicationConflict)
    const { hidden } = await ledger.read()
    expect(hidden.get('article_day')).toEqual([{ table: 'article_day', month: JANUARY, versionNo: paused }])
    await ledger.close()
  })

  test('a writer that fails after a restore shows nothing of what else was lost', async () => {
    const ledger = new VersionLedger(ledgerDatabase.url, clock)
    const version = { table: 'article_day', month: JANUARY, batchNo: 1n }
    const lost = await ledger.begin('import', [version])
    await withClient(ledgerDatabase.adminUrl, async client => {
      await client.query('alter table stats_ledger disable trigger name_ledger_change')
      await client.query(`update stats_ledger set change_no = 5, change_id = gen_random_uuid()`)
      await client.query('alter table stats_ledger enable trigger name_ledger_change')
      await client.query('delete from stats_versions')
    })
    await ledger.abandon(lost, [version])
    expect(await ledger.read()).toMatchObject({ until: 5n })
    await ledger.begin('import', [])
    const { hidden } = await ledger.read()
    expect(hidden.get('article_day')).toEqual([{ table: 'article_day', month: JANUARY, versionNo: lost }])
    await ledger.close()
  })

  test('rows of a copy that is newer than the ledger stay hidden, and their numbers unused', async () => {
    const store = await open()
    await importFacts(store, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    for (const versionNo of [3, 4, 5, 6, 7, 8, 9]) {
      await command(`insert into ${transport.database}.article_day (date, publisher_id, batch_no, click, version_no)
        values ('2026-01-12', 7, 9, 100, ${versionNo})`)
    }
    expect(await store.publishedBatches()).toEqual(new Map([[1n, 1n]]))
    await importFacts(store, 2n, { article_day: [articleDay('2026-01-11', 2n, 8n)] })
    expect([await clicks(store, 'article_day'), await clicks(store, 'article_month')]).toEqual([13n, 13n])
    clock.set('2026-11-29T13:00:00+09:00')
    await store.compact(JANUARY)
    expect(await rowsOf('article_day')).toBe(2)
  })

  test('a ledger that is restored from before merges gives its roll-ups back, and shows nothing that came later', async () => {
    const ledger = (text: string) => withClient(ledgerDatabase.adminUrl, client => client.query(text))
    const store = await open()
    await importFacts(store, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await importFacts(store, 2n, { article_day: [articleDay('2026-01-11', 2n, 8n)] })
    await ledger(`create table saved_ledger as table stats_ledger; create table saved_versions as table stats_versions`)
    await importFacts(store, 3n, { article_day: [articleDay('2026-01-12', 3n, 100n)] })
    await store.compact(JANUARY)
    clock.set('2026-11-29T12:15:01+09:00')
    await store.compact(JANUARY)
    await ledger(`delete from stats_versions; insert into stats_versions table saved_versions; delete from stats_ledger;
      insert into stats_ledger table saved_ledger`)
    const [started, other] = [await open(), await open()]
    expect(await clicks(other, 'article_day')).toBe(13n)
    expect(await started.publishedBatches()).toEqual(new Map([[1n, 1n], [2n, 1n]])) // biome-ignore format: one line
    for (const each of [started, other])
      expect([await clicks(each, 'article_day'), await clicks(each, 'article_month')]).toEqual([13n, 13n])
  })

  test('a process that lives through a restore of PostgreSQL answers what was restored, and brings nothing lost back', async () => {
    const name = new URL(ledgerDatabase.adminUrl.replace('@/', '@localhost/')).pathname.slice(1)
    const [writer, reader] = [await open(), await open()]
    await importFacts(writer, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await clicks(reader, 'article_day')
    const maintenanceUrl = (await sharedTestCluster()).url('postgres', 'postgres')
    const maintain = (text: string) => withClient(maintenanceUrl, client => client.query(text))
    const disconnect = () =>
      maintain(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
      )
    const whileNobodyIsConnected = async (text: string) => {
      await maintain(`alter database ${name} allow_connections false`)
      await disconnect()
      await maintain(text)
    }
    await whileNobodyIsConnected(`create database ${name}_saved template ${name}`)
    await maintain(`alter database ${name} allow_connections true`)
    await importFacts(writer, 2n, { article_day: [articleDay('2026-01-11', 2n, 100n)] })
    expect([await clicks(writer, 'article_day'), await clicks(reader, 'article_day')]).toEqual([105n, 105n])
    await whileNobodyIsConnected(`drop database ${name} with (force)`)
    await maintain(`alter database ${name}_saved rename to ${name}`)
    await maintain(`alter database ${name} allow_connections true`)

    expect([await clicks(writer, 'article_day'), await clicks(reader, 'article_month')]).toEqual([5n, 5n])
    // Another number 2: what was remembered of the lost one must not be the answer.
    await importFacts(writer, 2n, { article_day: [articleDay('2026-01-12', 2n, 8n)] })
    for (const each of [writer, reader])
      expect([await clicks(each, 'article_day'), await clicks(each, 'article_month')]).toEqual([13n, 13n])
  })

  test('what is written while PostgreSQL is restored to before its beginning is hidden when it fails', async () => {
    const asAdmin = (text: string) => withClient(ledgerDatabase.adminUrl, client => client.query(text))
    let isRestored = false
    const restoredMeanwhile: ClickHouseTransport = {
      ...clickHouseServer(addressOf(transport.database)),
      async send(text, options) {
        if (!isRestored && text.startsWith(`insert into ${transport.database}.article_day `)) {
          isRestored = true
          await asAdmin(`delete from stats_versions where state = 'writing'`)
          const answer = await transport.send(text, options)
          expect(await clicks(reader, 'article_day')).toBe(13n) // and it remembers that
          return answer
        }
        return transport.send(text, options)
      },
    }
    const reader = await open()
    await importFacts(reader, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    const writer = await openClickHouse(restoredMeanwhile, {
      ledger: new VersionLedger(ledgerDatabase.url, clock),
      clock,
      clusterName: TEST_CLUSTER,
    })
    opened.push(writer)
    await expect(importFacts(writer, 2n, { article_day: [articleDay('2026-01-11', 2n, 8n)] })).rejects.toThrow(
      PublicationConflict,
    )
    expect(isRestored).toBe(true)
    expect([await clicks(reader, 'article_day'), await clicks(reader, 'article_month')]).toEqual([5n, 5n])
  })

  test('two processes that start together fill a missing roll-up, in either order', async () => {
    const before = await open()
    await importFacts(before, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await command(`drop table ${transport.database}.article_month${onCluster} sync`)
    let inserts = 0
    let wake = () => {}
    /** Each goes on when the other one has begun too, or is done. */
    const slow: ClickHouseTransport = {
      ...clickHouseServer(addressOf(transport.database)),
      async send(text, options) {
        if (text.includes('insert into')) {
          wake()
          inserts += 1
          if (inserts < 6) await new Promise<void>(resolve => (wake = resolve))
        }
        return transport.send(text, options)
      },
    }
    const ledger = () => new VersionLedger(ledgerDatabase.url, clock)
    const stores = await Promise.all(
      [1, 2].map(() => openClickHouse({ ...slow }, { ledger: ledger(), clock, clusterName: TEST_CLUSTER })),
    )
    opened.push(...stores)
    await Promise.all(stores.map(store => store.prepare!().then(() => wake())))
    expect(inserts).toBe(2)
    expect(await clicks(stores[0]!, 'article_month')).toBe(5n)
  })

  test('a publication that is overtaken by a merge is made again', async () => {
    const other = await open()
    let isMerged = false
    const overtaken: ClickHouseTransport = {
      ...clickHouseServer(addressOf(transport.database)),
      async send(text, options) {
        if (!isMerged && text.startsWith(`insert into ${transport.database}.article_day `)) {
          isMerged = true
          expect(await other.compact(JANUARY)).toEqual([JANUARY])
        }
        return transport.send(text, options)
      },
    }
    await importFacts(other, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await importFacts(other, 2n, { article_day: [articleDay('2026-01-11', 2n, 8n)] })
    const store = await openClickHouse(overtaken, {
      ledger: new VersionLedger(ledgerDatabase.url, clock),
      clock,
      clusterName: TEST_CLUSTER,
    })
    opened.push(store)
    await importFacts(store, 3n, { article_day: [articleDay('2026-01-10', 3n, 50n)] }, [1n], [JANUARY])
    expect(isMerged).toBe(true)
    expect([await clicks(store, 'article_day'), await clicks(store, 'article_month')]).toEqual([58n, 58n])
  })

  test('a month that cannot be merged keeps no old version', async () => {
    const full: ClickHouseTransport = {
      ...clickHouseServer(addressOf(transport.database)),
      async send(text, options) {
        if (/^insert into \S+_month \(/.test(text)) throw new Error('no memory')
        return transport.send(text, options)
      },
    }
    const store = await open()
    await importFacts(store, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await importFacts(store, 2n, { article_day: [articleDay('2026-01-10', 2n, 8n)] }, [1n], [JANUARY])
    await importFacts(store, 3n, { article_day: [articleDay('2026-01-11', 3n, 9n)] })
    clock.set('2026-11-29T12:15:01+09:00')
    const failing = await openClickHouse(full, {
      ledger: new VersionLedger(ledgerDatabase.url, clock),
      clock,
      clusterName: TEST_CLUSTER,
    })
    opened.push(failing)
    await expect(failing.compact(JANUARY)).rejects.toThrow('no memory')
    expect(await rowsOf('article_day')).toBe(2)
    expect([await clicks(store, 'article_day'), await clicks(store, 'article_month')]).toEqual([17n, 17n])
  })

  test('years of days that are merged in one night can be read until their rows are removed', async () => {
    const store = await open()
    await importFacts(store, 1n, { article_day: [articleDay('2026-01-10', 1n, 5n)] })
    await withClient(ledgerDatabase.adminUrl, client =>
      client.query(`with change as (update stats_ledger set change_no = 1000000 returning 1)
        insert into stats_versions (table_name, month, version_no, writer, state, ended_at)
        select 'article_month', 202601, n, 'import', 'replaced', now() from generate_series(900000, 920000) n, change`),
    )
    expect(await clicks(store, 'article_month')).toBe(5n)
  })

  // Such a store was one server.
  test.skipIf(TEST_CLUSTER !== undefined)(
    'a store that knew no versions is published as it is, and its batches are replaced exactly',
    async () => {
      const columns = (name: TableName) =>
        TABLES[name].columns
          .map(([column, type, nullable]) => `${column} ${nullable ? `Nullable(${type})` : type}`)
          .join(', ')
      await command(`create database ${transport.database}`)
      for (const name of Object.keys(TABLES) as TableName[]) {
        await command(`create table ${transport.database}.${name} (${columns(name)})
        engine = MergeTree partition by toYYYYMM(date) order by (${TABLES[name].key.join(', ')})`)
      }
      await command(`insert into ${transport.database}.article_day (date, medium_id, publisher_id, article_id, batch_no, click)
      values ('2026-01-10', 1, 7, 3, 1, 5), ('2026-01-11', 1, 7, 3, 2, 6), ('2026-02-01', 1, 7, 3, 2, 7)`)
      await command(`insert into ${transport.database}.article_month (date, medium_id, publisher_id, article_id, click)
      values ('2026-01-01', 1, 7, 3, 11), ('2026-02-01', 1, 7, 3, 7)`)
      const store = await open()
      expect([await clicks(store, 'article_day'), await clicks(store, 'article_month')]).toEqual([18n, 18n])
      expect(await store.publishedBatches()).toEqual(new Map([[1n, 1n], [2n, 2n]])) // biome-ignore format: one line
      await importFacts(store, 3n, { article_day: [articleDay('2026-01-10', 3n, 50n)] }, [1n], [JANUARY])
      expect([await clicks(store, 'article_day'), await clicks(store, 'article_month')]).toEqual([63n, 63n])
      expect(await store.query(sql`select count(*) as n from ${table('article_month')}`)).toEqual([{ n: 2n }])
    },
  )
})
