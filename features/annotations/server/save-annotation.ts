import type { GranularAction } from '@pc/domain/access/action.ts'
import {
  ANNOTATION_BOUNDS,
  type AnnotationDraft,
  type AnnotationVisibility,
  checkAnnotation,
} from '@pc/domain/annotation/annotation.ts'
import { UNDO_MS } from '@pc/domain/record/undo-window.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { workInOwnName } from '@pc/platform/postgres/in-own-name.ts'
import { sql } from 'kysely'
import { type AnnotationRow, annotationOfId } from './annotation-store.ts'

type Refused = Refusal<RefusalCode>
type AnnotationWrite = Write<GranularAction, 'insight:annotation.'>
const RESOURCE = 'insight:annotation.'

/**
 * Adds a note of the viewer.
 * Tested by `features/boards/server/boards.test.ts`.
 */
export async function addAnnotation(
  draft: AnnotationDraft,
  write: AnnotationWrite,
): Promise<Result<AnnotationRow, Refused>> {
  const { tx, permit, record } = write
  const { uid } = permit.viewer
  await workInOwnName(tx, uid)
  const content = cleanDraft(draft)
  const wrong = await problemsOf(content, write)
  if (wrong.length > 0) return refused(...wrong)
  const own = await tx
    .selectFrom('annotations')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where('ownerUid', '=', uid)
    .executeTakeFirstOrThrow()
  const max = ANNOTATION_BOUNDS.perPerson
  if (own.count >= BigInt(max)) return refused(refusal('annotation/too-many', ['input', 'text'], { max }))
  const { id } = await tx
    .insertInto('annotations')
    .values({ ...content, mediumIds: [...content.mediumIds], ownerUid: uid, isByStaff: permit.scope.kind === 'all' })
    .returning('id')
    .executeTakeFirstOrThrow()
  record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after: { ...content, revision: 1 } })
  return ok(await readSavedNote(tx, id, uid))
}

