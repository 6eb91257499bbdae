import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

type PostgresType = 'bigint' | 'integer' | 'boolean' | 'text' | 'date'
type Cell = bigint | number | boolean | string | null
/** Column by column: name, type, and how to find the value in a row. */
export type BulkColumns<Row> = readonly (readonly [name: string, type: PostgresType, value: (row: Row) => Cell])[]

/**
 * Adds many rows by one statement with one parameter for each column: thousands of rows in a fraction of a second.
 * @param ending `on conflict …` and `returning …`
 */
export async function insertBulk<Row, Returned = unknown>(
  tx: Transaction,
  table: string,
  columns: BulkColumns<Row>,
  rows: readonly Row[],
  ending: RawBuilder<unknown> = sql``,
): Promise<readonly Returned[]> {
  if (rows.length === 0) return []
  const names = sql.raw(columns.map(([name]) => name).join(', '))
  const arrays = columns.map(([, type, value]) => sql`${arrayText(type, rows, value)}::text::${sql.raw(type)}[]`)
  const statement = sql<Returned>`insert into ${sql.raw(table)} (${names}) select * from unnest(${sql.join(arrays)}) ${ending}`
  return (await statement.execute(tx)).rows
}

/** `on conflict (…) do update`: every other column takes the new value. */
export function replacing<Row>(columns: BulkColumns<Row>, key: readonly string[], also = ''): RawBuilder<unknown> {
  const changed = columns.map(([name]) => name).filter(name => !key.includes(name))
  const sets = changed.map(name => `${name} = excluded.${name}`).join(', ')
  return sql.raw(`on conflict (${key.join(', ')}) do update set ${sets}${also}`)
}

function arrayText<Row>(type: PostgresType, rows: readonly Row[], value: (row: Row) => Cell): string {
  const items = rows.map(row => {
    const cell = value(row)
    if (cell === null) return 'NULL'
    return type === 'text' ? `"${String(cell).replaceAll(/["\\]/g, '\\$&')}"` : String(cell)
  })
  return `{${items.join(',')}}`
}
