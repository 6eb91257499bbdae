import { currentRequestScope } from '../request-scope.ts'

/**
 * A readers–writer lock in this process, which makes a publication atomic for readers. The writer waits for active
 * readers, later readers wait for the writer; so a reader must not wait for another reader. Reads of one request count
 * as one reader, which leaves when the answer is complete.
 * Tested by `platform/stats/duckdb-store.test.ts`.
 */
export class ReaderGate {
  #readers = 0
  #writer: Promise<void> | undefined
  #whenIdle: (() => void) | undefined
  readonly #written: () => void

  /** `written` runs after each write, before the next reader enters. */
  constructor(written: () => void = () => undefined) {
    this.#written = written
  }

  async read<T>(work: () => Promise<T>): Promise<T> {
    const request = currentRequestScope()
    while (this.#writer && !request?.kept.has(this)) await this.#writer
    if (request?.kept.has(this)) return work()
    this.#readers += 1
    const leave = () => {
      this.#readers -= 1
      if (this.#readers === 0) this.#whenIdle?.()
    }
    if (request && !request.isOver) {
      request.kept.set(this, true)
      request.endings.push(leave)
      return work()
    }
    try {
      return await work()
    } finally {
      leave()
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
