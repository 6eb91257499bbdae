import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { duckDbError } from './duckdb-error.ts'
import type { QueryOptions } from './port.ts'
import { StatsTimeoutError } from './stats-store-error.ts'

const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Connection pool for readers. A running query blocks a thread of Node's pool, which file access and password hashing
 * share. Therefore the number is limited, and further queries wait in order.
 * Tested by `platform/stats/duckdb-store.test.ts`.
 */
export class DuckDbReaders {
  readonly #db: DuckDBInstance
  readonly #limit: number
  readonly #idle: DuckDBConnection[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0
  #drained: (() => void) | undefined
  #closed = false

  constructor(db: DuckDBInstance, limit: number) {
    this.#db = db
    this.#limit = limit
  }

  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the statistics store is closed')
    if (this.#busy >= this.#limit) await new Promise<void>(turn => this.#waiting.push(turn))
    else this.#busy += 1
    return this.#onConnection(work)
  }

  /**
   * Like `use` but without waiting, for a reader that already holds a connection (waiting could deadlock). Undefined:
   * all are in use.
   */
  onSpare<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> | undefined {
    if (this.#closed || this.#busy >= this.#limit) return undefined
    this.#busy += 1
    return this.#onConnection(work)
  }

  async #onConnection<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    try {
      const connection = this.#idle.pop() ?? (await this.#db.connect())
      try {
        return await work(connection)
      } finally {
        this.#idle.push(connection)
      }
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy -= 1
      if (this.#busy === 0) this.#drained?.()
    }
  }

  /** Waits for running and queued readers and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#busy > 0) await new Promise<void>(resolve => (this.#drained = resolve))
    for (const connection of this.#idle.splice(0)) connection.closeSync()
  }
}

/** Runs a statement and interrupts it after its time limit or when its caller aborts. */
export async function stoppable<T>(
  connection: DuckDBConnection,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: QueryOptions,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    connection.interrupt()
  }, timeoutMs)
  const interrupt = () => connection.interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    return await run()
  } catch (cause) {
    signal?.throwIfAborted()
    if (isLate) throw new StatsTimeoutError(`the statement was stopped after ${timeoutMs} ms`, { cause })
    throw duckDbError(cause)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', interrupt)
  }
}
