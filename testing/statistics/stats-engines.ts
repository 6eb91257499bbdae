import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Clock, systemClock } from '@pc/platform/clock.ts'
import { clickHouseServer } from '@pc/platform/stats/clickhouse-server.ts'
import { openClickHouse } from '@pc/platform/stats/clickhouse-store.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { VersionLedger } from '@pc/platform/stats/version-ledger.ts'
import { testDatabase } from '../test-database.ts'
import { isClickHouseEngineInstalled, SHARDED_CLUSTER, startClickHouseEngine } from './clickhouse-engine.ts'

export interface StatsEngine {
  readonly store: StatsStore
  /** Closes the store and deletes its data. */
  drop(): Promise<void>
}

/** An empty embedded store in a folder of its own. */
export async function openTestDuckDb(): Promise<StatsEngine> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stats-'))
  const store = await openDuckDb({ file: path.join(folder, 'stats.duckdb'), memoryLimit: '512MB', threads: 2 })
  return {
    store,
    async drop() {
      await store.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Engines that the tests run on: DuckDB always, ClickHouse if a server (`CLICKHOUSE_URL`) or the test engine is
 * available. `npm run test:clickhouse` requires it.
 */
export const STATS_ENGINES: readonly StatsStore['engine'][] =
  process.env.CLICKHOUSE_URL || process.env.REQUIRE_CLICKHOUSE || isClickHouseEngineInstalled()
    ? ['duckdb', 'clickhouse']
    : ['duckdb']

/** Cluster for tests on ClickHouse; undefined: a single server. `npm run test:clickhouse -- --shards` emulates one. */
export const TEST_CLUSTER: string | undefined = process.env.CLICKHOUSE_URL
  ? process.env.CLICKHOUSE_CLUSTER || undefined
  : process.env.TEST_CLICKHOUSE_SHARDS
    ? SHARDED_CLUSTER
    : undefined

/** The server of `CLICKHOUSE_URL`, or a test engine that is started. */
export async function startTestClickHouse(): Promise<{ url: string; stop(): Promise<void> }> {
  const url = process.env.CLICKHOUSE_URL
  return url ? { url, stop: async () => undefined } : startClickHouseEngine({ hasShards: TEST_CLUSTER !== undefined })
}

/** Drops the database that a test has created. */
export async function dropTestDatabase(address: string, clusterName = TEST_CLUSTER): Promise<void> {
  const transport = clickHouseServer(address)
  const onCluster = clusterName === undefined ? '' : ` on cluster '${clusterName}'`
  const settings = clusterName === undefined ? {} : { distributed_ddl_output_mode: 'none' }
  await transport.send(`drop database if exists ${transport.database}${onCluster} sync`, { settings })
  await transport.close()
}

/** The store of a ClickHouse database whose ledger is in this PostgreSQL database. */
export function openTestClickHouse(
  address: string,
  databaseUrl: string,
  clock: Clock = systemClock,
  clusterName: string | undefined = TEST_CLUSTER,
): Promise<StatsStore> {
  const ledger = new VersionLedger(databaseUrl, clock)
  return openClickHouse(clickHouseServer(address), { ledger, clock, clusterName })
}

let openedDatabases = 0

/** An empty store. On a server of `CLICKHOUSE_URL` it has its own database, which is dropped at the end. */
export async function openTestStats(engine: StatsStore['engine']): Promise<StatsEngine> {
  if (engine === 'duckdb') return openTestDuckDb()
  const started = await startTestClickHouse()
  const url = new URL(started.url)
  openedDatabases += 1
  url.pathname = `/stats_test_${process.pid}_${openedDatabases}`
  const ledger = await testDatabase()
  const store = await openTestClickHouse(url.href, ledger.url)
  return {
    store,
    async drop() {
      await store.close()
      await ledger.drop()
      await dropTestDatabase(url.href)
      await started.stop()
    },
  }
}
