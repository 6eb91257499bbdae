import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { urlOfRunningPostgres } from '@pc/platform/postgres/launch-postgres.ts'
import { DATABASE_NAME, postgresFolder } from '@pc/platform/postgres/open-postgres.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { ROOT } from '../tools/source-tree.ts'
import { startBenchServer } from './bench-server.ts'
import { benchSize } from './bench-size.ts'
import { benchEnvironment, benchFolder, prepareStore } from './prepare-store.ts'

type Format = 'csv' | 'parquet'
/** Deliveries to measure. `share`: number of rows in relation to the requested one. */
const DELIVERIES = [
  { dataset: 'article-daily', format: 'csv', share: 1 },
  { dataset: 'article-daily', format: 'parquet', share: 1 },
  { dataset: 'articles', format: 'csv', share: 0.05 },
  { dataset: 'videos', format: 'csv', share: 0.05 },
] as const
type Dataset = (typeof DELIVERIES)[number]['dataset']

export interface IngestSpeed {
  readonly dataset: Dataset
  readonly format: Format
  readonly rows: number
  readonly seconds: number
  readonly rowsPerSecond: number
  /**
   * For figures: rows per second of DuckDB alone, with two threads and 4 GB, for reading, sorting and summing the same
   * file.
   */
  readonly engineRowsPerSecond?: number
}

/** A port other than that of the other measurements (4910). */
const INGEST_PORT = 4920

/** Measures `npm run ingest` with all checks against a running server with a small store. */
export async function measureIngest(
  dataDir: string,
  figureRows: number,
  say: (text: string) => void,
): Promise<IngestSpeed[]> {
  const source = await prepareStore(dataDir, benchSize('small'), say)
  const folder = benchFolder(dataDir, 'ingest')
  fs.rmSync(folder, { recursive: true, force: true })
  // Node's copy does not keep file modes, and PostgreSQL refuses a folder that others can read.
  await promisify(execFile)('cp', ['-a', source, folder])
  const port = INGEST_PORT
  const server = await startBenchServer(folder, port)
  try {
    await continueLabelIds(folder)
    const speeds: IngestSpeed[] = []
    for (const { dataset, format, share } of DELIVERIES) {
      const rows = Math.round(figureRows * share)
      const file = path.join(folder, `delivery.${format}`)
      await writeDelivery(file, dataset, format, rows)
      const started = performance.now()
      await promisify(execFile)(process.execPath, [path.join(ROOT, 'apps/server/commands/ingest.ts'), dataset, file], {
        cwd: ROOT,
        env: { ...process.env, ...benchEnvironment(folder, port) },
      })
      const seconds = (performance.now() - started) / 1000
      const bare =
        dataset === 'article-daily' ? { engineRowsPerSecond: rows / (await engineSeconds(file, format)) } : {}
      speeds.push({ dataset, format, rows, seconds, rowsPerSecond: rows / seconds, ...bare })
      say(`${dataset}, ${format}: ${seconds.toFixed(1)} s`)
      fs.rmSync(file)
    }
    return speeds
  } finally {
    await server.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

export function printIngest({ dataset, format, rows, rowsPerSecond, engineRowsPerSecond }: IngestSpeed): string {
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const bare = engineRowsPerSecond
    ? `; the engine alone ${number(engineRowsPerSecond)}, ${(rowsPerSecond / engineRowsPerSecond).toFixed(2)} of it`
    : ''
  return `ingest ${dataset} ${format}: ${number(rowsPerSecond)} rows/s (${rows} rows)${bare}`
}

/** The generated labels have explicit ids, so the sequence must continue after them. */
async function continueLabelIds(folder: string): Promise<void> {
  await withClient(urlOfRunningPostgres(postgresFolder(folder), DATABASE_NAME, 'postgres')!, client =>
    client.query(`select setval(pg_get_serial_sequence('article_labels', 'id'), (select max(id) from article_labels))`),
  )
}

/**
 * Writes a month of figures for days before the store's first one, other days for each format, so that nothing counts
 * twice. An article is read on about six days, as in the generated stores. Articles and videos are new ones with
 * repeated names.
 */
async function writeDelivery(file: string, dataset: Dataset, format: Format, rows: number): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const medium = '[1, 2, 3, 4, 9][1 + (item % 5)::int] as medium_id, 1 + item % 40 as publisher_id'
  const content = `'計測用に届いた見出しの' || item || '番目' as title, 'https://bench.example/' || item as url, '2026-10-01T12:00:00+09:00' as published_at`
  const columns = {
    'article-daily': `date '${format === 'csv' ? '2024-01-01' : '2024-06-01'}' + ((item % 25)::int + (k % 6)::int) as date, ${medium},
      9000000 + item as article_id, k % 3001 as impression, k % 97 as click, k % 203 as watch,
      k % 900001 as ads_revenue_micro_yen, k % 400009 as publisher_revenue_micro_yen`,
    articles: `90000000 + k as article_id, ${medium}, 'd' || k as medium_article_id, ${content}, '記者' || item % 300 as authors,
      '分野' || item % 12 as section, '["話題' || item % 1000 || '","地域' || item % 47 || '"]' as tags`,
    videos: `90000000 + k as video_id, ${medium}, ${content}, 30 + k % 600 as duration_seconds`,
  }[dataset]
  const items = dataset === 'article-daily' ? 'k // 6' : 'k'
  try {
    const options = format === 'csv' ? 'format csv, header' : 'format parquet'
    await connection.run(
      `copy (select ${columns} from (select k, ${items} as item from range(${rows}) s(k))) to '${file}' (${options})`,
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const SUMS = ['impression', 'click', 'watch', 'ads_revenue_micro_yen', 'publisher_revenue_micro_yen']
  .map(column => `sum(${column}) as ${column}`)
  .join(', ')

async function engineSeconds(file: string, format: Format): Promise<number> {
  const store = `${file}.duckdb`
  const instance = await DuckDBInstance.create(store, { threads: '2', memory_limit: '4GB' })
  const connection = await instance.connect()
  const started = performance.now()
  const rows = format === 'csv' ? `read_csv('${file}')` : `read_parquet('${file}')`
  await connection.run(
    `create table article_day as select * from ${rows} order by date_trunc('month', date), publisher_id, medium_id, date, article_id`,
  )
  for (const key of [
    `date_trunc('month', date), publisher_id, medium_id, article_id`,
    'date, publisher_id, medium_id',
    'date, medium_id',
  ]) {
    await connection.run(
      `create or replace table roll_up as select ${key}, ${SUMS} from article_day group by ${key} order by ${key}`,
    )
  }
  await connection.run('checkpoint')
  const seconds = (performance.now() - started) / 1000
  connection.closeSync()
  instance.closeSync()
  fs.rmSync(store, { force: true })
  return seconds
}
