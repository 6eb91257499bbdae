import path from 'node:path'
import type { Config } from '../config.ts'
import { openDuckDb } from './duckdb-store.ts'
import type { StatsStore } from './port.ts'

/**
 * The statistics store of this installation: ClickHouse where `CLICKHOUSE_URL` is set, else the embedded file.
 * @throws StatsStoreError with recovery steps
 */
export async function openStats(config: Config): Promise<StatsStore> {
  if (config.clickhouseUrl !== undefined) {
    const { openClickHouse } = await import('./clickhouse-store.ts')
    const { clickHouseServer } = await import('./clickhouse-server.ts')
    return openClickHouse(clickHouseServer(config.clickhouseUrl))
  }
  return openDuckDb({
    file: path.join(config.dataDir, 'stats', 'stats.duckdb'),
    memoryLimit: config.statsMemoryLimit,
    threads: config.statsThreads,
  })
}
