import { createHash } from 'node:crypto'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { RecordIds } from './import-kind.ts'
import type { JudgedRow, RowChange, RowRefusal, RowState } from './judge-rows.ts'
import type { SourceRow } from './read-rows.ts'

export interface ImportRow {
  readonly id: bigint
  readonly kind: string
  readonly fileName: string
  readonly fileSha256: string
  readonly previewSha256: string
  readonly newCount: number
  readonly changedCount: number
  readonly unchangedCount: number
  readonly refusedCount: number
  readonly uploadedByEmail: string
  readonly uploadedByUid: string
  readonly uploadedAt: Date
  readonly confirmedByEmail: string | null
  readonly confirmedAt: Date | null
}

/** A row of a preview as it is stored and shown. */
export interface StoredRow {
  readonly rowNumber: number
  readonly state: RowState
  readonly cells: SourceRow['cells']
  readonly changes: readonly RowChange[]
  readonly refusals: readonly RowRefusal[]
  readonly recordIds: RecordIds
}

const ROWS_AT_A_TIME = 1_000
/** How long unconfirmed previews are kept, because files contain addresses and account numbers. */
export const PREVIEW_HOURS = 24

/** Stores a preview. @returns its id */
export async function keepPreview(
  tx: Transaction,
  file: { readonly kind: string; readonly fileName: string; readonly fileSha256: string },
  uploader: { readonly uid: string; readonly email: string },
  at: Date,
  rows: readonly JudgedRow[],
): Promise<bigint> {
  const count = (state: RowState) => rows.filter(row => row.state === state).length
  const { id } = await tx
    .insertInto('imports')
    .values({
      ...file,
      previewSha256: previewHash(rows.map(storedRow)),
      newCount: count('new'),
      changedCount: count('changed'),
      unchangedCount: count('unchanged'),
      refusedCount: count('refused'),
      uploadedByUid: uploader.uid,
      uploadedByEmail: uploader.email,
      uploadedAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
    const values = rows.slice(from, from + ROWS_AT_A_TIME).map(row => {
      const { rowNumber, state, cells, changes, refusals, recordIds } = storedRow(row)
      return {
        importId: id,
        rowNumber,
        state,
        cells: JSON.stringify(cells),
        changes: JSON.stringify(changes),
        refusals: JSON.stringify(refusals),
        recordIds: JSON.stringify(recordIds),
      }
    })
    await tx.insertInto('importRows').values(values).execute()
  }
  return id
}

function storedRow({ source, state, changes, refusals, recordIds }: JudgedRow): StoredRow {
  // Rows that a use case refused still have record ids, which refused rows do not show.
  const named = state === 'refused' ? {} : recordIds
  return { rowNumber: source.number, state, cells: source.cells, changes, refusals, recordIds: named }
}

/** Identifies what a person saw: previews with different rows have different hashes. */
function previewHash(rows: readonly StoredRow[]): string {
  const hash = createHash('sha256')
  for (const { rowNumber, state, changes, refusals, recordIds } of rows)
    hash.update(`${JSON.stringify([rowNumber, state, changes, refusals, recordIds])}\n`)
  return hash.digest('hex')
}

/** Deletes the rows of expired previews, and of confirmed imports the refused rows after the same time. */
export async function forgetRows(tx: Transaction, at: Date): Promise<void> {
  const limit = new Date(at.getTime() - PREVIEW_HOURS * 3_600_000)
  await tx
    .deleteFrom('importRows')
    .where('importId', 'in', tx.selectFrom('imports').select('id').where('uploadedAt', '<', limit))
    .execute()
}

/** Reads and locks an import, so that a second confirmation waits and finds it confirmed. */
export async function lockImport(tx: Transaction, id: bigint): Promise<ImportRow | undefined> {
  const row = await tx.selectFrom('imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row as ImportRow | undefined
}

export async function findImport(reader: Reader, id: bigint): Promise<ImportRow | undefined> {
  return (await reader.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()) as
    | ImportRow
    | undefined
}

const savedCount = sql<number>`new_count + changed_count`

/** Confirmed imports and unexpired previews, newest first. @param isWaiting (in the last argument) only the previews */
export async function listImports(
  reader: Reader,
  kinds: readonly string[],
  at: Date,
  { isWaiting, ...page }: { readonly limit: number; readonly offset: number; readonly isWaiting: boolean },
): Promise<{ readonly total: number; readonly nodes: readonly ImportRow[] }> {
  if (kinds.length === 0) return { total: 0, nodes: [] }
  const limit = new Date(at.getTime() - PREVIEW_HOURS * 3_600_000)
  const listed = reader
    .selectFrom('imports')
    .where('kind', 'in', kinds)
    .where(eb =>
      isWaiting
        ? eb.and([eb('confirmedAt', 'is', null), eb('uploadedAt', '>', limit), eb(savedCount, '>', 0)])
        : eb.or([eb('confirmedAt', 'is not', null), eb('uploadedAt', '>', limit)]),
    )
  const { total } = await listed.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  const nodes = await listed.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  return { total: Number(total), nodes: nodes as ImportRow[] }
}

export async function readStoredRows(
  reader: Reader,
  id: bigint,
  options: { readonly state?: RowState | undefined; readonly limit?: number; readonly offset?: number } = {},
): Promise<StoredRow[]> {
  let query = reader.selectFrom('importRows').selectAll().where('importId', '=', id).orderBy('rowNumber')
  if (options.state !== undefined) query = query.where('state', '=', options.state)
  if (options.limit !== undefined) query = query.limit(options.limit).offset(options.offset ?? 0)
  const rows = await query.execute()
  return rows.map(({ rowNumber, state, cells, changes, refusals, recordIds }) => ({
    rowNumber,
    state: state as RowState,
    cells: parsed(cells),
    changes: parsed(changes),
    refusals: parsed(refusals),
    recordIds: parsed(recordIds),
  }))
}

function parsed<T>(json: unknown): T {
  return (typeof json === 'string' ? JSON.parse(json) : json) as T
}
