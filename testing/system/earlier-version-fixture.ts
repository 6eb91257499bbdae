import fs from 'node:fs'
import path from 'node:path'
import { MIGRATIONS_FOLDER } from '@pc/platform/postgres/migrate.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import type pg from 'pg'

// Databases of an earlier version: its migrations, filled with today's rows as far as its tables can hold them.

/** File names in their order. */
export const MIGRATIONS = fs.readdirSync(MIGRATIONS_FOLDER).sort()

/** Writes the migrations up to `last` into a folder. */
export function migrationsUntil(last: string, folder: string): string {
  fs.mkdirSync(folder, { recursive: true })
  for (const name of MIGRATIONS.slice(0, MIGRATIONS.indexOf(last) + 1))
    fs.copyFileSync(path.join(MIGRATIONS_FOLDER, name), path.join(folder, name))
  return folder
}

/** Columns that a later version stores in another table, where their values must be found. */
export const MOVED_COLUMNS: readonly {
  readonly from: string
  readonly columns: readonly string[]
  readonly to: string
  /** The old name of each new column. */
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}[] = [
  {
    from: 'payment_settings',
    columns: [
      ...['transfer_client_code', 'transfer_client_name', 'source_bank_code', 'source_bank_name', 'source_branch_code'],
      ...['source_branch_name', 'source_account_type', 'source_account_number', 'bank_file_has_line_breaks'],
      ...['bank_file_extra_characters', 'result_mark_offset', 'result_mark_length', 'result_paid_marks'],
      'result_returned_marks',
    ],
    to: 'transfer_sources',
    names: {
      ...{ client_code: 'transfer_client_code', client_name: 'transfer_client_name', bank_code: 'source_bank_code' },
      ...{ bank_name: 'source_bank_name', branch_code: 'source_branch_code', branch_name: 'source_branch_name' },
      ...{ account_type: 'source_account_type', account_number: 'source_account_number' },
    },
    values: {
      ...{ transfer_client_code: '1234567890', transfer_client_name: 'ｶ)ｻﾝﾌﾟﾙ', source_bank_code: '0009' },
      ...{ source_bank_name: 'ﾐﾂｲ', source_branch_code: '001', source_branch_name: 'ﾎﾝﾃﾝ' },
      ...{ source_account_type: 'ordinary', source_account_number: '7654321' },
    },
  },
  // These were always equal to the account of the transfers, which is read now.
  { from: 'statement_settings', columns: ['source_bank_code', 'source_branch_code'], to: '', names: {}, values: {} },
]

/** Rows that a later migration inserts, which the earlier tables cannot hold. */
const MIGRATED_ROWS: readonly { readonly by: string; readonly table: string; readonly rows: readonly object[] }[] = [
  {
    by: '0133_transfer_sources.sql',
    table: 'payment_setting_revisions',
    rows: ['transfer_source', 'withholding', 'journal_account'].map(section => ({ section, revision: 1 })),
  },
  {
    by: '0560_returns_per_rate.sql',
    table: 'payment_setting_revisions',
    rows: [{ section: 'settlement_rule', revision: 1 }],
  },
]

/** The writable columns of each table. */
export async function columnsOf(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`,
  )
  return new Map(rows.map(row => [row.table, row.columns]))
}

export const quotedNames = (columns: readonly string[]) => columns.map(column => `"${column}"`).join(', ')

/** All rows of a table as a JSON array, ordered by their text. */
export function rowsAsJson(client: pg.Client, table: string, columns: readonly string[]): Promise<string> {
  return client
    .query<{ rows: string | null }>(
      `select json_agg(t order by t::text)::text as rows from (select ${quotedNames(columns)} from public."${table}") t`,
    )
    .then(({ rows }) => rows[0]?.rows ?? '[]')
}

/** Rows that migrations after `last` insert into a table. */
export const broughtAfter = (last: string, table: string) =>
  MIGRATED_ROWS.flatMap(one => (one.table === table && last < one.by ? one.rows : []))

function without(rows: string, left: readonly object[]): string {
  if (left.length === 0) return rows // unchanged text, because JSON.parse would round large numbers
  const gone = new Set(left.map(row => JSON.stringify(row)))
  return JSON.stringify((JSON.parse(rows) as object[]).filter(row => !gone.has(JSON.stringify(row))))
}

/** Fills the earlier version's tables with what they can hold of the rows. @returns `refused`: tables that took none, and why */
export async function fillEarlierTables(
  adminUrl: string,
  sourceAdminUrl: string,
  last: string,
): Promise<{ filled: string[]; refused: string[] }> {
  const filled: string[] = []
  const refused: string[] = []
  await withClient(sourceAdminUrl, from =>
    withClient(adminUrl, async to => {
      const [had, has] = [await columnsOf(to), await columnsOf(from)]
      await to.query('set session_replication_role = replica')
      for (const [table, columns] of had) {
        const shared = columns.filter(column => has.get(table)?.includes(column))
        if (shared.length === 0) continue
        const moved = MOVED_COLUMNS.find(
          ({ from: name, columns: gone }) => name === table && gone.some(one => columns.includes(one)),
        )
        const rows = without(await rowsAsJson(from, table, shared), broughtAfter(last, table))
        if (rows === '[]') continue
        try {
          await to.query(`delete from public."${table}"`) // what its migration has put there
          await to.query(
            `insert into public."${table}" (${quotedNames(shared)}) overriding system value
             select ${quotedNames(shared)} from json_populate_recordset(null::public."${table}", $1::json)`,
            [rows],
          )
          const values = Object.entries(moved?.values ?? {})
          if (values.length > 0) {
            const set = values.map(([column], at) => `"${column}" = $${at + 1}`).join(', ')
            await to.query(
              `update public."${table}" set ${set}`,
              values.map(([, value]) => value),
            )
          }
          filled.push(table)
        } catch (error) {
          refused.push(`${table}: ${(error as Error).message}`)
        }
      }
    }),
  )
  return { filled, refused }
}
