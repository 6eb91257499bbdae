import type { DuckDBConnection } from '@duckdb/node-api'
import type { DuckDbReaders } from './duckdb-readers.ts'
import { Mutex } from './mutex.ts'

type Work<T> = (connection: DuckDBConnection) => Promise<T>

/**
 * The statements of one snapshot. A concurrent statement takes a spare connection or waits for the snapshot's own, so
 * that one reader uses all processors but never blocks another. All statements see the same state, because nobody
 * commits while a reader is inside the gate.
 * Tested by `platform/stats/duckdb-store.test.ts`.
 */
export class DuckDbSnapshot {
  readonly #own: DuckDBConnection
  readonly #readers: DuckDbReaders
  readonly #mutex = new Mutex()
  #onOwn = 0
  readonly #running = new Set<Promise<unknown>>()

  constructor(own: DuckDBConnection, readers: DuckDbReaders) {
    this.#own = own
    this.#readers = readers
  }

  run<T>(work: Work<T>): Promise<T> {
    const requested = (this.#onOwn > 0 ? this.#readers.onSpare(work) : undefined) ?? this.#inTurn(work)
    this.#running.add(requested)
    const forget = () => this.#running.delete(requested)
    requested.then(forget, forget)
    return requested
  }

  /** Resolves when no statement runs, including those whose caller no longer waits. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running)
  }

  async #inTurn<T>(work: Work<T>): Promise<T> {
    this.#onOwn += 1
    const leave = await this.#mutex.enter()
    try {
      return await work(this.#own)
    } finally {
      this.#onOwn -= 1
      leave()
    }
  }
}
