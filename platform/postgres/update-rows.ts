import { sql } from 'kysely'
import type { Transaction } from './database.ts'
import { ColumnNames } from './named-query.ts'
import type { Tables } from './tables.ts'

const NAMES = new ColumnNames()

/** Updates columns of many rows by id in one statement: an imported workbook may change ten thousand. */
export async function updateRows<Table extends keyof Tables & string, Name extends keyof Tables[Table] & string>(
  tx: Transaction,
  table: Table,
  names: readonly Name[],
  rows: readonly ({ readonly id: bigint } & { readonly [Column in Name]: unknown })[],
): Promise<void> {
  if (rows.length === 0) return
  const sent = rows.map(row => [['id', row.id], ...names.map(name => [NAMES.columnOf(name), row[name]])])
  // Integers are sent as strings, because JSON numbers are not exact.
  const json = JSON.stringify(
    sent.map(columns => Object.fromEntries(columns)),
    (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  )
  const set = names.map(name => sql`${sql.ref(name)} = ${sql.ref(`v.${name}`)}`)
  await sql`update ${sql.table(table)} t set ${sql.join(set)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb) v where t.id = v.id`.execute(tx)
}
