import { day } from '@pc/domain/month/day.ts'
import { isClickHouseEngineInstalled, startClickHouseEngine } from '@pc/testing/statistics/clickhouse-engine.ts'
import { openTestClickHouse, TEST_CLUSTER } from '@pc/testing/statistics/stats-engines.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { expect, test } from 'vitest'
import { clickHouseServer } from './clickhouse-server.ts'
import { ident, sql, sumInt, table } from './sql.ts'
import { TABLES, type Table } from './tables.ts'

const definitionOf = (table: Table, isThere = (_name: string) => true) =>
  table.columns
    .filter(([name]) => isThere(name))
    .map(([name, type, nullable]) => `${name} ${nullable ? `Nullable(${type})` : type}`)
    .join(', ')

test.runIf(isClickHouseEngineInstalled() && TEST_CLUSTER === undefined)(
  'a store whose rows lie in the order of an earlier version takes imports',
  { timeout: 120_000 },
  async () => {
    const engine = await startClickHouseEngine()
    const transport = clickHouseServer(`${engine.url}/stats_earlier_order`)
    const command = (text: string) => transport.send(text, { settings: {} })
    await command(`create database ${transport.database}`)
    await command(
      `create table ${transport.database}.publisher_month (${definitionOf(TABLES.publisher_month)})
       engine = MergeTree partition by toYYYYMM(date) order by (medium_id, publisher_id, date)`,
    )
    const ledger = await testDatabase()
    const store = await openTestClickHouse(`${engine.url}/${transport.database}`, ledger.url)
    try {
      const dayOf = (batchNo: bigint, clicks: bigint) => ({
        ...Object.fromEntries(TABLES.publisher_day.columns.map(([name]) => [name, 0n])),
        date: '2026-01-15',
        medium_id: 1n,
        publisher_id: 7n,
        batch_no: batchNo,
        article_click: clicks,
      })
      const clicks = sql`select ${sumInt(ident('article_click'))} as clicks from ${table('publisher_month')}`
      await importFacts(store, 1n, { publisher_day: [dayOf(1n, 5n)] })
      expect(await store.query(clicks)).toEqual([{ clicks: 5n }])
      await importFacts(store, 2n, { publisher_day: [dayOf(2n, 8n)] }, [1n])
      expect(await store.query(clicks)).toEqual([{ clicks: 8n }])
    } finally {
      await store.close()
      await ledger.drop()
      await transport.close()
      await engine.stop()
    }
  },
)

test.runIf(isClickHouseEngineInstalled() && TEST_CLUSTER === undefined)(
  'a store of an earlier version gets the columns that it lacks, keeps its months and takes imports',
  { timeout: 120_000 },
  async () => {
    const engine = await startClickHouseEngine()
    const transport = clickHouseServer(`${engine.url}/stats_fewer_columns`)
    const command = (text: string) => transport.send(text, { settings: {} })
    await command(`create database ${transport.database}`)
    const isThere = (name: string) => !['is_lone', 'first_on', 'last_on'].includes(name)
    const { key } = TABLES.article_month
    await command(
      `create table ${transport.database}.article_month (${definitionOf(TABLES.article_month, isThere)})
       engine = MergeTree partition by toYYYYMM(date) order by (${key.join(', ')})`,
    )
    await command(
      `insert into ${transport.database}.article_month (date, medium_id, publisher_id, article_id, click) values ('2025-12-01', 1, 7, 3, 4)`,
    )
    const ledger = await testDatabase()
    const store = await openTestClickHouse(`${engine.url}/${transport.database}`, ledger.url)
    try {
      const columns = TABLES.article_day.columns.map(([name]) => [name, 0n])
      const zeros = { ...Object.fromEntries(columns), date: '2026-01-15', medium_id: 1n, publisher_id: 7n }
      await importFacts(store, 1n, { article_day: [{ ...zeros, article_id: 3n, batch_no: 1n, click: 5n }] })
      const months = sql`select date, article_id, click, is_lone from ${table('article_month')} order by date`
      expect(await store.query(months)).toEqual([
        { date: '2025-12-01', article_id: 3n, click: 4n, is_lone: 0n },
        { date: '2026-01-01', article_id: 3n, click: 5n, is_lone: 0n },
      ])
      const added = sql`select first_on, last_on from ${table('article_month')} where date = ${day('2026-01-01')}`
      expect(await store.query(added)).toEqual([{ first_on: '2026-01-15', last_on: '2026-01-15' }])
    } finally {
      await store.close()
      await ledger.drop()
      await transport.close()
      await engine.stop()
    }
  },
)

test.runIf(isClickHouseEngineInstalled() && TEST_CLUSTER === undefined)(
  'a store of a version without a roll-up gets it filled from the facts that it has',
  { timeout: 120_000 },
  async () => {
    const engine = await startClickHouseEngine()
    const address = `${engine.url}/stats_fewer_tables`
    const dayOf = (date: string, batchNo: bigint, clicks: bigint) => ({
      ...Object.fromEntries(TABLES.publisher_day.columns.map(([name]) => [name, 0n])),
      date,
      medium_id: 1n,
      publisher_id: 7n,
      batch_no: batchNo,
      article_click: clicks,
    })
    const rows = sql`select date, article_click from ${table('medium_day')} order by date`
    const expected = [
      { date: '2025-12-31', article_click: 4n },
      { date: '2026-01-15', article_click: 5n },
    ]
    const transport = clickHouseServer(address)
    const ledger = await testDatabase()
    const earlier = await openTestClickHouse(address, ledger.url)
    await importFacts(earlier, 1n, { publisher_day: [dayOf('2025-12-31', 1n, 4n), dayOf('2026-01-15', 1n, 5n)] })
    expect(await earlier.query(rows)).toEqual(expected)
    await transport.send(`drop table ${transport.database}.medium_day sync`, { settings: {} })
    await earlier.close()
    const stores = await Promise.all([1, 2].map(() => openTestClickHouse(address, ledger.url)))
    try {
      for (const store of stores) expect(await store.query(rows)).toEqual(expected)
    } finally {
      await Promise.all(stores.map(store => store.close()))
      await ledger.drop()
      await transport.close()
      await engine.stop()
    }
  },
)
