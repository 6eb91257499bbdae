import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { type Importer, importWrite } from './import-access.ts'
import type { ImportKind, ImportSession, ImportWrite, Refused } from './import-kind.ts'
import { findImport, type ImportRow, keepPreview } from './import-store.ts'
import { type JudgedRow, judgeRows, refuseBy, refuseGroups } from './judge-rows.ts'
import { readSourceRows, type SourceRow } from './read-rows.ts'

export interface ImportDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly kinds: readonly ImportKind[]
}

export interface Progress {
  readonly signal: AbortSignal
  readonly onRows: (done: number, total: number) => void
}

interface UploadedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** `uploadedBy` stays the original uploader when a confirmation creates a new preview of the file. */
interface SentFile {
  readonly fileName: string
  readonly fileSha256: string
  readonly uploadedBy: Pick<Viewer, 'uid' | 'email'>
}

/** A row that its use case refused when it was saved together with other rows. */
export interface RefusedRow {
  readonly number: number
  readonly refusals: readonly Refused[]
}

/**
 * Reads a file and stores a preview of what each row would change.
 * Tested by `scenarios/books-from-workbooks.test.ts`.
 */
export async function previewImport(
  dependencies: ImportDependencies,
  kind: ImportKind,
  importer: Importer,
  file: UploadedFile,
  progress: Progress,
): Promise<Result<ImportRow, Refused>> {
  const rows = await readSourceRows(kind.columns, file.bytes)
  if (!rows.ok) return rows
  const fileSha256 = createHash('sha256').update(file.bytes).digest('hex')
  const sent = { fileName: file.name, fileSha256, uploadedBy: importer.viewer }
  return ok(await previewRows(dependencies, kind, importer, sent, rows.value, progress))
}

/** As {@link previewImport}, for rows that have been read. */
export async function previewRows(
  { database, clock }: ImportDependencies,
  kind: ImportKind,
  importer: Importer,
  { uploadedBy, ...file }: SentFile,
  rows: readonly SourceRow[],
  progress: Progress,
  refusedRows: readonly RefusedRow[] = [],
): Promise<ImportRow> {
  const options = { sendsInvitations: false }
  // As SYSTEM: the importer's permits cover all rows (`demandImporter`).
  const session = await database.inScope(SYSTEM, tx => kind.open(tx, options), { readOnly: true })
  const judged = judgeRows(kind, session, rows)
  await tryRows(database, kind, session, importer, judged, progress)
  for (const { number, refusals } of refusedRows) {
    const also = judged.find(({ source }) => source.number === number)
    if (also?.state === 'new' || also?.state === 'changed') refuseBy(kind, also, refusals)
  }
  refuseGroups(judged)
  return database.inScope(SYSTEM, async tx => {
    const id = await keepPreview(tx, { kind: kind.name, ...file }, uploadedBy, new Date(clock.now()), judged)
    const kept = await findImport(tx, id)
    if (!kept) throw new Error('a preview that was just kept is gone')
    return kept
  })
}

/** Rows per trial transaction, which bounds how long it holds locks before it is rolled back. */
const ROWS_AT_A_TIME = 500
/** Trial transactions at once: each mostly waits for the database. */
const SIDE_BY_SIDE = 2
const MAX_ATTEMPTS = 3
class TriedOut extends Error {}

/**
 * Saves new and changed rows through the use cases and rolls everything back, to learn what they refuse. So the rules are
 * not written twice, and a row that passes is refused later only if something changed.
 */
