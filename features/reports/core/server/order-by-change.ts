import type { OrderBasis } from '@pc/domain/report/order-basis.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { ident, joined, none, type Sql, sql } from '@pc/platform/stats/sql.ts'
import { columnsOf, type FigureOrder, figureSql, orderSql, type SortFigure } from './report-order.ts'

/** A list order by the change of a figure against the compared days, instead of the figure itself. */
export interface ChangedBy {
  readonly basis: Exclude<OrderBasis, 'value'>
  /** Least change, in the unit that the column shows (points for a rate) or in percent; undefined: no minimum. */
  readonly min: number | undefined
}

/** Rows of both ranges; each must have the key and the figure's columns. */
interface ComparedRows {
  readonly now: Sql
  readonly before: Sql
  readonly key: string
  readonly valueIn?: (column: string) => Sql
}

/**
 * The keys of a page and their total, over all keys with rows in either range. For new and gone ones the difference is
 * their whole figure. A percentage of 0 sorts above all others, the larger difference first.
 * @returns `present`: the number of keys with rows in the current range, regardless of the minimum change
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
  // Beyond the last page there are no rows, which carry the counts: one row is read for them.
  const [first] = found.length > 0 || page.offset === 0 ? found : await read({ limit: 1, offset: 0 })
  return {
    ids: found.map(row => row.item as bigint),
    total: Number(first?.total ?? 0n),
    present: (first?.present ?? 0n) as bigint,
  }
}

/** Stands for a percentage of 0: sorts above all others. */
const ABOVE_ALL = sql`cast(1e300 as double)`

/** Answers `item`, `total` and `present`, in order. */
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
  // Null (sorted last) where a percentage makes no sense: the earlier figure is negative, or 0 and did not grow.
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

/** Ratios are compared in millionths, which keeps four decimals of percents and points exact. */
const MILLIONTHS = 1_000_000
const PER_PERCENT = MILLIONTHS / 100

/** Turns a minimum as shown on screens into integers: the condition is |change| × `by` ≥ `limit`. */
function limitOf({ columns, per }: SortFigure, basis: ChangedBy['basis'], shown: number) {
  const at = (by: number, value: number) => ({ by, limit: BigInt(Math.round(value)) })
  const [first = ''] = columns
  if (basis === 'percent') return at(MILLIONTHS, shown * PER_PERCENT)
  // Sums are in micro-yen. A rate is micro-yen per impression, and screens show yen per 1,000 impressions.
  if (first.endsWith('_micro_yen')) return at(1, shown * (per ? 1_000 : 1_000_000))
  if (first.endsWith('_ms')) return at(1, shown * 1_000)
  return per ? at(MILLIONTHS, shown * PER_PERCENT) : at(1, shown)
}
