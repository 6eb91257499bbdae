import { LRUCache } from 'lru-cache'
import type { QueryOptions, Row } from './port.ts'
import type { Param } from './sql.ts'

/**
 * Together some 100 MB: a cell of a row takes 40 to 80 bytes. The usual reports of one organisation are some 15,000 cells, and
 * with 300,000 the organisations of 200 people pushed each other's out.
 */
const MAX_CELLS = 1_500_000
/** Larger answers are files and months: they are asked once. */
const MAX_CELLS_OF_ONE = 15_000

/** A statement as the engine gets it, and how long its caller waits. */
export interface RequestedStatement extends QueryOptions {
  readonly text: string
  readonly params: readonly Param[]
}

interface Asking {
  readonly rows: Promise<readonly Row[]>
  /** Of the caller who asked the engine. */
  readonly signal: AbortSignal | undefined
}

/**
 * What the store has answered since the last publication. Between two deliveries the same few statements are asked again
 * and again: the first screen of everybody, the last day that has data, the totals. The key is the whole statement with
 * its parameters, among them whose rows it may read, so nobody gets an answer to another question.
 * Equal statements that come while the first one runs wait for its answer.
 */
export class AnswerCache {
  readonly #answers = new LRUCache<string, readonly Row[]>({
    maxSize: MAX_CELLS,
    maxEntrySize: MAX_CELLS_OF_ONE,
    sizeCalculation: rows => 1 + rows.length * Object.keys(rows[0] ?? {}).length,
  })
  readonly #asking = new Map<string, Asking>()

  /**
   * Asks when it is not known. A failure is one for everybody who waits, and asked again by a person who comes later; a caller
   * who gives up takes nobody along.
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

  /** To be called while nobody reads, when what statements answer may have changed. */
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
