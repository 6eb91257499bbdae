import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { ROOT } from '../tools/source-tree.ts'
import { startBenchServer } from './bench-server.ts'
import { benchSize } from './bench-size.ts'
import { benchEnvironment, benchFolder, prepareStore } from './prepare-store.ts'

export interface IngestSpeed {
  readonly format: 'csv' | 'parquet'
  readonly rows: number
  readonly seconds: number
  readonly rowsPerSecond: number
}

/** Beside the server of the other measurements (4910). */
const INGEST_PORT = 4920

/** The command line with its checks and its ledger, against a running server with a small store. */
export async function measureIngest(
  dataDir: string,
  rows: number,
  say: (text: string) => void,
): Promise<IngestSpeed[]> {
  const source = await prepareStore(dataDir, benchSize('small'), say)
  const folder = benchFolder(dataDir, 'ingest')
  fs.rmSync(folder, { recursive: true, force: true })
  // Node's own copy does not keep the modes, and PostgreSQL refuses a folder that others may read.
  await promisify(execFile)('cp', ['-a', source, folder])
  const port = INGEST_PORT
  const server = await startBenchServer(folder, port)
  try {
    const speeds: IngestSpeed[] = []
    for (const format of ['csv', 'parquet'] as const) {
      const file = path.join(folder, `delivery.${format}`)
      // Days before the store's first one, others for each format: nothing may count twice.
      await writeDelivery(file, format, rows, format === 'csv' ? '2024-01-01' : '2024-06-01')
      const started = performance.now()
      await promisify(execFile)(
        process.execPath,
        [path.join(ROOT, 'apps/server/commands/ingest.ts'), 'article-daily', file],
        { cwd: ROOT, env: { ...process.env, ...benchEnvironment(folder, port) } },
      )
      const seconds = (performance.now() - started) / 1000
      speeds.push({ format, rows, seconds, rowsPerSecond: rows / seconds })
      fs.rmSync(file)
    }
    return speeds
  } finally {
    await server.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** A month's delivery: like in the stores that the bench makes, an article is read on about six days. */
async function writeDelivery(file: string, format: 'csv' | 'parquet', rows: number, firstDay: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  try {
    const options = format === 'csv' ? 'format csv, header' : 'format parquet'
    await connection.run(`copy (
      select date '${firstDay}' + ((item % 25)::int + (k % 6)::int) as date, [1, 2, 3, 4, 9][1 + (item % 5)::int] as medium_id,
        1 + item % 40 as publisher_id, 9000000 + item as article_id, k % 3001 as impression, k % 97 as click, k % 203 as watch,
        k % 900001 as ads_revenue_micro_yen, k % 400009 as publisher_revenue_micro_yen
      from (select k, k // 6 as item from range(${rows}) s(k))) to '${file}' (${options})`)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
