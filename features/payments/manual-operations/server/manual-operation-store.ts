import type { Permit } from '@pc/domain/access/decide.ts'
import { COMMON_LIST_ORDERS, type Page, splitOrder } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type Selectable, sql } from 'kysely'

export const OPERATION_ORDERS = [...COMMON_LIST_ORDERS, 'DIVIDENDMONTH_ASC', 'DIVIDENDMONTH_DESC'] as const
export type MonthOperationOrder = (typeof OPERATION_ORDERS)[number]
/** `UPDATEDAT` is the last change of the month or of one of its manual operations. */
const ORDER_COLUMNS = {
  ID: sql`o.id`,
  CREATEDAT: sql`o.created_at`,
  UPDATEDAT: sql`greatest(o.created_at, o.finalized_at, (
    select max(greatest(d.created_at, d.started_at, d.completed_at, d.withdrawn_at)) from dividends d
    where d.operation_id = o.id))`,
  DIVIDENDMONTH: sql`o.month`,
} as const

export interface MonthOperationRow extends Selectable<Tables['dividendOperations']> {
  readonly manualOperations: readonly ManualOperationRow[]
}
export interface ManualOperationRow extends Omit<Selectable<Tables['dividends']>, 'bookingHash'> {
  readonly userEmail: string | null
}
export interface MonthOperationFilter {
  readonly id?: bigint | undefined
  readonly month?: number | undefined
  readonly mediumId?: bigint | undefined
  readonly hasBeenFinalized?: boolean | undefined
}

export function listMonthOperations(
  database: Database,
  filter: MonthOperationFilter,
  order: MonthOperationOrder,
  page: Page,
  permit: Permit<'read:list', 'insight:dividend.'>,
): Promise<{ readonly total: number; readonly nodes: readonly MonthOperationRow[] }> {
  return database.inScope(
    permit.scope,
    async tx => {
      let query = tx.selectFrom('dividendOperations as o')
      if (filter.id !== undefined) query = query.where('o.id', '=', filter.id)
      if (filter.month !== undefined) query = query.where('o.month', '=', filter.month)
      if (filter.hasBeenFinalized !== undefined) query = query.where('o.hasBeenFinalized', '=', filter.hasBeenFinalized)
      const { mediumId } = filter
      if (mediumId !== undefined) {
        query = query.where('o.id', 'in', eb =>
          eb.selectFrom('dividends as d').select('d.operationId').where('d.mediumId', '=', mediumId),
        )
      }
      const { total } = await query.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
      const [column, direction] = splitOrder(order)
      const way = direction === 'ASC' ? 'asc' : 'desc'
      const rows = await query
        .selectAll('o')
        .orderBy(ORDER_COLUMNS[column], way)
        .orderBy('o.id', way)
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      const manualOperations = await manualOperationsOf(
        tx,
        rows.map(row => row.id),
        mediumId,
      )
      return {
        total: Number(total),
        nodes: rows.map(row => ({ ...row, manualOperations: manualOperations.get(row.id) ?? [] })),
      }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

async function manualOperationsOf(tx: Transaction, operationIds: readonly bigint[], mediumId: bigint | undefined) {
  if (operationIds.length === 0) return new Map<bigint, ManualOperationRow[]>()
  let query = tx
    .selectFrom('dividends as d')
    .leftJoin('users as u', 'u.uid', 'd.userUid')
    .selectAll('d')
    .select('u.email as userEmail')
    .where('d.operationId', 'in', operationIds)
    .orderBy('d.id', 'desc')
  if (mediumId !== undefined) query = query.where('d.mediumId', '=', mediumId)
  const rows = (await query.execute()).map(({ bookingHash: _hash, ...row }) => row)
  return Map.groupBy(rows, row => row.operationId)
}

export async function readMonthOperation(tx: Transaction, id: bigint): Promise<MonthOperationRow | undefined> {
  const row = await tx.selectFrom('dividendOperations').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { ...row, manualOperations: (await manualOperationsOf(tx, [id], undefined)).get(id) ?? [] }
}

export async function readManualOperation(tx: Transaction, id: bigint): Promise<ManualOperationRow | undefined> {
  const row = await tx
    .selectFrom('dividends as d')
    .leftJoin('users as u', 'u.uid', 'd.userUid')
    .selectAll('d')
    .select('u.email as userEmail')
    .where('d.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { bookingHash: _hash, ...manualOperation } = row
  return manualOperation
}
