import { auditRowId } from '@pc/domain/payment/audit-row-id.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { MAX_SCENARIO_NAME } from '@pc/domain/settlement/what-if.ts'
import { hasHiddenCharacter } from '@pc/domain/text/name-text.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { MonthKey } from '../../core/server/month-key.ts'

/** A scenario that is saved under a name. Only the change is stored; its result is computed whenever it is shown. */
export interface WhatIfDraft extends MonthKey {
  readonly id: bigint
  readonly name: string
  /** The change as JSON, in the form of the API's argument. */
  readonly change: string
  readonly createdByEmail: string | null
  readonly updatedAt: Date
  readonly revision: number
}

/** Drafts that a list returns. */
const MAX_LISTED = 200

/** The row id in the audit log, with a prefix, because other records of the same resource have numeric ids as well. */
const rowIdOf = (id: bigint) => auditRowId('draft', id)

/** The drafts of a month, the last changed first, at most {@link MAX_LISTED}. */
export async function listDrafts(tx: Transaction, { mediumId, month }: MonthKey): Promise<WhatIfDraft[]> {
  return (await draftsOf(tx)
    .where('d.mediumId', '=', mediumId)
    .where('d.month', '=', month)
    .orderBy('d.updatedAt', 'desc')
    .limit(MAX_LISTED)
    .execute()) as WhatIfDraft[]
}

function draftsOf(tx: Transaction) {
  return tx
    .selectFrom('whatIfDrafts as d')
    .leftJoin('users as u', 'u.uid', 'd.createdByUid')
    .select(['d.id', 'd.mediumId', 'd.month', 'd.name', 'd.updatedAt', 'd.revision', 'u.email as createdByEmail'])
    .select(eb => eb.cast<string>('d.change', 'text').as('change'))
}

type DraftWrite = Write<'write:create', 'insight:dividend.'>
type DraftRefusal = Refusal<
  | 'what-if/name-missing'
  | 'what-if/name-too-long'
  | 'name/hidden-characters'
  | 'record/not-found'
  | 'record/edited-by-other'
>

/** Adds a draft, or changes an existing one. The books do not change. */
export async function saveDraft(
  input: {
    readonly id: bigint | undefined
    readonly expectedRevision: number | undefined
    readonly key: MonthKey
    readonly name: string
    /** JSON */
    readonly change: string
  },
  write: DraftWrite,
): Promise<Result<WhatIfDraft, DraftRefusal>> {
  const { tx } = write
  const name = input.name.trim()
  if (name === '') return refused(refusal('what-if/name-missing', ['input', 'name']))
  if (Array.from(name).length > MAX_SCENARIO_NAME) {
    return refused(refusal('what-if/name-too-long', ['input', 'name'], { max: MAX_SCENARIO_NAME }))
  }
  if (hasHiddenCharacter(name)) return refused(refusal('name/hidden-characters', ['input', 'name']))
  const { change } = input
  if (input.id === undefined) {
    const createdByUid = write.permit.viewer.uid
    const { id } = await tx
      .insertInto('whatIfDrafts')
      .values({ ...input.key, name, change, createdByUid })
      .returning('id')
      .executeTakeFirstOrThrow()
    write.record({
      action: 'create',
      resource: 'insight:dividend.',
      rowId: rowIdOf(id),
      before: null,
      after: { name, revision: 1 },
    })
    return ok(await readDraft(tx, id))
  }
  const stored = await lockDraft(tx, input.id)
  if (!stored) return refused(refusal('record/not-found', ['input', 'id']))
  const stale = await editedByOther(tx, {
    resource: 'insight:dividend.',
    rowId: rowIdOf(input.id),
    revision: stored.revision,
    expectedRevision: input.expectedRevision,
  })
  if (stale) return refused(stale)
  const revision = stored.revision + 1
  await tx
    .updateTable('whatIfDrafts')
    .set({ name, change, revision, updatedAt: sql<Date>`now()` })
    .where('id', '=', input.id)
    .execute()
  write.record({
    action: 'update',
    resource: 'insight:dividend.',
    rowId: rowIdOf(input.id),
    before: { name: stored.name, revision: stored.revision },
    after: { name, revision },
  })
  return ok(await readDraft(tx, input.id))
}

export async function deleteDraft(id: bigint, write: DraftWrite): Promise<Result<true, Refusal<'record/not-found'>>> {
  const stored = await lockDraft(write.tx, id)
  if (!stored) return refused(refusal('record/not-found', ['id']))
  await write.tx.deleteFrom('whatIfDrafts').where('id', '=', id).execute()
  write.record({
    action: 'delete',
    resource: 'insight:dividend.',
    rowId: rowIdOf(id),
    before: { name: stored.name, revision: stored.revision },
    after: null,
  })
  return ok(true)
}

function lockDraft(tx: Transaction, id: bigint) {
  return tx.selectFrom('whatIfDrafts').select(['name', 'revision']).where('id', '=', id).forUpdate().executeTakeFirst()
}

async function readDraft(tx: Transaction, id: bigint): Promise<WhatIfDraft> {
  return (await draftsOf(tx).where('d.id', '=', id).executeTakeFirstOrThrow()) as WhatIfDraft
}
