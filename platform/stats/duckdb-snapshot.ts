import type { DuckDBConnection } from '@duckdb/node-api'
import type { DuckDbReaders } from './duckdb-readers.ts'
import { Mutex } from './mutex.ts'

type Work<T> = (connection: DuckDBConnection) => Promise<T>

/**
 * The statements of one snapshot. One that is asked while another runs has a connection that nobody else uses, or waits for
 * its turn on the snapshot's own: a reader alone uses all processors, among many it takes nobody's place. All of them
 * see one state, because nobody commits while a reader is inside of the gate.
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

  /** When nothing runs any more, also what nobody waits for because something beside it failed. */
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
