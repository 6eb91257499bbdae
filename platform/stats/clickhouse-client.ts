import { CLICKHOUSE_SETTINGS, ROW_FORMAT, readRows, renderClickHouse } from './clickhouse-dialect.ts'
import { type ClickHouseLayout, ONE_SERVER } from './clickhouse-layout.ts'
import type { QueryOptions, Row } from './port.ts'
import type { Dialect, Sql } from './sql.ts'

/** Sends statements to ClickHouse: over HTTP (`clickhouse-server.ts`), or to an engine in this process for tests. */
export interface ClickHouseTransport {
  readonly database: string
  /** Returns the text of the answer. `settings` apply to this statement only. */
  send(
    text: string,
    options: QueryOptions & {
      readonly params?: Readonly<Record<string, string>>
      readonly settings: Readonly<Record<string, number | string>>
      /**
       * Format of the answer. Undefined: the statement has no result. Empty: it has one, but its syntax allows no
       * FORMAT clause.
       */
      readonly format?: string
      /** Rows to insert, in the format that the statement names. */
      readonly rows?: string
    },
  ): Promise<string>
  /** Inserts a Parquet file; columns are matched by name. `table` includes the database. */
  loadParquet(
    table: string,
    columns: readonly string[],
    parquetFile: string,
    settings: Readonly<Record<string, number | string>>,
  ): Promise<void>
  close(): Promise<void>
}

/** Runs statements with the settings of the driver. Tested by `platform/stats/conformance.test.ts`. */
export class ClickHouseClient {
  readonly transport: ClickHouseTransport
  readonly database: string
  readonly layout: ClickHouseLayout
  readonly #settings: Readonly<Record<string, number | string>>

  constructor(transport: ClickHouseTransport, layout: ClickHouseLayout = ONE_SERVER) {
    this.transport = transport
    this.database = transport.database
    this.layout = layout
    this.#settings = { ...CLICKHOUSE_SETTINGS, ...layout.settings }
  }

  async command(text: string, rows?: string): Promise<void> {
    await this.transport.send(text, { settings: this.#settings, ...(rows === undefined ? {} : { rows }) })
  }

  async select(statement: Sql, dialect: Dialect, options: QueryOptions = {}): Promise<Row[]> {
    const { text, params } = renderClickHouse(statement, dialect)
    const given = { ...options, params, settings: this.#settings, format: ROW_FORMAT }
    return readRows(await this.transport.send(text, given))
  }

  async loadParquet(table: string, columns: readonly string[], parquetFile: string): Promise<void> {
    await this.transport.loadParquet(table, columns, parquetFile, this.layout.settings)
  }

  /** Runs a ClickHouse-specific query about the store itself. */
  async rows(text: string): Promise<Row[]> {
    return readRows(await this.transport.send(text, { settings: this.#settings, format: ROW_FORMAT }))
  }

  /** Whether the current user has a privilege on databases or tables. */
  async isGranted(right: string, on: string): Promise<boolean> {
    const answer = await this.transport.send(`check grant ${right} on ${on}`, { settings: {}, format: '' })
    return answer.trim() === '1'
  }

  /** Inserts the result of a select. `before` and `after` surround it in the text. */
  async insert(before: string, statement: Sql, dialect: Dialect, after: string): Promise<void> {
    const { text, params } = renderClickHouse(statement, dialect)
    await this.transport.send(`${before} ${text} ${after}`, { settings: this.#settings, params })
  }
}
