import { refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { type Change, recordChange } from '@pc/platform/audit/record-change.ts'
import { actorOf } from '@pc/platform/audit/record-read.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { IMPORT, type Importer, importWrite } from './import-access.ts'
import type { ImportKind, RecordIds, Refused } from './import-kind.ts'
import {
  findImport,
  type ImportRow,
  lockImport,
  PREVIEW_HOURS,
  readStoredRows,
  type StoredRow,
} from './import-store.ts'
import { type JudgedRow, judgeRows, type RowChange } from './judge-rows.ts'
import {
  groupsToSave,
  type ImportDependencies,
  isConstraint,
  type Progress,
  portionsOf,
  previewRows,
  type RefusedRow,
  saveGroups,
} from './preview-import.ts'

export interface Confirmation {
  readonly importId: bigint
  /** The hash of the preview that the person saw; a different one is refused. */
  readonly previewSha256: string
  readonly withoutRefused: boolean
  readonly sendsInvitations: boolean
}

export interface ConfirmedImport {
  readonly row: ImportRow
  /** True when records changed since the preview: nothing was saved, and `row` is a new preview of the same file. */
  readonly isNewPreview: boolean
}

const MAX_ATTEMPTS = 3
const ROWS_AT_A_TIME = 500

/** Thrown to roll the transaction back and to create a new preview. */
class ChangedSince extends Error {
  readonly refused: readonly RefusedRow[]
  constructor(refused: readonly RefusedRow[] = []) {
    super('changed since')
    this.refused = refused
  }
}
class NotConfirmed extends Error {
  readonly refusals: readonly Refused[]
  constructor(...refusals: readonly Refused[]) {
    super('not confirmed')
    this.refusals = refusals
  }
}

/**
 * Saves the rows of a preview in one transaction through the use cases of the forms: all of them, or none. Confirming the
 * same preview again changes nothing and returns it.
 * Tested by `scenarios/books-from-workbooks.test.ts`.
 */
export async function confirmImport(
  parts: ImportDependencies,
  kind: ImportKind,
  importer: Importer,
  confirmation: Confirmation,
  progress: Progress,
): Promise<Result<ConfirmedImport, Refused>> {
  let refusedRows: readonly RefusedRow[] = []
  let rowsAtATime = ROWS_AT_A_TIME
  for (let attempt = 1; ; attempt += 1) {
    try {
      const row = await parts.database.inScope(SYSTEM, tx =>
        saveRows(tx, parts, kind, importer, confirmation, { ...progress, rowsAtATime }),
      )
      return ok({ row, isNewPreview: false })
    } catch (error) {
      if (error instanceof NotConfirmed) return refused(...error.refusals)
      if (error instanceof ChangedSince) {
        refusedRows = error.refused
        break
      }
      if (isConstraint(error) && rowsAtATime > 1) {
        // A constraint's error does not say which row violated it: tries again with one record at a time.
        rowsAtATime = 1
        continue
      }
      if (attempt === MAX_ATTEMPTS || readSqlRefusal(error)?.kind !== 'retry') throw error
    }
  }
  const row = await previewAgain(parts, kind, importer, confirmation.importId, progress, refusedRows)
  return ok({ row, isNewPreview: true })
}

async function saveRows(
  tx: Transaction,
  { clock }: ImportDependencies,
  kind: ImportKind,
  importer: Importer,
  { importId, previewSha256, withoutRefused, sendsInvitations }: Confirmation,
  { signal, onRows, rowsAtATime }: Progress & { readonly rowsAtATime: number },
): Promise<ImportRow> {
  const kept = await lockImport(tx, importId)
  if (kept?.kind !== kind.name) throw new NotConfirmed(refusal('import/not-found'))
  if (kept.confirmedAt !== null) return kept
  if (kind.confirmedByOther && kept.uploadedByUid === importer.viewer.uid)
    throw new NotConfirmed(refusal('import/own-upload'))
  if (kept.previewSha256 !== previewSha256) throw new NotConfirmed(refusal('import/changed-since'))
  if (clock.now() - kept.uploadedAt.getTime() > PREVIEW_HOURS * 3_600_000)
    throw new NotConfirmed(refusal('import/too-old'))
  if (kept.refusedCount > 0 && !withoutRefused)
    throw new NotConfirmed(refusal('import/has-refused', [], { count: kept.refusedCount }))
  if (kept.newCount + kept.changedCount === 0) throw new NotConfirmed(refusal('import/nothing-to-do'))
  const stored = await readStoredRows(tx, importId)
  const session = await kind.open(tx, { sendsInvitations, uploadedByUid: kept.uploadedByUid })
  const rows = sourcesOf(stored)
  const wanted = judgeRows(kind, session, rows).filter((_row, at) => stored[at]?.state !== 'refused')
  demandSame(
    wanted,
    stored.filter(row => row.state !== 'refused'),
  )
  const groups = groupsToSave(wanted)
  const changes: Change[] = []
  const write = importWrite(importer, tx, change => changes.push(ofImport(change, importId)))
  let done = 0
  const total = kept.newCount + kept.changedCount
  onRows(done, total)
  for (const portion of portionsOf(groups, rowsAtATime)) {
    signal.throwIfAborted()
    const refusedRows = [...(await saveGroups(session, write, portion))].map(([{ source }, refusals]) => ({
      ...{ number: source.number, refusals },
    }))
    // The limit of invitations is not the fault of a row, so the whole import is refused.
    if (refusedRows.some(({ refusals }) => refusals.some(({ code }) => code === 'mail/too-many')))
      throw new NotConfirmed(refusal('import/too-many-invitations'))
    if (refusedRows.length > 0) throw new ChangedSince(refusedRows.filter(row => !isStale(row)))
    done += portion.reduce((sum, group) => sum + group.length, 0)
    onRows(done, total)
  }
  await session.finish?.(write)
  signal.throwIfAborted()
  await finish(tx, kept, importer, new Date(clock.now()), changes)
  const confirmed = await findImport(tx, importId)
  if (!confirmed) throw new Error('an import that is locked is gone')
  return confirmed
}

/** Whether only a concurrent edit refused the row. The new preview reads the edited record, so it need not repeat the refusal. */
function isStale({ refusals }: RefusedRow): boolean {
  return refusals.every(({ code }) => code === 'record/edited-by-other')
}

function sourcesOf(stored: readonly StoredRow[]) {
  return stored.map(({ rowNumber, cells }) => ({ number: rowNumber, cells }))
}

/** Demands that every row still means what the preview showed, also the same records: a name may belong to another by now. */
function demandSame(judged: readonly JudgedRow[], stored: readonly StoredRow[]): void {
  const isSame = judged.every((row, at) => {
    const shown = stored[at]
    if (row.state !== shown?.state || textOf(row.changes) !== textOf(shown.changes)) return false
    return idText(row.recordIds) === idText(shown.recordIds)
  })
  if (!isSame) throw new ChangedSince()
}

// Sorted, because PostgreSQL's jsonb does not keep the order of keys.
function idText(recordIds: RecordIds): string {
  return JSON.stringify(Object.entries(recordIds).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function textOf(changes: readonly RowChange[]): string {
  return JSON.stringify(changes.map(({ header, before, after }) => [header, before, after]))
}

/** Adds the import's id to the audit entry of a record. */
function ofImport(change: Change, importId: bigint): Change {
  return { ...change, after: change.after && { ...change.after, importId } }
}

async function finish(
  tx: Transaction,
  kept: ImportRow,
  importer: Importer,
  confirmedAt: Date,
  changes: readonly Change[],
): Promise<void> {
  const { id, kind, fileName, fileSha256, newCount, changedCount, unchangedCount, refusedCount } = kept
  await tx
    .updateTable('imports')
    .set({ confirmedAt, confirmedByEmail: importer.viewer.email })
    .where('id', '=', id)
    .execute()
  // Keeps only refused rows, for download and repair. Saved rows are in their records and in the audit log.
  await tx.deleteFrom('importRows').where('importId', '=', id).where('state', '<>', 'refused').execute()
  const counts = { newCount, changedCount, unchangedCount, refusedCount }
  await recordChange(tx, actorOf(importer.viewer, importer), ...changes, {
    action: 'import',
    resource: IMPORT,
    rowId: id,
    before: null,
    after: { kind, fileName, fileSha256, ...counts },
  })
}

async function previewAgain(
  parts: ImportDependencies,
  kind: ImportKind,
  importer: Importer,
  importId: bigint,
  progress: Progress,
  refusedRows: readonly RefusedRow[],
): Promise<ImportRow> {
  const { kept, stored } = await parts.database.inScope(
    SYSTEM,
    async tx => ({ kept: await findImport(tx, importId), stored: await readStoredRows(tx, importId) }),
    { readOnly: true },
  )
  if (!kept) throw new Error('an import that was just read is gone')
  const { fileName, fileSha256, uploadedByUid: uid, uploadedByEmail: email } = kept
  const sent = { fileName, fileSha256, uploadedBy: { uid, email } }
  return previewRows(parts, kind, importer, sent, sourcesOf(stored), progress, refusedRows)
}
