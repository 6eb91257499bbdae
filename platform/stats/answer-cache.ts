import { LRUCache } from 'lru-cache'
import type { QueryOptions, Row } from './port.ts'
import type { Param } from './sql.ts'

/**
 * Limit of all cached answers, about 100 MB at 40 to 80 bytes for each cell (value). An organisation's usual reports
 * have about 15,000 cells; with a limit of 300,000 the organisations of 200 people evicted each other.
 */
const MAX_CELLS = 1_500_000
/** Larger answers are not cached: they are exports and whole months, which are rarely repeated. */
const MAX_CELLS_OF_ONE = 15_000

/** A statement as sent to the engine, with its caller's signal and time limit. */
export interface RequestedStatement extends QueryOptions {
  readonly text: string
  readonly params: readonly Param[]
}

interface Asking {
  readonly rows: Promise<readonly Row[]>
  /** Signal of the caller whose request runs in the engine. */
  readonly signal: AbortSignal | undefined
}

/**
 * Caches answers between two publications, because screens repeat the same few statements. The key is the statement
 * with all parameters, which include the permitted rows, so nobody gets an answer that belongs to others. Equal
 * statements that arrive meanwhile share one request.
 */
export class AnswerCache {
  readonly #answers = new LRUCache<string, readonly Row[]>({
    maxSize: MAX_CELLS,
    maxEntrySize: MAX_CELLS_OF_ONE,
    sizeCalculation: rows => 1 + rows.length * Object.keys(rows[0] ?? {}).length,
  })
  readonly #asking = new Map<string, Asking>()

  /**
   * Returns the cached answer or asks the engine. A failure goes to all who wait and is not cached. A caller who gives
   * up does not abort the others.
   */
  async answer(requested: RequestedStatement, ask: () => Promise<Row[]>): Promise<Row[]> {
    const { text, params, signal, timeoutMs } = requested
    const key = `${text}\0${params.map(keyOf).join('|')}`
    const known = this.#answers.get(key)
    if (known) return [...known]
    const askingKey = `${timeoutMs}\0${key}`
    const running = this.#asking.get(askingKey)
    if (!running) return [...(await this.#ask(key, askingKey, signal, ask))]
    try {
      return [...(await unlessAborted(running.rows, signal))]
    } catch (cause) {
      if (signal?.aborted || !running.signal?.aborted) throw cause
      return this.answer(requested, ask)
    }
  }

  /** Call it while no reader is active, when answers may have changed. */
  clear(): void {
    this.#answers.clear()
  }

  async #ask(
    key: string,
    askingKey: string,
    signal: AbortSignal | undefined,
    ask: () => Promise<Row[]>,
  ): Promise<readonly Row[]> {
    const asking = ask()
    this.#asking.set(askingKey, { rows: asking, signal })
    try {
      const rows = await asking
      this.#answers.set(key, rows)
      return rows
    } finally {
      this.#asking.delete(askingKey)
    }
  }
}

/** @throws the signal's reason as soon as it is aborted */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  let abort!: () => void
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const keyOf = (param: Param): string => (typeof param === 'object' ? `[${param.join(',')}]` : String(param))
