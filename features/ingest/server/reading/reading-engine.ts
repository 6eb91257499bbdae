import { BIGINT, type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api'

/** Values as the engine gives them: every integer a bigint. */
export type EngineRow = Readonly<Record<string, bigint | string | boolean | null>>

export interface EngineSettings {
  readonly threads: number
  /** For example `512MB`. Larger intermediate results spill to the work folder. */
  readonly memoryLimit: string
}

/** The most rows that a chunk of DuckDB holds. */
const CHUNK_ROWS = 2048

/**
 * An in-memory DuckDB of one import, which reads and checks rows also when the statistics store is ClickHouse. It can
 * access only the given folders, and locks that setting, because the files come from outside.
 */
export class ReadingEngine {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  static async open(settings: EngineSettings, folders: readonly string[], workDir: string): Promise<ReadingEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(settings.threads),
      memory_limit: settings.memoryLimit,
      temp_directory: `${workDir}/spill`,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const engine = new ReadingEngine(instance, await instance.connect())
    await engine.run(`SET TimeZone = 'UTC'`).catch(() => {}) // only where the ICU extension is built in
    await engine.run(`SET allowed_directories = [${folders.map(text).join(', ')}]`)
    await engine.run('SET enable_external_access = false')
    await engine.run('SET lock_configuration = true')
    return engine
  }

  async run(statement: string): Promise<void> {
    await this.#connection.run(statement)
  }

  async rows(statement: string): Promise<EngineRow[]> {
    const reader = await this.#connection.runAndReadAll(statement)
    return reader.getRowObjectsJS() as unknown as EngineRow[]
  }

  /** The first value of the first row, as an integer. */
  async count(statement: string): Promise<bigint> {
    const [row] = await this.rows(statement)
    return BigInt((Object.values(row ?? {})[0] ?? 0n) as bigint)
  }

  /** Appends rows to a table whose first column is a bigint and whose others are texts. */
  async append(table: string, rows: readonly (readonly [bigint, ...(string | null)[]])[]): Promise<void> {
    const appender = await this.#connection.createAppender(table)
    try {
      for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
        const slice = rows.slice(start, start + CHUNK_ROWS)
        const [, ...texts] = slice[0]!
        const chunk = DuckDBDataChunk.create([BIGINT, ...texts.map(() => VARCHAR)], slice.length)
        chunk.setRows(slice.map(row => [...row]))
        appender.appendDataChunk(chunk)
      }
    } finally {
      appender.closeSync()
    }
  }

  /** Share of the running statement that is done, from 0 to 1; undefined while unknown. */
  progress(): number | undefined {
    const { percentage } = this.#connection.progress
    return percentage >= 0 ? percentage / 100 : undefined
  }

  /** Ends the running statement with an error. */
  interrupt(): void {
    this.#connection.interrupt()
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

/** An SQL string literal. Only for names that the program made or checked; delivered values never become SQL text. */
export function text(value: string): string {
  if (value.includes('\0')) throw new TypeError('NUL in an SQL string')
  return `'${value.replaceAll("'", "''")}'`
}