/** Replaces the content of an own note. */
export async function changeAnnotation(
  id: bigint,
  draft: AnnotationDraft,
  expectedRevision: number | null | undefined,
  write: AnnotationWrite,
): Promise<Result<AnnotationRow, Refused>> {
  const { tx, permit } = write
  const { uid } = permit.viewer
  const stored = await lockOwn(tx, id, uid)
  if (!stored) return refused(refusal('record/not-found', ['input', 'id']))
  const { revision } = stored
  const stale = await editedByOther(tx, { resource: RESOURCE, rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  const content = cleanDraft(draft)
  const wrong = await problemsOf(content, write)
  if (wrong.length > 0) return refused(...wrong)
  const edit = { resource: RESOURCE, rowId: id, revision, before: contentOf(stored), after: content } as const
  await saveEdit(write, edit, () =>
    tx
      .updateTable('annotations')
      .set(eb => ({
        ...content,
        mediumIds: [...content.mediumIds],
        isByStaff: permit.scope.kind === 'all',
        revision: revision + 1,
        updatedAt: eb.fn<Date>('now'),
      }))
      .where('id', '=', id)
      .execute(),
  )
  return ok(await readSavedNote(tx, id, uid))
}

/** Deletes an own note; `restoreAnnotation` can bring it back. */
export async function deleteAnnotation(
  id: bigint,
  now: number,
  write: AnnotationWrite,
): Promise<Result<string, Refused>> {
  const { tx, permit, record } = write
  const { uid } = permit.viewer
  const stored = await lockOwn(tx, id, uid)
  if (!stored) return refused(refusal('record/not-found', ['id']))
  const forGood = new Date(now - UNDO_MS)
  await tx.deleteFrom('annotations').where('ownerUid', '=', uid).where('deletedAt', '<', forGood).execute()
  const revision = stored.revision + 1
  await tx
    .updateTable('annotations')
    .set({ deletedAt: new Date(now), revision })
    .where('id', '=', id)
    .execute()
  const before = { ...contentOf(stored), revision: stored.revision }
  record({ action: 'delete', resource: RESOURCE, rowId: id, before, after: null })
  return ok(String(id))
}

/** Restores an own note that was deleted less than a day ago. A note that is not deleted stays as it is. */
export async function restoreAnnotation(
  id: bigint,
  now: number,
  write: AnnotationWrite,
): Promise<Result<AnnotationRow, Refused>> {
  const { tx, permit, record, recordNothing } = write
  const { uid } = permit.viewer
  await workInOwnName(tx, uid)
  const found = await tx
    .selectFrom('annotations')
    .select(['deletedAt', 'revision', 'publisherId', 'mediumIds', 'visibility'])
    .where('id', '=', id)
    .where('ownerUid', '=', uid)
    .forUpdate()
    .executeTakeFirst()
  if (!found || (found.deletedAt !== null && found.deletedAt.getTime() < now - UNDO_MS))
    return refused(refusal('record/not-found', ['id']))
  if (found.deletedAt === null) {
    recordNothing()
    return ok(await readSavedNote(tx, id, uid))
  }
  const unknown = await unknownOf({ ...found, visibility: found.visibility as AnnotationVisibility }, tx)
  if (unknown) return refused(refusal(`annotation/${unknown}-unknown`, ['id']))
  const revision = found.revision + 1
  await tx.updateTable('annotations').set({ deletedAt: null, revision }).where('id', '=', id).execute()
  const restored = await readSavedNote(tx, id, uid)
  record({
    action: 'restore',
    resource: RESOURCE,
    rowId: id,
    before: null,
    after: { ...contentOf(restored), revision },
  })
  return ok(restored)
}

async function lockOwn(tx: Transaction, id: bigint, uid: string): Promise<AnnotationRow | undefined> {
  await workInOwnName(tx, uid)
  const locked = await tx
    .selectFrom('annotations')
    .select('id')
    .where('id', '=', id)
    .where('ownerUid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return locked && annotationOfId(tx, id, uid)
}

/** The problems of a note. Row-level security hides other publishers, so they are refused as unknown. */
async function problemsOf(content: AnnotationDraft, { tx, permit }: AnnotationWrite): Promise<readonly Refused[]> {
  const wrong = checkAnnotation(content, permit.scope.kind === 'all')
  if (wrong.length > 0) return wrong
  const unknown = await unknownOf(content, tx)
  const at = { publisher: 'publisherId', medium: 'mediumIds' } as const
  return unknown ? [refusal(`annotation/${unknown}-unknown`, ['input', at[unknown]])] : []
}

/**
 * Names what the writer may not refer to: the publisher or one of the media. An editor can address publishers only
 * about media of own agreements.
 */
async function unknownOf(
  { publisherId, mediumIds, visibility }: Pick<AnnotationDraft, 'publisherId' | 'mediumIds' | 'visibility'>,
  tx: Transaction,
): Promise<'publisher' | 'medium' | undefined> {
  if (publisherId !== null) {
    const publisher = await tx.selectFrom('publishers').select('id').where('id', '=', publisherId).executeTakeFirst()
    if (!publisher) return 'publisher'
  }
  if (mediumIds.length === 0) return undefined
  const { rows } = await sql<{ isUnknown: boolean }>`select exists (select from unnest(${mediumIds}::bigint[]) one
    where one not in (select m.id from media m) or (${visibility} = 'publisher' and app.scope() = 'agreements'
      and one not in (select o.medium_id from app.own_publisher_media() o where o.publisher_id = ${publisherId}::bigint)))
    as is_unknown`.execute(tx)
  return rows[0]?.isUnknown ? 'medium' : undefined
}

function cleanDraft(draft: AnnotationDraft): AnnotationDraft {
  const text = draft.text.replaceAll(/[\p{Cc}\u{2028}\u{2029}]+/gu, ' ').trim()
  return { ...draft, text, mediumIds: [...new Set(draft.mediumIds)].sort((a, b) => (a < b ? -1 : 1)) }
}

function contentOf({ startsOn, endsOn, text, visibility, publisherId, mediumIds }: AnnotationDraft): AnnotationDraft {
  return { startsOn, endsOn, text, visibility, publisherId, mediumIds }
}

async function readSavedNote(tx: Transaction, id: bigint, uid: string): Promise<AnnotationRow> {
  const row = await annotationOfId(tx, id, uid)
  if (!row) throw new Error('a note that was just written is gone')
  return row
}
