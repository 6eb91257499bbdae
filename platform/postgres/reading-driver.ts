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
import { withLiterals } from './read-alone.ts'
import { sendAlone } from './scoped-driver.ts'

/**
 * A Kysely dialect whose every query is a transaction of its own and one round trip: the settings of the scope and the
 * query travel in one message. For reads that need no common state; queries may run side by side.
 */
export function readingDialect(pool: pg.Pool, settings: string): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new ReadingDriver(pool, settings),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class ReadingDriver implements Driver {
  readonly #connection: DatabaseConnection
  constructor(pool: pg.Pool, settings: string) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const rows = await sendAlone(pool, `${settings};${withLiterals(sql, parameters)}`)
        return { rows: rows as R[] }
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
