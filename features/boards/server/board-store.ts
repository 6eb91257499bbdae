import type { Permit } from '@pc/domain/access/decide.ts'
import { type BoardTile, tileCondition } from '@pc/domain/board/board.ts'
import type { FILTERS, FilterName } from '@pc/domain/condition/entity-filter.ts'
import { filterConditionOf } from '@pc/domain/condition/filter-conversions.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { workInOwnName } from '@pc/platform/postgres/in-own-name.ts'
import { sql } from 'kysely'

export interface BoardRow {
  readonly id: bigint
  readonly name: string
  /** Whether the reader owns it, and so may change it. */
  readonly isMine: boolean
  readonly isByStaff: boolean
  /** Null where the reader may not see the owner, for example staff's boards that are shared with publishers. */
  readonly ownerEmail: string | null
  readonly sharedRoles: readonly string[]
  readonly tiles: readonly BoardTile[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly revision: number
}

type ReadPermit = Permit<'read:list' | 'read:show', 'insight:board.'>

/** The reader's own boards by name, then shared boards by name. */
export function listBoards(
  database: Database,
  page: Page,
  permit: ReadPermit,
): Promise<{ total: number; nodes: BoardRow[] }> {
  return database.inScope(
    permit.scope,
    async tx => {
      const { uid } = permit.viewer
      await workInOwnName(tx, uid)
      const rows = await boardRows(tx, uid)
        .orderBy(sql`b.owner_uid <> ${uid}`)
        .orderBy('b.name')
        .orderBy('b.id')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      const counted = await tx
        .selectFrom('boards as b')
        .select(eb => eb.fn.countAll<bigint>().as('total'))
        .where('b.deletedAt', 'is', null)
        .executeTakeFirstOrThrow()
      return { total: Number(counted.total), nodes: rows.map(boardOf) }
    },
    { readOnly: true },
  )
}

/** Undefined both for a board that does not exist and for one that the reader may not see. */
export function findBoard(database: Database, id: bigint, permit: ReadPermit): Promise<BoardRow | undefined> {
  return database.inScope(
    permit.scope,
    async tx => {
      await workInOwnName(tx, permit.viewer.uid)
      return boardOfId(tx, id, permit.viewer.uid)
    },
    { readOnly: true },
  )
}

export async function boardOfId(tx: Transaction, id: bigint, uid: string): Promise<BoardRow | undefined> {
  const row = await boardRows(tx, uid).where('b.id', '=', id).executeTakeFirst()
  return row && boardOf(row)
}

/** Hides addresses of staff from others, even if that member of staff belongs to an organisation. */
const ownerEmail = sql<string | null>`case when b.is_by_staff and app.scope() <> 'all' then null else u.email end`.as(
  'ownerEmail',
)

function boardRows(tx: Transaction, uid: string) {
  return tx
    .selectFrom('boards as b')
    .leftJoin('users as u', 'u.uid', 'b.ownerUid')
    .select(['b.id', 'b.name', 'b.isByStaff', 'b.sharedRoles', 'b.tiles', 'b.createdAt', 'b.updatedAt', 'b.revision'])
    .select([sql<boolean>`b.owner_uid = ${uid}`.as('isMine'), ownerEmail])
    .where('b.deletedAt', 'is', null)
}

/** The stored form of tiles of earlier versions, which had a list of ids for each filter instead of `condition`. */
type EarlierTile = Omit<BoardTile, 'condition' | 'compareWith' | 'groupBy'> &
  Partial<Pick<BoardTile, 'compareWith' | 'groupBy'>> & {
    readonly [Name in FilterName as (typeof FILTERS)[Name]]?: readonly string[]
  }
type StoredRow = Omit<BoardRow, 'tiles'> & { readonly tiles: unknown }

/** The cast is safe, because tiles were validated when they were saved. */
function boardOf(row: StoredRow): BoardRow {
  return { ...row, tiles: (row.tiles as readonly (BoardTile | EarlierTile)[]).map(plainTile) }
}

/** Converts earlier tiles, and orders the keys, so that equal tiles have equal JSON: jsonb does not keep their order. */
export function plainTile(tile: BoardTile | EarlierTile): BoardTile {
  const { id, title, report, shape, figure, granularity, period, from, to, width, height } = tile
  const condition = 'condition' in tile ? tile.condition : tileCondition(report, filterConditionOf(tile))
  const [compareWith, groupBy] = [tile.compareWith ?? null, tile.groupBy ?? null]
  return {
    ...{ id, title, report, shape, figure, granularity, period, from, to, compareWith },
    ...{ condition, groupBy, width, height },
  }
}
