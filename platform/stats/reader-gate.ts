/**
 * A readers–writer lock, in this process: makes what a publication changes look like one step. The writer waits
 * for the readers that are there, later readers wait for the writer; so a reader must not wait for another one.
 * Tested by `platform/stats/duckdb-store.test.ts`.
 */
export class ReaderGate {
  #readers = 0
  #writer: Promise<void> | undefined
  #whenIdle: (() => void) | undefined
  readonly #written: () => void

  /** `written` is called after each write, before the next reader. */
  constructor(written: () => void = () => undefined) {
    this.#written = written
  }

  async read<T>(work: () => Promise<T>): Promise<T> {
    while (this.#writer) await this.#writer
    this.#readers += 1
    try {
      return await work()
    } finally {
      this.#readers -= 1
      if (this.#readers === 0) this.#whenIdle?.()
    }
  }

  async write(work: () => Promise<void>): Promise<void> {
    while (this.#writer) await this.#writer
    let done!: () => void
    this.#writer = new Promise(resolve => (done = resolve))
    try {
      if (this.#readers > 0) await new Promise<void>(resolve => (this.#whenIdle = resolve))
      await work()
    } finally {
      this.#written()
      this.#whenIdle = undefined
      this.#writer = undefined
      done()
    }
  }
}
