import path from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type DuckDbSettings, openDuckDb } from './duckdb-store.ts'
import { nextFileOf, OutdatedStatisticsFile, putNextFileInPlace, removeNextFile } from './outdated-statistics-file.ts'
import type { StatsStore } from './port.ts'
import { StatsStoreError } from './stats-store-error.ts'

type StatsConfig = Pick<Config, 'clickhouseUrl' | 'clickhouseCluster' | 'dataDir' | 'statsMemoryLimit' | 'statsThreads'>

/**
 * The statistics store of this installation: ClickHouse where `CLICKHOUSE_URL` is set (on `CLICKHOUSE_CLUSTER`), else the embedded file.
 * @param databaseUrl of PostgreSQL, which has the list of what is published on ClickHouse; needed from the first use on
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

/** A store of today's tables that is filled beside an outdated file. */
export interface StatsRebuild {
  /** Holds what an interrupted rebuild has filled already. */
  readonly store: StatsStore
  readonly outdated: OutdatedStatisticsFile
  /** Closes both, puts the new file in the place of the outdated one and opens it. */
  publish(): Promise<StatsStore>
  /** Leaves the outdated file as it is; the next start goes on. Idempotent. */
  close(): Promise<void>
}

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
