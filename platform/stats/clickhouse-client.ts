import { CLICKHOUSE_SETTINGS, ROW_FORMAT, readRows, renderClickHouse } from './clickhouse-dialect.ts'
import { type ClickHouseLayout, ONE_SERVER } from './clickhouse-layout.ts'
import type { QueryOptions, Row } from './port.ts'
import type { Dialect, Sql } from './sql.ts'

/** How statements reach ClickHouse: over HTTP (`clickhouse-server.ts`), or an engine in the process for tests. */
export interface ClickHouseTransport {
  readonly database: string
  /** The answer's text. `settings` belong to this statement alone. */
  send(
    text: string,
    options: QueryOptions & {
      readonly params?: Readonly<Record<string, string>>
      readonly settings: Readonly<Record<string, number | string>>
      /** Format of the answer; none: the statement has no answer; '': its grammar takes no format. */
      readonly format?: string
      /** What is inserted, in the format that the text names. */
      readonly rows?: string
    },
  ): Promise<string>
  /** `table` with its database; the file's columns are found by name. */
  loadParquet(
    table: string,
    columns: readonly string[],
    parquetFile: string,
    settings: Readonly<Record<string, number | string>>,
  ): Promise<void>
  close(): Promise<void>
}

/**
 * What the store says to ClickHouse, always in the settings of its driver.
 * Tested by `platform/stats/conformance.test.ts`.
 */
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

  /** For questions about the store itself, which no other engine is asked. */
  async rows(text: string): Promise<Row[]> {
    return readRows(await this.transport.send(text, { settings: this.#settings, format: ROW_FORMAT }))
  }

  /** Whether the user has the right on these databases or tables. */
  async isGranted(right: string, on: string): Promise<boolean> {
    const answer = await this.transport.send(`check grant ${right} on ${on}`, { settings: {}, format: '' })
    return answer.trim() === '1'
  }

  /** `before` and `after` stand around what the statement selects. */
  async insert(before: string, statement: Sql, dialect: Dialect, after: string): Promise<void> {
    const { text, params } = renderClickHouse(statement, dialect)
    await this.transport.send(`${before} ${text} ${after}`, { settings: this.#settings, params })
  }
}
