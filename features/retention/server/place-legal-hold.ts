import type { GranularAction } from '@pc/domain/access/action.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { checkHold, checkHoldReason, type HoldDraft } from '@pc/domain/retention/legal-hold.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import type { Selectable } from 'kysely'

export interface LegalHold extends Selectable<Tables['legalHolds']> {
  readonly organizationName: string | null
}
type Outcome = Promise<Result<LegalHold, Refusal<RefusalCode>>>
type HoldWrite = Write<GranularAction, 'insight:legal_hold.'>
const RESOURCE = 'insight:legal_hold.'

/**
 * Places a hold. From now on nothing that it covers is deleted.
 * Tested by `features/retention/server/retention.test.ts`.
 */
export async function placeLegalHold(draft: HoldDraft, now: number, { tx, permit, record }: HoldWrite): Outcome {
  const hold = { ...draft, reason: draft.reason.trim() }
  const wrong = checkHold(hold)
  if (wrong.length > 0) return refused(...wrong)
  const { organizationId } = hold
  if (organizationId !== null) {
    const found = await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).executeTakeFirst()
    if (!found) return refused(refusal('legal-hold/organization-unknown', ['input', 'organizationId']))
  }
  const { uid, email } = permit.viewer
  const { id } = await tx
    .insertInto('legalHolds')
    .values({ ...hold, placedByUid: uid, placedByEmail: email, placedAt: new Date(now) })
    .returning('id')
    .executeTakeFirstOrThrow()
  record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after: hold })
  return ok((await findHolds(tx, id))[0]!)
}

/** Releases a hold. It stays in the list, with the person and the reason. */
export async function releaseLegalHold(
  id: bigint,
  typed: string,
  now: number,
  { tx, permit, record }: HoldWrite,
): Outcome {
  const releaseReason = typed.trim()
  const wrong = checkHoldReason(releaseReason, ['reason'])
  if (wrong.length > 0) return refused(...wrong)
  const stored = await tx
    .selectFrom('legalHolds')
    .select('releasedAt')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!stored) return refused(refusal('record/not-found', ['id']))
  if (stored.releasedAt !== null) return refused(refusal('legal-hold/already-released', ['id']))
  const released = { releasedAt: new Date(now), releasedByEmail: permit.viewer.email, releaseReason }
  await tx.updateTable('legalHolds').set(released).where('id', '=', id).execute()
  record({ action: 'update', resource: RESOURCE, rowId: id, before: { releaseReason: null }, after: { releaseReason } })
  return ok((await findHolds(tx, id))[0]!)
}

/** Active holds first, then the latest; at most 200. @param id only this hold */
export function findHolds(tx: Transaction, id?: bigint): Promise<LegalHold[]> {
  const holds = tx
    .selectFrom('legalHolds as h')
    .leftJoin('organizations as o', 'o.id', 'h.organizationId')
    .selectAll('h')
    .select('o.name as organizationName')
    .orderBy('h.releasedAt', order => order.desc().nullsFirst())
    .orderBy('h.id', 'desc')
  return (id === undefined ? holds.limit(200) : holds.where('h.id', '=', id)).execute()
}
