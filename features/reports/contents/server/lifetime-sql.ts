import { ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { ContentKind } from '../../core/server/content-kind.ts'
import { type ContentQuery, itemRows } from '../../core/server/content-sql.ts'
import { inReportScope } from '../../core/server/sql-parts.ts'

/**
 * Statements over lifetime totals (`article_life`, `video_life`): one row per content, publisher and medium with its first
 * and last day and sums. `is_lone` (`single` in answers) is 1 where the content has only one such row.
 */

/** Lifetimes whose first-to-last days overlap the range; whether they have a row within it is not known. */
const overlapping = (query: ContentQuery): Sql =>
  lifetimesOf(query, sql`first_on <= ${query.range.to} and last_on >= ${query.range.from}`)
const lifetimesOf = ({ kind, scope }: ContentQuery, days: Sql): Sql =>
  sql`${table(kind.life)} where ${days}${inReportScope(scope)}`

/**
 * Answers `lifetimes` (their number), `single_lifetimes` (those that are their content's only one), and `began` and `ended`
 * (the first and last day of all).
 * Tested by `features/reports/contents/server/find-contents.test.ts`.
 */
export function lifetimeCounts({ life }: ContentKind): Sql {
  return sql`
    select count(*) as lifetimes, coalesce(${sumInt(ident('is_lone'))}, 0) as single_lifetimes,
      min(first_on) as began, max(last_on) as ended
    from ${table(life)}`
}

/**
 * Answers the lifetimes of all candidates for the first `place` items: `item`, `publisher`, `medium`, `began`, `ended`,
 * `single` and `sum_<column>`, at most `limit` rows in any order. Candidates have a lifetime total of at least `least`, the
 * figure of the `place`-th item among those completely within the range, or several lifetimes. Every row also has `least`
 * (null when fewer than `place` items lie within: then the rows mean nothing) and `total`, the items with rows in the range.
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
  // `best`: the order of equal figures does not matter, because only their minimum is used.
  // `unsure`: items that may have no day in the range, so `found` looks for their rows; without any, no row is read.
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
