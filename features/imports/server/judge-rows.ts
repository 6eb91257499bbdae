import { refusal } from '@pc/domain/refusal.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import type { ImportColumn } from './import-columns.ts'
import type { Cells, ImportKind, ImportSession, PresentRow, RecordIds, Refused } from './import-kind.ts'
import type { SourceRow } from './read-rows.ts'

export type RowState = 'new' | 'changed' | 'unchanged' | 'refused'
export interface RowChange {
  readonly header: string
  readonly before: string
  readonly after: string
}
export interface RowRefusal {
  /** The column; null: the row as a whole. */
  readonly header: string | null
  readonly text: string
}

export interface JudgedRow {
  readonly source: SourceRow
  state: RowState
  changes: readonly RowChange[]
  refusals: readonly RowRefusal[]
  /** The values to save; only meaningful when the row is not refused. */
  readonly cells: Cells
  /** The records that the row names; empty when it is refused. */
  readonly recordIds: RecordIds
  readonly present: PresentRow | undefined
  readonly group: string
  readonly order: string
}

/** Compares each row of a file with the existing records. Saves nothing, and does not yet apply the rules of use cases. */
export function judgeRows(kind: ImportKind, session: ImportSession, rows: readonly SourceRow[]): JudgedRow[] {
  const finder = new Finder(kind, session)
  const judged = rows.map(row => judgeRow(finder, row))
  refuseTwins(judged, row =>
    row.present ? `present ${finder.placeOf(row.present)}` : `new ${session.keyOf(row.cells)}`,
  )
  for (const key of kind.unique ?? []) {
    const column = kind.columns.find(one => one.key === key)
    if (column) refuseSameValue(judged, column)
  }
  refuseGroups(judged)
  return judged
}

/** Refuses all rows of a group when one is refused, because a record is imported completely or not at all. */
export function refuseGroups(judged: readonly JudgedRow[]): void {
  const refusedAt = new Map<string, number>()
  for (const row of judged) {
    if (row.state === 'refused' && row.group !== '' && !refusedAt.has(row.group))
      refusedAt.set(row.group, row.source.number)
  }
  for (const row of judged) {
    const at = refusedAt.get(row.group)
    if (at !== undefined && (row.state === 'new' || row.state === 'changed'))
      refuse(row, null, refusal('import/with-refused', [], { row: at }))
  }
}

/** Marks a row as refused by a use case; the last path element of a refusal tells the column. */
export function refuseBy(kind: ImportKind, row: JudgedRow, refusals: readonly Refused[]): void {
  row.state = 'refused'
  row.changes = []
  row.refusals = refusals.map(one => ({ header: columnOf(kind, one)?.header ?? null, text: refusalMessageJa(one) }))
}

class Finder {
  readonly kind: ImportKind
  readonly session: ImportSession
  readonly #byId = new Map<string, PresentRow>()
  readonly #byKey = new Map<string, PresentRow[]>()
  readonly #places = new Map<PresentRow, number>()

  constructor(kind: ImportKind, session: ImportSession) {
    this.kind = kind
    this.session = session
    session.present.forEach((row, place) => {
      this.#places.set(row, place)
      if (row.id !== undefined) this.#byId.set(row.id, row)
      const same = this.#byKey.get(row.key)
      if (same) same.push(row)
      else this.#byKey.set(row.key, [row])
    })
  }

  byId(id: string): PresentRow | undefined {
    return this.#byId.get(id)
  }

  byKey(key: string): readonly PresentRow[] {
    return this.#byKey.get(key) ?? []
  }

  placeOf(row: PresentRow): number {
    return this.#places.get(row) ?? -1
  }
}