async function tryRows(
  database: Database,
  kind: ImportKind,
  session: ImportSession,
  importer: Importer,
  judged: readonly JudgedRow[],
  { signal, onRows }: Progress,
): Promise<void> {
  const groups = groupsToSave(judged)
  const total = judged.length
  let done = total - groups.reduce((sum, group) => sum + group.length, 0)
  onRows(done, total)
  const portions = portionsOf(groups, ROWS_AT_A_TIME)
  const work = async () => {
    for (let portion = portions.shift(); portion; portion = portions.shift()) {
      signal.throwIfAborted()
      const refused = await tryPortion(database, session, importer, portion)
      for (const [row, refusals] of refused) refuseBy(kind, row, refusals)
      done += portion.reduce((sum, group) => sum + group.length, 0)
      onRows(done, total)
      await setImmediate()
    }
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
}

type RefusedRows = Map<JudgedRow, readonly Refused[]>
type Groups = readonly (readonly JudgedRow[])[]

/**
 * Tries all groups together, then again without refused ones. Falls back to one group at a time after `MAX_ATTEMPTS`, or when
 * a violated constraint does not tell its row.
 */
async function tryPortion(
  database: Database,
  session: ImportSession,
  importer: Importer,
  groups: Groups,
): Promise<RefusedRows> {
  const refused: RefusedRows = new Map()
  let left = groups
  for (let attempt = 1; ; attempt += 1) {
    const isTogether = attempt <= MAX_ATTEMPTS
    const found = isTogether ? await tryTogether(database, session, importer, left) : undefined
    for (const [row, refusals] of found ?? (await tryOneByOne(database, session, importer, left)))
      refused.set(row, refusals)
    if (!found || found.size === 0) return refused
    left = left.filter(group => !group.some(row => found.has(row)))
  }
}

/** Undefined when a constraint was violated, which does not tell the row. */
async function tryTogether(
  database: Database,
  session: ImportSession,
  importer: Importer,
  groups: Groups,
): Promise<RefusedRows | undefined> {
  let refused: RefusedRows | undefined
  const isKnown = await rolledBack(database, importer, async write => {
    refused = await saveGroups(session, write, groups)
  })
  return isKnown ? refused : undefined
}

async function tryOneByOne(
  database: Database,
  session: ImportSession,
  importer: Importer,
  groups: Groups,
): Promise<RefusedRows> {
  const refused: RefusedRows = new Map()
  await rolledBack(database, importer, async write => {
    refused.clear()
    for (const group of groups) {
      await sql`savepoint group_of_rows`.execute(write.tx)
      const ofGroup = await saveGroups(session, write, [group])
      for (const [row, refusals] of ofGroup) refused.set(row, refusals)
      if (ofGroup.size > 0) await sql`rollback to savepoint group_of_rows`.execute(write.tx)
    }
  })
  return refused
}

/** Runs `work` in a transaction that is always rolled back. @returns false when a constraint was violated */
async function rolledBack(
  database: Database,
  importer: Importer,
  work: (write: ImportWrite) => Promise<void>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.inScope(SYSTEM, async tx => {
        await work(importWrite(importer, tx, () => {}))
        throw new TriedOut()
      })
    } catch (error) {
      if (error instanceof TriedOut) return true
      if (isConstraint(error)) return false
      if (attempt >= MAX_ATTEMPTS || readSqlRefusal(error)?.kind !== 'retry') throw error
    }
  }
}

export function isConstraint(error: unknown): boolean {
  const found = readSqlRefusal(error)
  return found !== undefined && 'constraint' in found
}

/** Saves groups of rows. @returns the refused rows; if there are any, the caller must roll back */
export async function saveGroups(session: ImportSession, write: ImportWrite, groups: Groups): Promise<RefusedRows> {
  const longest = Math.max(...groups.map(group => group.length))
  const rounds = session.savesGroupsWhole
    ? [groups.flat()]
    : Array.from({ length: longest }, (_, at) => groups.flatMap(group => group[at] ?? []))
  for (const rows of rounds) {
    const saved = await session.save(write, rows)
    if (!saved.ok) return Map.groupBy(saved.refusals, ({ path }) => rows[Number(path[0])] ?? rows[0]!)
  }
  return new Map()
}

/** New and changed rows by group, sorted within each. */
export function groupsToSave(judged: readonly JudgedRow[]): JudgedRow[][] {
  const groups = new Map<string, JudgedRow[]>()
  for (const row of judged) {
    if (row.state !== 'new' && row.state !== 'changed') continue
    const name = row.group === '' ? `row ${row.source.number}` : `group ${row.group}`
    const group = groups.get(name)
    if (group) group.push(row)
    else groups.set(name, [row])
  }
  return [...groups.values()].map(group =>
    group.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0)),
  )
}

/** Splits groups into portions of about `rows` rows; a group is never split. */
export function portionsOf(groups: readonly JudgedRow[][], rows: number): JudgedRow[][][] {
  const portions: JudgedRow[][][] = []
  let size = rows
  for (const group of groups) {
    if (size >= rows) {
      portions.push([])
      size = 0
    }
    portions.at(-1)?.push(group)
    size += group.length
  }
  return portions
}
