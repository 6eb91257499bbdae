import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './database.ts'

export interface Search {
  /** What holds, besides `where`, for the rows that are searched for. */
  readonly holds: RawBuilder<boolean>
  /** How many rows of the list it holds for, where that is known already. */
  readonly total?: number | undefined
}

export interface ListedRows {
  /** The table with its alias, with what its conditions need: `agreements a`. */
  readonly from: RawBuilder<unknown>
  /** The column of the ids, which are bigint and unique: `a.id`. */
  readonly id: RawBuilder<unknown>
  /** All of them must hold. */
  readonly where: readonly RawBuilder<boolean>[]
  /** Undefined: nothing is searched for. */
  readonly search?: Search | undefined
  readonly order: RawBuilder<unknown>
  /** Rows without the value come last. Only where there are such rows: an index answers the plain order alone. */
  readonly hasOrderNulls?: boolean
  readonly direction: 'ASC' | 'DESC'
  readonly limit: number
  readonly offset: number
}

/** A search that finds no more than so many rows is answered by them alone; `app.find_rows` names them. */
const FEW = 2_000

/**
 * The ids of one page of a list, and how many rows the list has in all. Equal ones are in the order of their ids, so
 * pages never overlap.
 *
 * A search that finds few rows reads the table once: the page is cut out of what was found. One that finds many walks
 * the order until the page is full, which is soon, and counts apart. Neither carries whole rows around.
 */
export async function pageOfIds(
  reader: Reader,
  list: ListedRows,
): Promise<{ readonly total: number; readonly ids: readonly bigint[] }> {
  const { ids, total } = await findIds(reader, list)
  return { ids, total: total ?? (await countRows(reader, list)) }
}

/** As {@link pageOfIds}, for who does not ask how many there are: what is frequent costs no more than what is rare. */
export async function firstIds(reader: Reader, list: ListedRows): Promise<readonly bigint[]> {
  return (await findIds(reader, list)).ids
}

/** The rows of a page in its order, read while the list is counted. */
export async function pageOf<Row>(
  reader: Reader,
  list: ListedRows,
  readRows: (ids: readonly bigint[]) => Promise<Row[]>,
): Promise<{ total: number; nodes: Row[] }> {
  const { ids, total } = await findIds(reader, list)
  const [nodes, counted] = await Promise.all([readRows(ids), total ?? countRows(reader, list)])
  return { total: counted, nodes }
}

function conditionsOf({ where, search }: ListedRows): RawBuilder<unknown> {
  return sql.join([...where, search?.holds ?? sql<boolean>`true`], sql` and `)
}

async function countRows(reader: Reader, list: ListedRows): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`
    select count(*) as total from ${list.from} where ${conditionsOf(list)}`.execute(reader)
  return Number(rows[0]?.total ?? 0n)
}

/** Total undefined: it is not known yet. */
async function findIds(
  reader: Reader,
  list: ListedRows,
): Promise<{ readonly total: number | undefined; readonly ids: readonly bigint[] }> {
  const { from, id, order, limit, offset } = list
  const way = list.direction === 'ASC' ? sql`asc` : sql`desc`
  const nulls = list.hasOrderNulls ? sql`nulls last` : sql``
  const conditions = conditionsOf(list)
  const known = list.search?.total
  if (list.search !== undefined && (known === undefined || known <= FEW)) {
    const { rows } = await sql<{ id: bigint; found: bigint }>`
      with few as materialized (select ${id} as id, ${order} as place from ${from} where ${conditions} limit ${FEW + 1})
      select id, (select count(*) from few) as found from few
      order by place ${way} ${nulls}, id ${way} limit ${limit} offset ${offset}`.execute(reader)
    const found = Number(rows[0]?.found ?? 0n)
    if (rows.length === 0 && offset === 0) return { total: 0, ids: [] }
    if (found > 0 && found <= FEW) return { total: found, ids: rows.map(row => row.id) }
  }
  const { rows } = await sql<{ id: bigint }>`select ${id} as id from ${from} where ${conditions}
    order by ${order} ${way} ${nulls}, ${id} ${way} limit ${limit} offset ${offset}`.execute(reader)
  const ids = rows.map(row => row.id)
  // A page that is not full ends the list, so it already tells the total.
  if (ids.length < limit && (ids.length > 0 || offset === 0)) return { total: offset + ids.length, ids }
  return { total: known, ids }
}

/**
 * By the columns of the narrow copies; `is_live`: enabled, not terminated (on the day `live_on`). Undefined: not asked.
 */
export type SearchFilters = Readonly<
  Partial<
    Record<
      'organization_id' | 'publisher_id' | 'medium_id' | 'type' | 'is_live' | 'live_on' | 'is_payment_disabled',
      bigint | boolean | string | undefined
    >
  >
>

/**
 * The search of a list whose texts `app.find_rows` knows, for the scope of staff. In other scopes, which are small, the
 * texts of the rows themselves are compared.
 * @param filters what the list asks besides, where the narrow copy knows all of it: then the number of hits is the
 *   length of the list. Undefined: something else is asked as well.
 */
export async function searchOf(
  reader: Reader,
  list: {
    readonly kind: 'publisher' | 'agreement' | 'feed'
    readonly id: RawBuilder<unknown>
    readonly words: readonly string[]
    readonly texts: RawBuilder<boolean>
    readonly scope: Scope
    readonly filters: SearchFilters | undefined
  },
): Promise<Search | undefined> {
  const { kind, id, words, texts, scope, filters } = list
  if (words.length === 0) return undefined
  if (scope.kind !== 'all') return { holds: texts }
  const requested = Object.fromEntries(
    Object.entries(filters ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  const { rows } = await sql<{ ids: bigint[] | null; total: bigint | null }>`
    select ids, total from app.find_rows(${kind}, ${[...words]}::text[], ${JSON.stringify(requested)}::jsonb)`.execute(
    reader,
  )
  const [found] = rows
  const ids = found?.ids
  const total = filters && found && found.total !== null ? Number(found.total) : undefined
  return { holds: ids ? sql<boolean>`${id} = any (${ids}::bigint[])` : texts, total }
}

/** The rows in the order of the ids; those that are not there are left out. */
export function inOrderOf<Row>(ids: readonly bigint[], rows: readonly Row[], idOf: (row: Row) => bigint): Row[] {
  const byId = new Map(rows.map(row => [idOf(row), row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** That every word stands somewhere in the text, taken literally; quicker than LIKE, which reads characters. */
export function holdsWords(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    words.map(word => sql`strpos(${text}, ${word}) > 0`),
    sql` and `,
  )})`
}
