import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { truncate } from '@pc/domain/text/truncate.ts'
import type { Cells, Refused } from './import-kind.ts'

interface Named {
  readonly id: bigint
  readonly name: string
}

/** Length to which a refusal cuts the value that it quotes. */
export const MAX_SHOWN = 100

/** Finds the record that a row names by its id, its name, or both. */
export class References<T extends Named> {
  readonly #noun: string
  readonly #columns: { readonly id: string; readonly name: string }
  readonly #remedy: string
  readonly #byId: ReadonlyMap<string, T>
  readonly #byName = new Map<string, T[]>()

  /** @param remedy Japanese advice for the refusal when nothing is found */
  constructor(
    noun: string,
    columns: { readonly id: string; readonly name: string },
    remedy: string,
    rows: readonly T[],
  ) {
    this.#noun = noun
    this.#columns = columns
    this.#remedy = remedy
    this.#byId = new Map(rows.map(row => [String(row.id), row]))
    for (const row of rows) {
      const name = plain(row.name)
      const same = this.#byName.get(name)
      if (same) same.push(row)
      else this.#byName.set(name, [row])
    }
  }

  /** The id and name cells of a record; empty for null. */
  cellsOf(id: bigint | null): Record<string, string> {
    const row = id === null ? undefined : this.#byId.get(String(id))
    return { [this.#columns.id]: row ? String(row.id) : '', [this.#columns.name]: row?.name ?? '' }
  }

  /** The record that a row names; undefined when both cells are empty. @param among restricts the candidates */
  find(cells: Cells, among: (row: T) => boolean = () => true): Result<T | undefined, Refused> {
    const { id: idColumn, name: nameColumn } = this.#columns
    const id = cells[idColumn] ?? ''
    const name = cells[nameColumn] ?? ''
    const noun = this.#noun
    if (id === '' && name === '') return ok(undefined)
    if (id !== '') {
      const row = this.#byId.get(id)
      if (!row) return this.#unknown(idColumn, id)
      if (name !== '' && plain(name) !== plain(row.name))
        return refused(refusal('import/reference-differs', [nameColumn], { noun, name: row.name }))
      return ok(row)
    }
    const all = this.#byName.get(plain(name)) ?? []
    const close = all.filter(among)
    const rows = close.length > 0 ? close : all
    const [row] = rows
    if (!row) return this.#unknown(nameColumn, name)
    if (rows.length === 1) return ok(row)
    const ids = rows.map(one => one.id).join('、')
    return refused(refusal('import/reference-ambiguous', [nameColumn], { noun, value: name, ids }))
  }

  /** As {@link find}, but refuses a row that names none. */
  demand(cells: Cells, among?: (row: T) => boolean): Result<T, Refused> {
    const found = this.find(cells, among)
    if (!found.ok) return found
    if (found.value) return ok(found.value)
    const { name } = this.#columns
    return refused(refusal('import/required', [name], { header: this.#noun }))
  }

  #unknown(column: string, value: string) {
    const data = { noun: this.#noun, value: truncate(value, MAX_SHOWN), remedy: this.#remedy }
    return refused(refusal('import/reference-unknown', [column], data))
  }
}

function plain(name: string): string {
  return name.normalize('NFKC').trim()
}
