import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { FrequentStatements, Settings } from './prepared-read.ts'
import { sendAlone, sendPrepared } from './scoped-driver.ts'
import { demandPlainValues, settingsText, withLiterals } from './single-reader.ts'

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/**
 * Sends one statement with the settings of its scope in one round trip, prepared if it is frequent.
 * Tested by `platform/postgres/database.test.ts`.
 */
export function readInSettings(
  pool: pg.Pool,
  frequent: FrequentStatements,
  settings: Settings,
  { sql, parameters }: Statement,
): Promise<readonly Record<string, unknown>[]> {
  const prepared = frequent.find(sql, parameters)
  if (!prepared) return sendAlone(pool, frequent, `${settingsText(settings)};${withLiterals(sql, parameters)}`)
  demandPlainValues(parameters)
  return sendPrepared(pool, frequent, settings, prepared)
}

/**
 * A Kysely dialect in which every query is its own transaction and one round trip: settings and query are sent in one
 * message. For reads that need no common snapshot; queries may run in parallel.
 */
export function readingDialect(pool: pg.Pool, frequent: FrequentStatements, settings: Settings): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ReadingDriver(pool, frequent, settings),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class ReadingDriver implements Driver {
  readonly #connection: DatabaseConnection
  constructor(pool: pg.Pool, frequent: FrequentStatements, settings: Settings) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        return { rows: (await readInSettings(pool, frequent, settings, { sql, parameters })) as R[] }
      },
      // biome-ignore lint/correctness/useYield: refuses
      async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
        throw new Error('streaming is not supported: read page by page')
      },
    }
  }

  async init(): Promise<void> {}
  async destroy(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async releaseConnection(): Promise<void> {}
  async beginTransaction(): Promise<void> {
    throw new Error('a reader has no transaction: use inScope')
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
}
