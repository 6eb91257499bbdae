import { isClickHouseEngineInstalled, startClickHouseEngine } from '@pc/testing/clickhouse-engine.ts'
import { importFacts } from '@pc/testing/stats-rows.ts'
import { expect, test } from 'vitest'
import { clickHouseServer } from './clickhouse-server.ts'
import { openClickHouse } from './clickhouse-store.ts'
import { ident, sql, sumInt, table } from './sql.ts'
import { TABLES } from './tables.ts'

test.runIf(isClickHouseEngineInstalled())(
  'a store whose rows lie in the order of an earlier version takes imports',
  { timeout: 120_000 },
  async () => {
    const engine = await startClickHouseEngine()
    const transport = clickHouseServer(`${engine.url}/stats_earlier_order`)
    const command = (text: string) => transport.send(text, { settings: {} })
    await command(`create database ${transport.database}`)
    const columns = TABLES.publisher_month.columns.map(
      ([name, type, nullable]) => `${name} ${nullable ? `Nullable(${type})` : type}`,
    )
    await command(
      `create table ${transport.database}.publisher_month (${columns.join(', ')})
       engine = MergeTree partition by toYYYYMM(date) order by (medium_id, publisher_id, date)`,
    )
    const store = await openClickHouse(transport)
    try {
      const day = (batchNo: bigint, clicks: bigint) => ({
        ...Object.fromEntries(TABLES.publisher_day.columns.map(([name]) => [name, 0n])),
        ...{ date: '2026-01-15', medium_id: 1n, publisher_id: 7n, batch_no: batchNo, article_click: clicks },
      })
      const clicks = sql`select ${sumInt(ident('article_click'))} as clicks from ${table('publisher_month')}`
      await importFacts(store, 1n, { publisher_day: [day(1n, 5n)] })
      expect(await store.query(clicks)).toEqual([{ clicks: 5n }])
      await importFacts(store, 2n, { publisher_day: [day(2n, 8n)] }, [1n])
      expect(await store.query(clicks)).toEqual([{ clicks: 8n }])
    } finally {
      await store.close()
      await engine.stop()
    }
  },
)
