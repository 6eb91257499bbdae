import { UNDO_MS } from '@pc/domain/record/undo-window.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { workInOwnName } from '@pc/platform/postgres/in-own-name.ts'
import type { BoardRow } from './board-store.ts'
import { BOARD_RESOURCE, type BoardWrite, lockOwnBoard, whole } from './save-board.ts'

type Refused = Refusal<RefusalCode>

/** Deletes an own board for everybody; `restoreBoard` can bring it back. */
export async function deleteBoard(id: bigint, now: number, write: BoardWrite): Promise<Result<string, Refused>> {
  const { tx, permit, record } = write
  const { uid } = permit.viewer
  const stored = await lockOwnBoard(tx, id, uid)
  if (!stored) return refused(refusal('record/not-found', ['id']))
  await tx
    .deleteFrom('boards')
    .where('ownerUid', '=', uid)
    .where('deletedAt', '<', new Date(now - UNDO_MS))
    .execute()
  await tx
    .updateTable('boards')
    .set({ deletedAt: new Date(now), revision: stored.revision + 1 })
    .where('id', '=', id)
    .execute()
  const { name, sharedRoles, tiles, revision } = stored
  record({
    action: 'delete',
    resource: BOARD_RESOURCE,
    rowId: id,
    before: { name, sharedRoles, tiles, revision },
    after: null,
  })
  return ok(String(id))
}

/** Restores an own board that was deleted less than a day ago. A board that is not deleted stays as it is. */
export async function restoreBoard(id: bigint, now: number, write: BoardWrite): Promise<Result<BoardRow, Refused>> {
  const { tx, permit, record, recordNothing } = write
  const { uid } = permit.viewer
  await workInOwnName(tx, uid)
  const found = await tx
    .selectFrom('boards')
    .select(['deletedAt', 'name', 'revision'])
    .where('id', '=', id)
    .where('ownerUid', '=', uid)
    .forUpdate()
    .executeTakeFirst()
  if (!found || (found.deletedAt !== null && found.deletedAt.getTime() < now - UNDO_MS))
    return refused(refusal('record/not-found', ['id']))
  if (found.deletedAt === null) {
    recordNothing()
    return ok(await whole(tx, id, uid))
  }
  const revision = found.revision + 1
  await tx.updateTable('boards').set({ deletedAt: null, revision }).where('id', '=', id).execute()
  record({
    action: 'restore',
    resource: BOARD_RESOURCE,
    rowId: id,
    before: null,
    after: { name: found.name, revision },
  })
  return ok(await whole(tx, id, uid))
}
