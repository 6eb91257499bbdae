import type { DuckDBConnection } from '@duckdb/node-api'
import { renderDuckDb } from './duckdb-dialect.ts'
import { type Dialect, ident, type Sql, sql, table } from './sql.ts'
import { ROLL_UPS, type RollUpTable } from './tables.ts'

/**
 * Writes a roll-up's months anew and says again which rows are the only ones of their content, in these months and in the
 * others: what has come may have rows there, and what has gone may have left one alone. In the open transaction.
 */
export async function keepLoneRows(
  connection: DuckDBConnection,
  published: Dialect,
  name: RollUpTable,
  ofMonths: Sql,
  write: () => Promise<void>,
): Promise<void> {
  if (!ROLL_UPS[name].columns.some(([column]) => column === 'is_lone')) return write()
  const run = async (before: string, statement: Sql) => {
    const { text, params } = renderDuckDb(statement, published)
    await connection.run(`${before} ${text}`, ...params)
  }
  const id = ident(name === 'article_month' ? 'article_id' : 'video_id')
  const idsOfMonths = sql`select ${id} as item from ${table(name)} where ${ofMonths}`
  await run('create or replace temp table touched_items as', idsOfMonths)
  await write()
  await run('insert into temp.main.touched_items', idsOfMonths)
  await run(
    'create or replace temp table counted_items as',
    sql`select ${id} as item, count(*) as months from ${table(name)}
      where ${id} in (select item from temp.main.touched_items) group by ${id}`,
  )
  const isCounted = (months: Sql) => sql`${id} in (select item from temp.main.counted_items where months ${months})`
  await run('', sql`update ${table(name)} set is_lone = 0 where is_lone = 1 and ${isCounted(sql`> 1`)}`)
  await run('', sql`update ${table(name)} set is_lone = 1 where is_lone = 0 and ${isCounted(sql`= 1`)}`)
  await connection.run('drop table temp.main.counted_items')
  await connection.run('drop table temp.main.touched_items')
}
