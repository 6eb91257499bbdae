import type { GranularAction } from '@pc/domain/access/action.ts'
import {
  BOARD_BOUNDS,
  type BoardDraft,
  type BoardTile,
  checkBoard,
  PUBLISHER_SHARE_ROLES,
  STAFF_SHARE_ROLES,
} from '@pc/domain/board/board.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { withoutHiddenCharacters } from '@pc/domain/text/name-text.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import { saveEdit } from '@pc/platform/audit/save-edit.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { workInOwnName } from '@pc/platform/postgres/in-own-name.ts'
import { type BoardRow, boardOfId } from './board-store.ts'

type Refused = Refusal<RefusalCode>
export type BoardWrite = Write<GranularAction, 'insight:board.'>
export const BOARD_RESOURCE = 'insight:board.'

/** The sent fields of a board; absent ones stay unchanged. */
export interface BoardInput {
  readonly name?: string | undefined
  readonly sharedRoles?: readonly string[] | undefined
  readonly tiles?: readonly BoardTile[] | undefined
}

/** Creates a board of the viewer. */
export async function addBoard(input: BoardInput, write: BoardWrite): Promise<Result<BoardRow, Refused>> {
  const { tx, permit, record } = write
  const { uid } = permit.viewer
  const draft = cleaned(input, { name: '', sharedRoles: [], tiles: [] })
  const wrong = checkBoard(draft, shareRoles(permit))
  if (wrong.length > 0) return refused(...wrong)
  await workInOwnName(tx, uid)
  const own = await tx
    .selectFrom('boards')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where('ownerUid', '=', uid)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (own.count >= BigInt(BOARD_BOUNDS.boards))
    return refused(refusal('board/too-many-boards', ['input', 'name'], { max: BOARD_BOUNDS.boards }))
  const { id } = await tx
    .insertInto('boards')
    .values({ ...columnsOf(draft), ownerUid: uid, ...ownership(permit) })
    .returning('id')
    .executeTakeFirstOrThrow()
  record({ action: 'create', resource: BOARD_RESOURCE, rowId: id, before: null, after: { ...draft, revision: 1 } })
  return ok(await whole(tx, id, uid))
}

/** Changes the sent fields of an own board. */
export async function changeBoard(
  id: bigint,
  input: BoardInput,
  expectedRevision: number | null | undefined,
  write: BoardWrite,
): Promise<Result<BoardRow, Refused>> {
  const { tx, permit } = write
  const { uid } = permit.viewer
  const stored = await lockOwnBoard(tx, id, uid)
  if (!stored) return refused(refusal('record/not-found', ['input', 'id']))
  const { revision } = stored
  const stale = await editedByOther(tx, { resource: BOARD_RESOURCE, rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  const before: BoardDraft = { name: stored.name, sharedRoles: stored.sharedRoles, tiles: stored.tiles }
  const draft = cleaned(input, before)
  const wrong = checkBoard(draft, shareRoles(permit))
  if (wrong.length > 0) return refused(...wrong)
  await saveEdit(write, { resource: BOARD_RESOURCE, rowId: id, revision, before, after: draft }, () =>
    tx
      .updateTable('boards')
      .set(eb => ({
        ...columnsOf(draft),
        ...ownership(permit),
        revision: revision + 1,
        updatedAt: eb.fn<Date>('now'),
      }))
      .where('id', '=', id)
      .execute(),
  )
  return ok(await whole(tx, id, uid))
}

/** Adds a tile at the end of an own board. Compares no revision, because pinning cannot conflict with other edits. */
export async function pinToBoard(id: bigint, tile: BoardTile, write: BoardWrite): Promise<Result<BoardRow, Refused>> {
  const stored = await lockOwnBoard(write.tx, id, write.permit.viewer.uid)
  if (!stored) return refused(refusal('record/not-found', ['input', 'boardId']))
  return changeBoard(id, { tiles: [...stored.tiles.map(withPlainTitle), tile] }, undefined, write)
}

/** Locks the board; undefined when it is not the person's own. */
export async function lockOwnBoard(tx: Transaction, id: bigint, uid: string): Promise<BoardRow | undefined> {
  await workInOwnName(tx, uid)
  const locked = await tx
    .selectFrom('boards')
    .select('id')
    .where('id', '=', id)
    .where('ownerUid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return locked && boardOfId(tx, id, uid)
}

export async function whole(tx: Transaction, id: bigint, uid: string): Promise<BoardRow> {
  const row = await boardOfId(tx, id, uid)
  if (!row) throw new Error('a board that was just written is gone')
  return row
}

function shareRoles({ scope }: BoardWrite['permit']): readonly string[] {
  return scope.kind === 'all' ? STAFF_SHARE_ROLES : PUBLISHER_SHARE_ROLES
}

/** The owner columns of a new board. A publisher's board is visible only within its organisation, whatever its roles. */
function ownership({ scope }: BoardWrite['permit']) {
  const isByStaff = scope.kind === 'all'
  const organizationId = scope.kind === 'organization' || scope.kind === 'agreements' ? scope.organizationId : null
  return { isByStaff, organizationId }
}

function columnsOf({ name, sharedRoles, tiles }: BoardDraft) {
  return { name, sharedRoles: [...sharedRoles], tiles: JSON.stringify(tiles) }
}

function cleaned(input: BoardInput, rest: BoardDraft): BoardDraft {
  return {
    name: input.name === undefined ? withoutHiddenCharacters(rest.name) : input.name.trim(),
    sharedRoles: input.sharedRoles === undefined ? rest.sharedRoles : [...new Set(input.sharedRoles)].sort(),
    tiles: input.tiles?.map(tile => ({ ...tile, title: tile.title.trim() })) ?? rest.tiles.map(withPlainTitle),
  }
}

/** Removes hidden characters from titles of earlier versions, which today's validation would refuse in any edit. */
function withPlainTitle(tile: BoardTile): BoardTile {
  return { ...tile, title: withoutHiddenCharacters(tile.title) }
}
