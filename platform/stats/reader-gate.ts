import { currentRequestScope } from '../request-scope.ts'

/**
 * A readers–writer lock, in this process: makes what a publication changes look like one step. The writer waits
 * for the readers that are there, later readers wait for the writer; so a reader must not wait for another one. A request
 * that has read stays inside until its answer is complete.
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
    const isInside = () => request !== undefined && !request.isOver && request.kept.has(this)
    while (this.#writer && !isInside()) await this.#writer
    if (request && !request.isOver && !isInside()) {
      request.kept.set(this, true)
      request.endings.push(this.#enter())
    }
    // Each reader counts besides: a request that is refused or aborted ends before its statements do.
    const leave = this.#enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #enter(): () => void {
    this.#readers += 1
    return () => {
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
