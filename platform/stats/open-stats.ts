import path from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type DuckDbSettings, openDuckDb } from './duckdb-store.ts'
import { nextFileOf, OutdatedStatisticsFile, putNextFileInPlace, removeNextFile } from './outdated-statistics-file.ts'
import type { StatsStore } from './port.ts'
import { StatsStoreError } from './stats-store-error.ts'

type StatsConfig = Pick<Config, 'clickhouseUrl' | 'clickhouseCluster' | 'dataDir' | 'statsMemoryLimit' | 'statsThreads'>

/**
 * The statistics store: ClickHouse with `CLICKHOUSE_URL` (and `CLICKHOUSE_CLUSTER`), otherwise the embedded DuckDB
 * file.
 * @param databaseUrl PostgreSQL, which holds the ledger of ClickHouse versions; only awaited at first use
 * @throws StatsStoreError with recovery steps
 */
export async function openStats(
  config: StatsConfig,
  databaseUrl: string | Promise<string>,
  clock: Clock,
): Promise<StatsStore> {
  if (config.clickhouseUrl !== undefined) {
    const { openClickHouse } = await import('./clickhouse-store.ts')
    const { clickHouseServer } = await import('./clickhouse-server.ts')
    const { VersionLedger } = await import('./version-ledger.ts')
    const ledger = new VersionLedger(databaseUrl, clock)
    return openClickHouse(clickHouseServer(config.clickhouseUrl), {
      ledger,
      clock,
      clusterName: config.clickhouseCluster,
    })
  }
  return openEmbedded(config)
}

async function openEmbedded(config: StatsConfig): Promise<StatsStore> {
  const settings = duckDbSettings(config)
  const store = await openDuckDb(settings)
  removeNextFile(settings.file)
  return store
}

function duckDbSettings({ dataDir, statsMemoryLimit, statsThreads }: StatsConfig): DuckDbSettings {
  const file = path.join(dataDir, 'stats', 'stats.duckdb')
  return { file, memoryLimit: statsMemoryLimit, threads: statsThreads }
}

export const isOutdated = (error: unknown) => error instanceof StatsStoreError && error.reason === 'outdated'

/** Rebuild of the embedded store for the current tables, beside a file of an earlier version. */
export interface StatsRebuild {
  /** The new store; it still contains what an interrupted rebuild has filled. */
  readonly store: StatsStore
  readonly outdated: OutdatedStatisticsFile
  /** Closes both files, replaces the outdated one by the new one and opens it. */
  publish(): Promise<StatsStore>
  /** Keeps the outdated file; the next start continues the rebuild. Idempotent. */
  close(): Promise<void>
}

/** Opens an outdated file for reading and a new one beside it, which may contain the work of an interrupted rebuild. */
export async function beginStatsRebuild(config: StatsConfig): Promise<StatsRebuild> {
  const settings = duckDbSettings(config)
  const next = { ...settings, file: nextFileOf(settings.file) }
  const store = await openDuckDb(next).catch(error => {
    const isUseless = isOutdated(error) || (error instanceof StatsStoreError && error.reason === 'damaged')
    if (!isUseless) throw error
    removeNextFile(settings.file)
    return openDuckDb(next)
  })
  const outdated = await OutdatedStatisticsFile.open(settings.file).catch(async error => {
    await store.close()
    throw error
  })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    outdated.close()
    await store.close()
  }
  return {
    store,
    outdated,
    close,
    async publish() {
      await close()
      putNextFileInPlace(settings.file)
      return openEmbedded(config)
    },
  }
}
