import type { DuckDBConnection } from '@duckdb/node-api'
import { renderDuckDb } from './duckdb-dialect.ts'
import { insertInPieces } from './duckdb-insert.ts'
import { type Dialect, ident, joined, type Sql, sql, sumInt, table } from './sql.ts'
import { LIFE_TABLES, LIFETIMES, type LifeTable, type RollUpTable } from './tables.ts'

/**
 * Rewrites the roll-up's months with `write`, then recomputes `is_lone` and the lifetime totals of all contents that
 * have or had rows there. Runs in the open transaction.
 * Tested by `platform/stats/conformance.test.ts`.
 */
export async function saveLifetimes(
  connection: DuckDBConnection,
  published: Dialect,
  name: RollUpTable,
  ofMonths: Sql,
  write: () => Promise<void>,
): Promise<void> {
  const life = LIFE_TABLES.find(each => LIFETIMES[each].of === name)
  if (life === undefined) return write()
  const run = async (before: string, statement: Sql) => {
    const { text, params } = renderDuckDb(statement, published)
    await connection.run(`${before} ${text}`, ...params)
  }
  const id = ident(idOf(life))
  const idsOfMonths = sql`select ${id} as item from ${table(name)} where ${ofMonths}`
  const isTouched = sql`${id} in (select item from temp.main.touched_items)`
  await run('create or replace temp table touched_items as', idsOfMonths)
  await write()
  await run('insert into temp.main.touched_items', idsOfMonths)
  await run('create or replace temp table touched_lives as', summedLifetimes(life, isTouched))
  await run(
    'create or replace temp table scattered_items as',
    sql`select ${id} as item from temp.main.touched_lives group by ${id} having count(*) > 1`,
  )
  const isScattered = sql`${id} in (select item from temp.main.scattered_items)`

  await run('', sql`delete from ${table(life)} where ${isTouched}`)
  await insertInPieces(connection, published, life, orderedLifetimes(life, isScattered), published)

  const ofMonthsIs = (wanted: Sql) => sql`${id} in (select ${id} from temp.main.touched_lives where ${wanted})`
  await run(
    '',
    sql`update ${table(name)} set is_lone = 0 where is_lone = 1 and ${ofMonthsIs(sql`months > 1 or ${isScattered}`)}`,
  )
  await run(
    '',
    sql`update ${table(name)} set is_lone = 1 where is_lone = 0 and ${ofMonthsIs(sql`months = 1 and not (${isScattered})`)}`,
  )
  for (const temporary of ['touched_items', 'touched_lives', 'scattered_items']) {
    await connection.run(`drop table temp.main.${temporary}`)
  }
}

const idOf = (life: LifeTable) => (life === 'article_life' ? 'article_id' : 'video_id')

/** Lifetime totals from the monthly rows. The extra column `months` counts those rows. */
function summedLifetimes(life: LifeTable, where: Sql): Sql {
  const { columns, key, of } = LIFETIMES[life]
  const selected = columns.map(([name]) => {
    if (name === 'first_on') return sql`min(first_on) as began_on`
    if (name === 'last_on') return sql`max(last_on) as ended_on`
    if (name === 'is_lone') return sql`count(*) as months`
    if ((key as readonly string[]).includes(name)) return ident(name)
    return sql`cast(${sumInt(ident(name))} as Int64) as ${ident(`total_${name}`)}`
  })
  return sql`select ${joined(selected, sql`, `)} from ${table(of)} where ${where} group by ${listed(key)}`
}

/** Lifetime totals in storage order: by their first month, then by the table's key. */
function orderedLifetimes(life: LifeTable, isScattered: Sql): Sql {
  const { columns, key } = LIFETIMES[life]
  const selected = columns.map(([name]) => {
    if (name === 'first_on') return ident('began_on')
    if (name === 'last_on') return ident('ended_on')
    if (name === 'is_lone') return sql`cast(case when ${isScattered} then 0 else 1 end as Int64) as lone`
    return (key as readonly string[]).includes(name) ? ident(name) : ident(`total_${name}`)
  })
  return sql`select ${joined(selected, sql`, `)} from temp.main.touched_lives
    order by date_trunc('month', began_on), ${listed(key)}`
}

const listed = (names: readonly string[]) => joined(names.map(ident), sql`, `)
