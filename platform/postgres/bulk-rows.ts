import { type CooperativeSteps, runSync } from '@pc/domain/cooperative.ts'
import { type RawBuilder, sql } from 'kysely'
import { type ArrayCell, type ArrayType, binaryArray } from './binary-array.ts'
import type { Transaction } from './database.ts'

type PostgresType = ArrayType | 'date' | 'timestamptz' | 'uuid'
/** Column by column: name, type, and how to find the value in a row. */
export type BulkColumns<Row> = readonly (readonly [name: string, type: PostgresType, value: (row: Row) => ArrayCell])[]

/**
 * The parent table of the rows: `column` gets the parent's id, and `by` names the parent's columns by which it is found.
 * So rows can be inserted without knowing the ids that the database gave to their parents.
 */
export interface BulkParent<Row> {
  readonly column: string
  readonly table: string
  readonly by: BulkColumns<Row>
}

export interface BulkTable<Row> {
  readonly table: string
  readonly columns: BulkColumns<Row>
  readonly parent?: BulkParent<Row>
  /** The table numbers its rows: they are inserted in the given order, so that ids follow it. */
  readonly isNumbered?: boolean
  /** Default {@link ROWS_PER_STATEMENT}; fewer where rows are large. */
  readonly rowsPerStatement?: number
}

/** The driver writes one statement without a pause, so its size bounds how long the process answers no other request. */
const ROWS_PER_STATEMENT = 12_500

/** Rows written out as one array for each column, ready to be sent. */
export interface BulkRows {
  readonly inserts: readonly RawBuilder<unknown>[]
}

/**
 * Prepares bulk inserts: a few statements with one array parameter for each column, which insert thousands of rows in a
 * fraction of a second. Write the arrays before the transaction begins, which then only sends them.
 */
export function bulkRows<Row>(table: BulkTable<Row>, rows: readonly Row[]): BulkRows {
  return runSync(bulkRowSteps(table, rows))
}

/** {@link bulkRows} as a generator that yields after each column. */
export function* bulkRowSteps<Row>(table: BulkTable<Row>, rows: readonly Row[]): CooperativeSteps<BulkRows> {
  const inserts: RawBuilder<unknown>[] = []
  const size = table.rowsPerStatement ?? ROWS_PER_STATEMENT
  for (let from = 0; from < rows.length; from += size) {
    inserts.push(yield* insertSteps(table, rows.slice(from, from + size)))
  }
  return { inserts }
}

function* insertSteps<Row>(
  { table, columns, parent, isNumbered }: BulkTable<Row>,
  rows: readonly Row[],
): CooperativeSteps<RawBuilder<unknown>> {
  const keys = parent?.by.map(([name, type, value], index) => [`k${index}`, type, value, name] as const) ?? []
  const names = columns.map(([name]) => name)
  const sent: SentColumn[] = []
  for (const [, type, value] of [...columns, ...keys]) {
    sent.push(sentColumn(type, rows, value, sent.length === 0))
    yield
  }
  const lists = sent.flatMap((each, index) => (each.isList ? [{ ...each, name: `c${index}` }] : []))
  const cellOf = (index: number) => (sent[index]!.isList ? sql.raw(`n.c${index}`) : sent[index]!.sent)
  const source = sql`unnest(${sql.join(lists.map(each => each.sent))}) with ordinality as n (${sql.raw(
    [...lists.map(each => each.name), 'place'].join(', '),
  )})`
  const order = sql.raw(isNumbered ? 'order by n.place' : '')
  const own = sql.join(names.map((_, index) => cellOf(index)))
  if (!parent) {
    return sql`insert into ${sql.raw(table)} (${sql.raw(names.join(', '))}) select ${own} from ${source} ${order}`
  }
  const on = keys.map(([, , , name], index) => sql`${sql.raw(`p.${name}`)} = ${cellOf(names.length + index)}`)
  return sql`insert into ${sql.raw(table)} (${sql.raw([parent.column, ...names].join(', '))})
    select p.id, ${own} from ${source} left join ${sql.raw(parent.table)} p on ${sql.join(on, sql` and `)} ${order}`
}

/** A list of all rows' values, or the one value that all of them have. */
interface SentColumn {
  readonly isList: boolean
  readonly sent: RawBuilder<unknown>
}

/** @param isCounted the column is always sent as a list, because `unnest` takes the number of rows from it */
function sentColumn<Row>(
  type: PostgresType,
  rows: readonly Row[],
  value: (row: Row) => ArrayCell,
  isCounted: boolean,
): SentColumn {
  const cells = rows.map(value)
  const [first = null] = cells
  if (!isCounted && cells.every(cell => cell === first)) {
    return { isList: false, sent: sql`${first === null ? null : String(first)}::text::${sql.raw(type)}` }
  }
  if (type === 'date' || type === 'timestamptz' || type === 'uuid') {
    return { isList: true, sent: sql`${binaryArray('text', cells)}::text[]::${sql.raw(type)}[]` }
  }
  return { isList: true, sent: sql`${binaryArray(type, cells)}::${sql.raw(type)}[]` }
}

/**
 * Sends the rows.
 * @param ending the `on conflict` clause, as {@link replacing} writes it, and `returning`
 * @returns what `returning` names
 * @throws DatabaseError when a row finds no parent: its reference is then null, which the table refuses
 */
export async function insertBulk<Returned = never>(
  tx: Transaction,
  rows: BulkRows,
  ending: RawBuilder<unknown> = sql``,
): Promise<readonly Returned[]> {
  const returned: (readonly Returned[])[] = []
  for (const insert of rows.inserts) returned.push((await sql<Returned>`${insert} ${ending}`.execute(tx)).rows)
  return returned.flat()
}

/**
 * The clause `on conflict (…) do update`, in which every column but the key takes the new value. Rows that are the same
 * already stay untouched.
 * @param also further assignments, for example `, updated_at = now()`
 */
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
