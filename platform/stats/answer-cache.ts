import { LRUCache } from 'lru-cache'
import type { Row } from './port.ts'
import type { Param } from './sql.ts'

/**
 * Together some 100 MB: a cell of a row takes 40 to 80 bytes. The usual reports of one organisation are some 15,000 cells, and
 * with 300,000 the organisations of 200 people pushed each other's out.
 */
const MOST_CELLS = 1_500_000
/** Larger answers are files and months: they are asked once. */
const MOST_CELLS_OF_ONE = 15_000

/**
 * What the store has answered since the last publication. Between two deliveries the same few statements are asked again
 * and again: the first screen of everybody, the last day that has data, the totals. The key is the whole statement with
 * its parameters, among them whose rows it may read, so nobody gets an answer to another question.
 */
export class AnswerCache {
  readonly #answers = new LRUCache<string, readonly Row[]>({
    maxSize: MOST_CELLS,
    maxEntrySize: MOST_CELLS_OF_ONE,
    sizeCalculation: rows => 1 + rows.length * Object.keys(rows[0] ?? {}).length,
  })

  /** Asks when it is not known. A failed statement is asked again. */
  async answer(text: string, params: readonly Param[], ask: () => Promise<Row[]>): Promise<Row[]> {
    const key = `${text}\0${params.map(keyOf).join('|')}`
    const known = this.#answers.get(key)
    if (known) return [...known]
    const rows = await ask()
    this.#answers.set(key, rows)
    return [...rows]
  }

  /** To be called while nobody reads, when what statements answer may have changed. */
  clear(): void {
    this.#answers.clear()
  }
}

const keyOf = (param: Param): string => (typeof param === 'object' ? `[${param.join(',')}]` : String(param))
