import { atOnce, type Steps } from '@pc/domain/steps.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

type PostgresType = 'bigint' | 'integer' | 'boolean' | 'text' | 'date'
type Cell = bigint | number | boolean | string | null
/** Column by column: name, type, and how to find the value in a row. */
export type BulkColumns<Row> = readonly (readonly [name: string, type: PostgresType, value: (row: Row) => Cell])[]

/** Where the rows belong to: the column that refers to it, and by which of its columns it is found. */
export interface BulkParent<Row> {
  readonly column: string
  readonly table: string
  readonly by: BulkColumns<Row>
}

export interface BulkTable<Row> {
  readonly table: string
  readonly columns: BulkColumns<Row>
  readonly parent?: BulkParent<Row>
}

/** Rows written out as one text for each column, ready to be sent. */
export interface BulkRows {
  readonly count: number
  readonly insert: RawBuilder<unknown>
}

/**
 * Many rows for one statement with one parameter for each column: thousands of rows in a fraction of a second. Making the
 * texts is the work; it can be done before the transaction begins. Rows get their ids in the order that they are given in.
 */
export function bulkRows<Row>(table: BulkTable<Row>, rows: readonly Row[]): BulkRows {
  return atOnce(bulkRowSteps(table, rows))
}

/** The same, column by column. */
export function* bulkRowSteps<Row>({ table, columns, parent }: BulkTable<Row>, rows: readonly Row[]): Steps<BulkRows> {
  const keys = parent?.by.map(([name, type, value], index) => [`k${index}`, type, value, name] as const) ?? []
  const arrays: RawBuilder<unknown>[] = []
  for (const [, type, value] of [...columns, ...keys]) {
    arrays.push(sql`${arrayText(type, rows, value)}::text::${sql.raw(type)}[]`)
    yield
  }
  const names = columns.map(([name]) => name)
  const given = [...names, ...keys.map(([alias]) => alias)].join(', ')
  const source = sql`unnest(${sql.join(arrays)}) with ordinality as n (${sql.raw(given)}, place)`
  const own = names.map(name => `n.${name}`).join(', ')
  if (!parent) {
    const insert = sql`insert into ${sql.raw(table)} (${sql.raw(names.join(', '))}) select ${sql.raw(own)} from ${source} order by n.place`
    return { count: rows.length, insert }
  }
  const on = keys.map(([alias, , , name]) => `p.${name} = n.${alias}`).join(' and ')
  const insert = sql`insert into ${sql.raw(table)} (${sql.raw([parent.column, ...names].join(', '))})
    select p.id, ${sql.raw(own)} from ${source} left join ${sql.raw(`${parent.table} p on ${on}`)}
    order by n.place`
  return { count: rows.length, insert }
}

/**
 * Sends the rows.
 * @throws DatabaseError when a row finds no parent: nothing is left out in silence
 */
export async function insertBulk(tx: Transaction, rows: BulkRows, ending: RawBuilder<unknown> = sql``): Promise<void> {
  if (rows.count === 0) return
  await sql`${rows.insert} ${ending}`.execute(tx)
}

/** `on conflict (…) do update`: every other column takes the new value; rows that are the same already stay untouched. */
export function replacing<Row>(
  { table, columns, parent }: BulkTable<Row>,
  key: readonly string[],
  also = '',
): RawBuilder<unknown> {
  const names = [...(parent ? [parent.column] : []), ...columns.map(([name]) => name)]
  const changed = names.filter(name => !key.includes(name))
  const sets = changed.map(name => `${name} = excluded.${name}`).join(', ')
  const before = changed.map(name => `${table}.${name}`).join(', ')
  const after = changed.map(name => `excluded.${name}`).join(', ')
  return sql.raw(
    `on conflict (${key.join(', ')}) do update set ${sets}${also} where (${before}) is distinct from (${after})`,
  )
}

function arrayText<Row>(type: PostgresType, rows: readonly Row[], value: (row: Row) => Cell): string {
  let text = '{'
  for (let index = 0; index < rows.length; index += 1) {
    const cell = value(rows[index]!)
    if (index > 0) text += ','
    if (cell === null) text += 'NULL'
    else text += type === 'text' ? quoted(String(cell)) : String(cell)
  }
  return `${text}}`
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
