import { firstDayOf, lastDayOf, monthRange, type YearMonth } from '@pc/domain/month/year-month.ts'
import { followerOf, LAST_KNOWN_FOLLOWER } from './last-known-followers.ts'
import type { ImportScope, Query, Row } from './port.ts'
import { ident, joined, none, type Sql, sql, sumInt, table } from './sql.ts'
import { CONTENT_FIGURES, FACT_TABLES, type FactTable, ROLL_UPS, type RollUpTable, TABLES } from './tables.ts'

/** Rules of a publication that both drivers share. */

/**
 * Condition for rows of the months, as few ranges. No months: false.
 * Tested by `platform/stats/conformance.test.ts`.
 */
export function inMonths(months: readonly YearMonth[]): Sql {
  const ranges: { from: YearMonth; to: YearMonth }[] = []
  for (const month of [...new Set(months)].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && monthRange(last.to, month).length === 2) last.to = month
    else ranges.push({ from: month, to: month })
  }
  if (ranges.length === 0) return sql`1 = 0`
  const conditions = ranges.map(({ from, to }) => sql`date between ${firstDayOf(from)} and ${lastDayOf(to)}`)
  return sql`(${joined(conditions, sql` or `)})`
}

/**
 * Condition for rows that a publication removes. The months come first, so that the engine skips most of a large table.
 */
export function replacedRows(scope: ImportScope): Sql {
  return sql`${inMonths(scope.months)} and batch_no in ${[scope.batchNo, ...scope.replacesBatchNos]}`
}

/** SELECT that computes a roll-up in its column order, followed by `others`. */
export function rollUp(target: RollUpTable, where: Sql, others: readonly Sql[] = []): Sql {
  const { of, per, columns, key } = ROLL_UPS[target]
  const keys = joined(
    key.filter(name => name !== 'date').map(name => ident(name)),
    sql`, `,
  )
  const bucket = per === 'month' ? sql`cast(date_trunc('month', date) as date)` : sql`date`
  const selected = columns.map(([name]) => {
    if (name === 'date') return sql`${bucket} as bucket`
    if ((key as readonly string[]).includes(name)) return ident(name)
    if (name === 'is_lone') return sql`cast(0 as Int64) as lone`
    if (name === 'first_on') return sql`min(date) as first_day`
    if (name === 'last_on') return sql`max(date) as last_day`
    if (name === 'follower' && per === 'month') return sql`${followerOf(LAST_KNOWN_FOLLOWER)} as last_follower`
    return sql`cast(${sumInt(ident(name))} as Int64) as ${ident(`total_${name}`)}`
  })
  return sql`select ${joined([...selected, ...others], sql`, `)} from ${table(of)}
    where ${where} group by bucket, ${keys} order by ${per === 'month' ? sql`bucket, ${keys}` : sql`${keys}, bucket`}`
}

/**
 * Counts the staged rows by table.
 * @throws RangeError when a staged row is outside of the scope (it would never be replaced), or when a content's figure
 *   is negative
 */
export async function checkStaged(
  scope: ImportScope,
  tables: readonly FactTable[],
  query: (statement: Sql) => Promise<Row[]>,
): Promise<ReadonlyMap<FactTable, bigint>> {
  const filled = new Map<FactTable, bigint>()
  for (const name of tables) {
    const [row] = await query(sql`
      select count(*) as staged,
        count(case when ${inMonths(scope.months)} and batch_no = ${scope.batchNo} then 1 else null end) as in_scope,
        count(case when ${isNegative(name)} then 1 else null end) as below_zero
      from ${table(name)}`)
    const outside = (row!.staged as bigint) - (row!.in_scope as bigint)
    if (outside > 0n) {
      throw new RangeError(`${outside} staged rows of ${name} lie outside the months or the batch of the import`)
    }
    if (row!.below_zero !== 0n) throw new RangeError(`${row!.below_zero} staged rows of ${name} have a negative figure`)
    if (row!.staged !== 0n) filled.set(name, row!.staged as bigint)
  }
  return filled
}

function isNegative(name: FactTable): Sql {
  const figures = CONTENT_FIGURES[name] ?? []
  if (figures.length === 0) return sql`1 = 0`
  return joined(
    figures.map(figure => sql`${ident(figure)} < 0`),
    sql` or `,
  )
}

/** Row counts by batch over all fact tables. */
export async function countBatches(query: Query): Promise<Map<bigint, bigint>> {
  const counts = new Map<bigint, bigint>()
  for (const name of FACT_TABLES) {
    const rows = await query(
      sql`select batch_no, count(*) as row_count from ${table(name)} group by batch_no order by batch_no`,
    )
    for (const row of rows) {
      const batchNo = row.batch_no as bigint
      counts.set(batchNo, (counts.get(batchNo) ?? 0n) + (row.row_count as bigint))
    }
  }
  return counts
}

/** Expression for a checksum that changes with any value of any row and does not depend on the order of rows. */
export function checksum(name: FactTable): Sql {
  const terms = TABLES[name].columns.map(([column, type, nullable], index) => {
    const number =
      type === 'Date'
        ? sql`cast(${ident(column)} - cast('1970-01-01' as date) as Int64)`
        : nullable
          ? sql`coalesce(${ident(column)}, -7)`
          : ident(column)
    return sql`${sumInt(number)} * ${2 * index + 3}`
  })
  return terms.length === 0 ? none : sql`(${joined(terms, sql` + `)})`
}
