import type { DuckDBConnection } from '@duckdb/node-api'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { renderDuckDb, select } from './duckdb-dialect.ts'
import { duckDbError } from './duckdb-error.ts'
import { insertInPieces, keyOf } from './duckdb-insert.ts'
import { inMonths } from './publication.ts'
import type { ReaderGate } from './reader-gate.ts'
import { type Dialect, sql, table } from './sql.ts'
import { StatsStoreError } from './stats-store-error.ts'
import { FACT_TABLES, type FactTable } from './tables.ts'

/**
 * Rows of a month that arrived in one publication are in key order. A month that arrived day by day is in day order,
 * and a report about one publisher must read all of it. This table counts the writes of each month, so that a past
 * month is rewritten once.
 */
const MONTH_WRITES = 'month_writes'
export const MONTH_WRITES_COLUMNS = 'month Int64 not null'

/** Tested by `platform/stats/conformance.test.ts`. */
export function monthWrites(dialect: Dialect): string {
  return dialect.fragments.table(MONTH_WRITES)
}

/** Call it in the transaction of a publication. */
export async function countWrites(
  connection: DuckDBConnection,
  dialect: Dialect,
  months: readonly YearMonth[],
): Promise<void> {
  for (const month of new Set(months)) await connection.run(`insert into ${monthWrites(dialect)} values (${month})`)
}

/** Months before `before` that were written more than once since they were last sorted. */
export async function unorderedMonths(
  connection: DuckDBConnection,
  dialect: Dialect,
  before: YearMonth,
): Promise<YearMonth[]> {
  const reader = await connection.runAndReadAll(
    `select month from ${monthWrites(dialect)} where month < ${before} group by month having count(*) > 1 order by month`,
  )
  return reader.getRows().map(([month]) => Number(month) as YearMonth)
}

/** Rewrites the facts of a month in key order in one transaction. Results of statements do not change. */
export async function compactMonth(
  connection: DuckDBConnection,
  dialect: Dialect,
  gate: ReaderGate,
  month: YearMonth,
): Promise<void> {
  const ofMonth = inMonths([month])
  const countOf = async (name: FactTable) =>
    (await select(connection, sql`select count(*) as n from ${table(name)} where ${ofMonth}`, dialect))[0]!.n
  const counts = new Map<FactTable, unknown>()
  await connection.run('begin transaction')
  try {
    for (const name of FACT_TABLES) {
      const rows = await countOf(name)
      if (rows === 0n) continue
      counts.set(name, rows)
      const { text, params } = renderDuckDb(sql`select * from ${table(name)} where ${ofMonth}`, dialect)
      await connection.run(`create or replace temp table kept_${name} as ${text}`, ...params)
      await select(connection, sql`delete from ${table(name)} where ${ofMonth}`, dialect)
      const ordered = sql`select * from ${table(name)} order by ${keyOf(name)}`
      const kept: Dialect = { ...dialect, fragments: { ...dialect.fragments, table: () => `temp.main.kept_${name}` } }
      await insertInPieces(connection, dialect, name, ordered, kept)
      await connection.run(`drop table temp.main.kept_${name}`)
    }
    await connection.run(`delete from ${monthWrites(dialect)} where month = ${month}`)
    await connection.run(`insert into ${monthWrites(dialect)} values (${month})`)
    // Readers wait during the commit, as for an import.
    await gate.write(async () => {
      await connection.run('commit')
      const missing = async () => {
        for (const [name, rows] of counts) if ((await countOf(name)) !== rows) return name
        return undefined
      }
      if ((await missing()) === undefined) return
      await connection.run('checkpoint')
      const name = await missing()
      if (name !== undefined)
        throw new StatsStoreError('damaged', `Rows of ${month} in ${name} are gone after their order was changed.`)
    })
  } catch (cause) {
    await connection.run('rollback').catch(() => undefined)
    throw duckDbError(cause)
  }
}
