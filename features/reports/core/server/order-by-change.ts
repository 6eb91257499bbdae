import type { OrderBasis } from '@pc/domain/report/order-basis.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { ident, joined, none, type Sql, sql } from '@pc/platform/stats/sql.ts'
import { columnsOf, type FigureOrder, figureSql, orderSql, type SortFigure } from './report-order.ts'

/** What a list is ordered by instead of the figure: how much it changed since the compared days. */
export interface ChangedBy {
  readonly basis: Exclude<OrderBasis, 'value'>
  /** In what the column shows (points of a rate), or in percent; undefined: anything. */
  readonly min: number | undefined
}

/** The rows of both ranges, each with the key and the columns of the figure. */
interface ComparedRows {
  readonly now: Sql
  readonly before: Sql
  readonly key: string
  readonly valueIn?: (column: string) => Sql
}

/**
 * The keys of a page, and how many there are: of all that have rows now or before. What is new or gone has its whole figure as
 * its difference; a percentage of nothing is above all others, the larger difference first.
 * @returns `present`: how many have rows now, whatever the limit
 */
export async function readPageByChange(
  ask: Query,
  rows: ComparedRows,
  order: FigureOrder,
  changedBy: ChangedBy,
  page: Page,
): Promise<{ readonly ids: readonly bigint[]; readonly total: number; readonly present: bigint }> {
  const read = (of: Page) => ask(pageByChange(rows, order, changedBy, of))
  const found = await read(page)
  // Behind the last page only the number is left to say.
  const [first] = found.length > 0 || page.offset === 0 ? found : await read({ limit: 1, offset: 0 })
  return {
    ids: found.map(row => row.item as bigint),
    total: Number(first?.total ?? 0n),
    present: (first?.present ?? 0n) as bigint,
  }
}

/** More than any percentage: of what was nothing. */
const ABOVE_ALL = sql`cast(1e300 as double)`

/** `item`, `total` and `present`, in order. */
function pageByChange(
  { now, before, key, valueIn = ident }: ComparedRows,
  { figure, isDescending }: FigureOrder,
  { basis, min }: ChangedBy,
  page: Page,
): Sql {
  const side = (rows: Sql, own: 'now' | 'before') => {
    const only = (of: 'now' | 'before', value: Sql) => (of === own ? value : sql`0`)
    const values = columnsOf(figure).flatMap(column =>
      (['now', 'before'] as const).map(of => sql`, ${only(of, valueIn(column))} as ${ident(`${of}_${column}`)}`),
    )
    return sql`select ${ident(key)} as item, ${only('now', sql`1`)} as is_now${joined(values, none)}
      from (${rows}) ${ident(`rows_${own}`)}`
  }
  const figureIn = (of: 'now' | 'before') => figureSql(figure, column => ident(`${of}_${column}`))
  // Nothing is said in percent of a correction below 0, nor of 0 that stayed 0 or fell.
  const change =
    basis === 'difference'
      ? sql`now_figure - before_figure`
      : sql`case when before_figure > 0 then cast(now_figure - before_figure as double) / before_figure
          when before_figure = 0 and now_figure > 0 then ${ABOVE_ALL} end`
  const byDifference = isDescending ? sql`difference desc nulls last` : sql`difference asc nulls last`
  const least = min === undefined ? none : atLeast(limitOf(figure, basis, min))
  return sql`
    select item, present, count(*) over () as total from (
      select item, ${change} as sort_figure, now_figure - before_figure as difference, count(case when has_now = 1 then 1 else null end) over () as present from (
        select item, max(is_now) as has_now, ${figureIn('now')} as now_figure, ${figureIn('before')} as before_figure
        from (${side(now, 'now')} union all ${side(before, 'before')}) both_ranges group by item
      ) sums
    ) changed ${least}
    order by ${orderSql(ident('sort_figure'), sql`${byDifference}, ${ident('item')}`, isDescending)}
    limit ${page.limit} offset ${page.offset}`
}

const atLeast = ({ by, limit }: ReturnType<typeof limitOf>): Sql => sql`where abs(sort_figure) * ${by} >= ${limit}`

/** Millionths of a ratio, and of a change in percent: two decimals of the percents and points that screens show. */
const MILLIONTHS = 1_000_000
const PER_PERCENT = MILLIONTHS / 100

/** `by` times a change against a whole number, for an amount that screens show. */
function limitOf({ columns, per }: SortFigure, basis: ChangedBy['basis'], shown: number) {
  const at = (by: number, value: number) => ({ by, limit: BigInt(Math.round(value)) })
  const [first = ''] = columns
  if (basis === 'percent') return at(MILLIONTHS, shown * PER_PERCENT)
  // Micro-yen; of a rate, per impression, where screens show yen per 1,000.
  if (first.endsWith('_micro_yen')) return at(1, shown * (per ? 1_000 : 1_000_000))
  if (first.endsWith('_ms')) return at(1, shown * 1_000)
  return per ? at(MILLIONTHS, shown * PER_PERCENT) : at(1, shown)
}