function judgeRow(finder: Finder, source: SourceRow): JudgedRow {
  const { kind, session } = finder
  const given: Record<string, string> = {}
  const refusals: RowRefusal[] = []
  const groupOf = (cells: Cells) => session.groupOf?.(cells) ?? { group: '', order: '' }
  const refusedRow = (group = ''): JudgedRow => ({
    source,
    state: 'refused',
    changes: [],
    refusals,
    cells: {},
    recordIds: {},
    present: undefined,
    group,
    order: '',
  })
  for (const column of kind.columns) {
    const cell = source.cells[column.key]
    if (cell === undefined) continue
    if (cell === null) {
      given[column.key] = ''
      if (column.isRequired)
        refusals.push(rowRefusal(column, refusal('import/required', [], { header: column.header })))
      continue
    }
    const read = column.read(cell)
    if (read.ok) given[column.key] = read.value
    else refusals.push(...read.refusals.map(one => rowRefusal(column, one)))
  }
  if (refusals.length > 0) {
    // Looks for the group even of an invalid row, so that the group's other rows are refused with it.
    const whose = session.groupOf && session.resolve?.(merged(kind.columns, given, undefined))
    return refusedRow(whose?.ok ? groupOf(whose.value).group : '')
  }
  let present = given.id ? finder.byId(given.id) : undefined
  if (given.id && !present) {
    const column = kind.columns.find(({ key }) => key === 'id')
    refusals.push(rowRefusal(column, refusal('import/id-unknown', [], { id: given.id })))
    return refusedRow()
  }
  const resolved = session.resolve?.(merged(kind.columns, given, present)) ?? {
    ok: true as const,
    value: merged(kind.columns, given, present),
  }
  if (!resolved.ok) {
    refusals.push(...resolved.refusals.map(one => rowRefusal(columnOf(kind, one), one)))
    return refusedRow()
  }
  let cells = resolved.value
  if (!present) {
    const same = finder.byKey(session.keyOf(cells))
    if (same.length > 1) {
      const ids = same.map(({ id }) => id).join('、')
      refusals.push(rowRefusal(undefined, refusal('import/ambiguous', [], { ids })))
      return refusedRow(groupOf(cells).group)
    }
    present = same[0]
    if (present) cells = merged(kind.columns, withoutAbsent(cells, given), present)
  }
  const holds = present === undefined && session.holdsAlready?.(cells) === true
  const changes = present ? changesOf(kind.columns, present, cells) : []
  const state = holds ? 'unchanged' : present ? (changes.length > 0 ? 'changed' : 'unchanged') : 'new'
  const recordIds = recordIdsOf(finder, cells, present)
  return { source, state, changes, refusals: [], cells, recordIds, present, ...groupOf(cells) }
}

function recordIdsOf({ kind, session }: Finder, cells: Cells, present: PresentRow | undefined): RecordIds {
  const inColumns = kind.columns.flatMap(({ key, isRecordId }) => {
    const id = isRecordId ? cells[key] : undefined
    return id ? [[key, id]] : []
  })
  const changed = present?.id === undefined ? {} : { id: present.id }
  return { ...Object.fromEntries(inColumns), ...session.recordIdsOf?.(cells), ...changed }
}

/** A value for every column: existing values where the file lacks the column, or where an empty cell keeps them. */
function merged(columns: readonly ImportColumn[], given: Cells, present: PresentRow | undefined): Cells {
  return Object.fromEntries(
    columns.map(({ key, emptyKeeps }) => {
      const value = given[key]
      const keeps = value === undefined || (value === '' && (emptyKeeps || key === 'id'))
      return [key, keeps ? (present?.cells[key] ?? '') : value]
    }),
  )
}

/** Removes the empty values that completing a new row added for columns that the file lacks. */
function withoutAbsent(cells: Cells, given: Cells): Cells {
  return Object.fromEntries(Object.entries(cells).filter(([key, value]) => key in given || value !== ''))
}

function changesOf(columns: readonly ImportColumn[], present: PresentRow, cells: Cells): RowChange[] {
  return columns.flatMap(column => {
    const before = canonical(column, present.cells[column.key] ?? '')
    const after = cells[column.key] ?? ''
    return before === after ? [] : [{ header: column.header, before, after }]
  })
}

/** The canonical text of an existing value, which may have been stored before today's normalisation. */
function canonical(column: ImportColumn, text: string): string {
  if (text === '') return ''
  const read = column.read({ text, kind: 'text' })
  return read.ok ? read.value : text
}

/** Refuses all rows that mean the same record, because nothing tells which is right. */
function refuseTwins(judged: readonly JudgedRow[], identity: (row: JudgedRow) => string): void {
  forSame(judged, identity, (row, other) =>
    refuse(row, null, refusal('import/row-twice', [], { row: other.source.number })),
  )
}

function refuseSameValue(judged: readonly JudgedRow[], column: ImportColumn): void {
  forSame(
    judged,
    row => row.cells[column.key] ?? '',
    (row, other) => refuse(row, column.header, refusal('import/unique-taken', [], { row: other.source.number })),
  )
}

function forSame(
  judged: readonly JudgedRow[],
  valueIn: (row: JudgedRow) => string,
  mark: (row: JudgedRow, other: JudgedRow) => void,
): void {
  const rows = judged.filter(({ state }) => state !== 'refused')
  const first = new Map<string, JudgedRow>()
  for (const row of rows) {
    const value = valueIn(row)
    const other = first.get(value)
    if (value === '') continue
    if (!other) first.set(value, row)
    else {
      if (other.state !== 'refused') mark(other, row)
      mark(row, other)
    }
  }
}

function refuse(row: JudgedRow, header: string | null, refused: Refused): void {
  row.state = 'refused'
  row.changes = []
  row.refusals = [{ header, text: refusalMessageJa(refused) }]
}

function rowRefusal(column: ImportColumn | undefined, refused: Refused): RowRefusal {
  return { header: column?.header ?? null, text: refusalMessageJa(refused) }
}

function columnOf({ columns }: ImportKind, { path }: Refused): ImportColumn | undefined {
  const name = String(path.at(-1) ?? '')
  return columns.find(({ key, fields }) => key === name || fields.includes(name))
}
