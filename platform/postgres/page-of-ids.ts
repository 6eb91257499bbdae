import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './database.ts'

export interface Search {
  /** Condition of the search, in addition to `where`. */
  readonly holds: RawBuilder<boolean>
  /** Number of matching rows of the list, if already known. */
  readonly total?: number | undefined
}

export interface ListedRows {
  /** Table with alias and joins: `agreements a`. */
  readonly from: RawBuilder<unknown>
  /** The id column, a unique bigint: `a.id`. */
  readonly id: RawBuilder<unknown>
  /** Conditions, all of which must hold. */
  readonly where: readonly RawBuilder<boolean>[]
  /** Undefined: no search. */
  readonly search?: Search | undefined
  readonly order: RawBuilder<unknown>
  /**
   * Sorts rows without a value last. Set it only if there are such rows, because an index supports only the plain
   * order.
   */
  readonly hasOrderNulls?: boolean
  readonly direction: 'ASC' | 'DESC'
  readonly limit: number
  readonly offset: number
}

/** Searches with at most this many hits pass their ids; `app.find_rows` in SQL has the same limit. */
const FEW = 2_000

/**
 * The ids of one page and the total. Equal rows are sorted by id, so pages never overlap. A search with few hits reads
 * those rows and cuts the page out; one with many hits follows the order until the page is full and counts separately.
 */
export async function pageOfIds(
  reader: Reader,
  list: ListedRows,
): Promise<{ readonly total: number; readonly ids: readonly bigint[] }> {
  const { ids, total } = await findIds(reader, list)
  return { ids, total: total ?? (await countRows(reader, list)) }
}

/** Like {@link pageOfIds} without the total. A frequent search term then costs no more than a rare one. */
export async function firstIds(reader: Reader, list: ListedRows): Promise<readonly bigint[]> {
  return (await findIds(reader, list)).ids
}

/** A page of rows and the total, which are read in parallel. */
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

/** `total` is undefined when it must be counted separately. */
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
  // A page that is not full is the last one, so the total is known.
  if (ids.length < limit && (ids.length > 0 || offset === 0)) return { total: offset + ids.length, ids }
  return { total: known, ids }
}

/**
 * Filters by columns of the narrow search tables; `is_live`: enabled, and not terminated on the day `live_on`.
 * Undefined: no filter.
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
 * Search condition by `app.find_rows`, which has an index of the texts, for the scope of staff. Other scopes are small,
 * so `texts` are compared row by row.
 * @param filters all other filters of the list, if the search table knows them; then the number of hits is the total.
 *   Undefined: the list has further filters.
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

/** Rows in the order of the ids. Missing rows are skipped. */
export function inOrderOf<Row>(ids: readonly bigint[], rows: readonly Row[], idOf: (row: Row) => bigint): Row[] {
  const byId = new Map(rows.map(row => [idOf(row), row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** SQL: the text contains every word, literally. `strpos` is faster than LIKE, which decodes characters. */
export function holdsWords(text: RawBuilder<unknown>, words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    words.map(word => sql`strpos(${text}, ${word}) > 0`),
    sql` and `,
  )})`
}
