import { ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { ContentKind } from '../../core/server/content-kind.ts'
import { type ContentQuery, itemRows } from '../../core/server/content-sql.ts'
import { inReportScope } from '../../core/server/sql-parts.ts'

/** Statements over the lifetime totals of articles and videos (`article_life`, `video_life`), which need no grouping. */

/** Lifetimes that have a day in the range, or days on both sides of it. */
const overlapping = (query: ContentQuery): Sql =>
  lifetimesOf(query, sql`first_on <= ${query.range.to} and last_on >= ${query.range.from}`)
const lifetimesOf = ({ kind, scope }: ContentQuery, days: Sql): Sql =>
  sql`${table(kind.life)} where ${days}${inReportScope(scope)}`

/**
 * `lifetimes`, `single_lifetimes`, `began` and `ended`: how many there are, how many are their content's only one, and of which days.
 * Tested by `features/reports/contents/server/find-contents.test.ts`.
 */
export function lifetimeCounts({ life }: ContentKind): Sql {
  return sql`
    select count(*) as lifetimes, coalesce(${sumInt(ident('is_lone'))}, 0) as single_lifetimes,
      min(first_on) as began, max(last_on) as ended
    from ${table(life)}`
}

/**
 * `item`, `publisher`, `medium`, `began`, `ended`, `single` and `sum_<column>` of the lifetimes of everything that can be among
 * the first `place` by the figure of the column, because in its lifetime it reaches what the first `place` of those that lie
 * within the range have, or because it has several lifetimes. Beside each `total`, how many items have rows in the range, and
 * `least`, the figure of the last place; of fewer than `place` within the range it is nothing, and the rows say nothing.
 * No more than `limit` rows, in any order.
 */
export function itemsThatReach(
  query: ContentQuery,
  column: string,
  place: number,
  columns: readonly string[],
  limit: number,
): Sql {
  const id = ident(query.kind.id)
  const { from, to } = query.range
  const within = lifetimesOf(query, sql`first_on between ${from} and ${to} and last_on <= ${to}`)
  const firstWithin = lifetimesOf(query, sql`first_on between ${from} and ${to}`)
  const lastWithin = lifetimesOf(query, sql`first_on < ${from} and last_on between ${from} and ${to}`)
  const around = lifetimesOf(query, sql`first_on < ${from} and last_on > ${to}`)
  const sums = joined(
    columns.map(name => sql`, ${ident(name)} as ${ident(`sum_${name}`)}`),
    none,
  )
  const lifetime = sql`${id} as item, publisher_id as publisher, medium_id as medium, first_on as began, last_on as ended, is_lone as single${sums}`
  // `best` is in no further order: of equal figures it is the same which one is taken.
  // Whether `unsure` ones have a day in the range is found among the rows; where there are none, no row is read.
  return sql`
    with best as (
      select case when count(*) = ${place} then min(figure) else null end as least
      from (select ${ident(column)} as figure from ${within} and is_lone = 1 order by figure desc limit ${place}) highest
    ), unsure as (
      select ${id} as item from ${around} and is_lone = 1
      union all select ${id} as item from ${overlapping(query)} and is_lone = 0
    ), found as (
      select distinct ${id} as item from (${itemRows(query, [query.kind.id])}) item_rows
      where ${id} in (select item from unsure)
    ), counted as (
      select (select count(*) from ${firstWithin} and is_lone = 1) + (select count(*) from ${lastWithin} and is_lone = 1)
        + (select count(*) from found) as items
    )
    select reaching.*, (select items from counted) as total, (select least from best) as least from (
      select ${lifetime} from ${overlapping(query)} and ${ident(column)} >= (select least from best) and is_lone = 1
      union all select ${lifetime} from ${overlapping(query)} and is_lone = 0
    ) reaching limit ${limit}`
}
