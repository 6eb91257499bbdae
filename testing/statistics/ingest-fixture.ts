import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Dataset } from '@pc/features/ingest/server/checking/dataset-columns.ts'
import { type ImportOutcome, importBatch } from '@pc/features/ingest/server/import-batch.ts'
import type { ImportRequest } from '@pc/features/ingest/server/import-request.ts'
import { type IngestContext, ingestContext } from '@pc/features/ingest/server/ingest-context.ts'
import { INGEST_LIMITS, type IngestLimits } from '@pc/features/ingest/server/ingest-limits.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { openDuckDb } from '@pc/platform/stats/duckdb-store.ts'
import type { Row, StatsStore } from '@pc/platform/stats/port.ts'
import { ident, joined, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { FACT_TABLES, TABLES, type TableName } from '@pc/platform/stats/tables.ts'
import { testDatabase } from '../test-database.ts'

/** A database, statistics store and data folder for one test file, with a few media and publishers. */
export interface IngestFixture {
  readonly context: IngestContext
  readonly dataDir: string
  /** For other processes that use the same database. */
  readonly databaseUrl: string
  readonly adminUrl: string
  readonly clock: ReturnType<typeof fixedClock>
  take(dataset: Dataset, content: string | Buffer, more?: Partial<ImportRequest>): Promise<ImportOutcome>
  /** Like `take`, and fails the test on a refusal. */
  taken(
    dataset: Dataset,
    content: string | Buffer,
    more?: Partial<ImportRequest>,
  ): Promise<Exclude<ImportOutcome, { kind: 'refused' }>>
  /** Replaces the statistics store by an empty one; PostgreSQL and folders stay. */
  replaceStore(): Promise<void>
  /** Empties the import ledger, delivered contents and folders. */
  clear(): Promise<void>
  /** Every visible figure of all tables, summed by key over the batches, in a fixed order. */
  figures(): Promise<Record<string, Row[]>>
  close(): Promise<void>
}

const TEST_DAY = '2026-11-20'

export async function ingestFixture(
  options: { publishers?: number; limits?: Partial<IngestLimits>; empty?: boolean; objectsUrl?: string } = {},
): Promise<IngestFixture> {
  const tested = await testDatabase()
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'ingest-'))
  const clock = fixedClock(`${TEST_DAY}T12:00:00+09:00`)
  if (!options.empty) {
    await tested.database.inScope(SYSTEM, async tx => {
      await tx
        .insertInto('media')
        .values([1n, 2n, 9n].map(id => ({ id, name: `媒体${id}` })))
        .execute()
      const { id } = await tx
        .insertInto('organizations')
        .values({ name: '組織' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const publishers = Array.from({ length: options.publishers ?? 20 }, (_, at) => ({
        organizationId: id,
        name: `パブリッシャー${at + 1}`,
      }))
      await tx.insertInto('publishers').values(publishers).execute()
    })
  }
  const open = () =>
    openDuckDb({ file: path.join(dataDir, 'stats', `test-${randomUUID()}.duckdb`), memoryLimit: '512MB', threads: 1 })
  const limits = { ...INGEST_LIMITS, ...options.limits }
  const contextOf = (stats: StatsStore) =>
    ingestContext(
      { dataDir, objectsUrl: options.objectsUrl, statsThreads: 1, statsMemoryLimit: '512MB' },
      { database: tested.database, stats, clock },
      limits,
    )
  const fixture = { context: contextOf(await open()) }
  const replaceStore = async () => {
    await fixture.context.stats.close()
    fixture.context = contextOf(await open())
  }
  const take: IngestFixture['take'] = (dataset, content, more = {}) =>
    importBatch(fixture.context, { dataset, input: chunked(content), quarantine: false, sourceName: 'test', ...more })
  return {
    get context() {
      return fixture.context
    },
    dataDir,
    databaseUrl: tested.url,
    adminUrl: tested.adminUrl,
    clock,
    take,
    async taken(dataset, content, more) {
      const outcome = await take(dataset, content, more)
      if (outcome.kind !== 'refused') return outcome
      const { message, rowErrors } = outcome.refusal
      throw new Error(`${message} ${rowErrors.map(row => row.message).join(' ')}`)
    },
    replaceStore,
    async clear() {
      await tested.database.inScope(SYSTEM, async tx => {
        await tx.deleteFrom('ingestBatches').execute()
      })
      // Only a superuser may delete removals.
      await withClient(tested.adminUrl, client => client.query('truncate medium_articles, videos cascade'))
      fs.rmSync(path.join(dataDir, 'ingest'), { recursive: true, force: true })
      await replaceStore()
    },
    figures: () => figuresOf(fixture.context.stats),
    async close() {
      await fixture.context.stats.close()
      await tested.drop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Splits content into chunks of odd sizes, as a network does. */
async function* chunked(content: string | Buffer): AsyncIterable<Buffer> {
  const bytes = Buffer.from(content as string)
  for (let at = 0, size = 1; at < bytes.length; at += size, size = Math.min(size * 3 + 1, 65_536)) {
    yield bytes.subarray(at, at + size)
  }
}

export function csv(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown) => {
    const written = value === null || value === undefined ? '' : String(value)
    return /[",\n\r]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written
  }
  return [columns, ...rows].map(row => `${row.map(cell).join(',')}\n`).join('')
}

/** Converts CSV to Parquet; `integer` is an SQL expression over `column` for columns of integers. */
export async function parquet(content: string, integer: string): Promise<Buffer> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'parquet-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    fs.writeFileSync(path.join(dir, 'in.csv'), content)
    const read = `read_csv('${dir}/in.csv', all_varchar = true, header = true, quote = '"', escape = '"')`
    const names = (await connection.runAndReadAll(`select * from ${read} limit 1`)).columnNames()
    const isText = (name: string) => ['date', 'demographics', 'watch_time'].includes(name)
    const columns = names.map(name => (isText(name) ? name : `${integer.replaceAll('column', name)} as ${name}`))
    await connection.run(`copy (select ${columns.join(', ')} from ${read}) to '${dir}/out.parquet' (format parquet)`)
    return fs.readFileSync(path.join(dir, 'out.parquet'))
  } finally {
    connection.closeSync()
    instance.closeSync()
    fs.rmSync(dir, { recursive: true, force: true })
  }
}

export async function figuresOf(stats: StatsStore): Promise<Record<string, Row[]>> {
  const names: readonly TableName[] = [...FACT_TABLES, 'publisher_month', 'article_month', 'video_month']
  const figures: Record<string, Row[]> = {}
  for (const name of names) {
    const ids = ['date', ...TABLES[name].columns.map(([column]) => column).filter(column => /_id$/.test(column))]
    const others = TABLES[name].columns.filter(([column]) => column !== 'batch_no' && !ids.includes(column))
    const keys = joined(ids.map(ident), sql`, `)
    const totals = joined(
      others.map(([column, type]) =>
        type === 'Date'
          ? sql`max(${ident(column)}) as ${ident(`of_${column}`)}`
          : sql`${sumInt(ident(column))} as ${ident(`total_${column}`)}`,
      ),
      sql`, `,
    )
    figures[name] = await stats.query(
      sql`select ${keys}, ${totals} from ${table(name)} group by ${keys} order by ${keys}`,
    )
  }
  return figures
}
