import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { ident, joined, none, type Sql, sql } from '@pc/platform/stats/sql.ts'
import { rowValue } from '../../core/server/labelled-rows.ts'
import { publisherRows } from '../../core/server/publisher-rows.ts'
import { columnsOf, type FigureOrder, figureSql, orderSql, type SortFigure } from '../../core/server/report-order.ts'
import type { PlannedRows } from '../../core/server/report-plan.ts'
import { selectedSums } from '../../core/server/sql-parts.ts'
import { COUNT_COLUMNS, SOURCE_REVENUE_COLUMNS } from '../../core/server/summary-sql.ts'

/** Columns of a ranking. They include revenue by source, because the ranking is for staff. */
export const RANK_COLUMNS = [...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS] as const

/** The figures that publishers can be ranked by. */
export const RANK_FIGURES = {
  IMPRESSION: { columns: ['article_impression', 'video_impression', 'live_impression'] },
  CLICK: { columns: ['article_click', 'video_click', 'live_click'] },
  CTR: {
    columns: ['article_click', 'video_click', 'live_click'],
    per: ['article_impression', 'video_impression', 'live_impression'],
  },
  WATCH: { columns: ['article_watch', 'video_watch', 'live_watch'] },
  ARTICLEIMPRESSION: { columns: ['article_impression'] },
  ARTICLECLICK: { columns: ['article_click'] },
  ARTICLEWATCH: { columns: ['article_watch'] },
  VIDEOIMPRESSION: { columns: ['video_impression'] },
  VIDEOCLICK: { columns: ['video_click'] },
  VIDEOWATCH: { columns: ['video_watch'] },
  LIVEIMPRESSION: { columns: ['live_impression'] },
  LIVECLICK: { columns: ['live_click'] },
  LIVEWATCH: { columns: ['live_watch'] },
  REVENUE: { columns: ['publisher_revenue_micro_yen'] },
  RPM: {
    columns: ['publisher_revenue_micro_yen'],
    per: ['article_impression', 'video_impression', 'live_impression'],
  },
  GROSSREVENUE: { columns: SOURCE_REVENUE_COLUMNS },
  PRODUCTADSREVENUE: { columns: ['ads_revenue_micro_yen'] },
  SSPREVENUE: { columns: ['ssp_revenue_micro_yen'] },
  VIDEOSSPREVENUE: { columns: ['video_ssp_revenue_micro_yen'] },
  LIVESSPREVENUE: { columns: ['live_ssp_revenue_micro_yen'] },
} as const satisfies Record<string, SortFigure>
export type RankFigure = keyof typeof RANK_FIGURES
/** The figure that determines ranks when the list is sorted by id or date. */
export const RANKED_BY: RankFigure = 'IMPRESSION'

const sumsOf = (columns: readonly string[]): Sql =>
  joined(
    columns.map(column => sql`, ${ident(`sum_${column}`)}`),
    none,
  )

/**
 * Answers `publisher`, `position`, `total` and `sum_<column>` for each publisher that has rows. The greatest figure has
 * position 1, equal ones share a position. Sums of all publishers are computed here, because reading the rows again for
 * those of a page takes longer.
 */
function ranked(query: PlannedRows, figure: SortFigure, columns: readonly string[]): Sql {
  const valueIn = rowValue(query.scope)
  const rows = publisherRows(query, [...new Set([...columnsOf(figure), ...columns])])
  const sums = columns.length === 0 ? none : sql`, ${selectedSums(columns, valueIn)}`
  return sql`
    select publisher, sort_figure${sumsOf(columns)}, rank() over (order by sort_figure desc nulls last) as position,
      count(*) over () as total
    from (
      select publisher_id as publisher, ${figureSql(figure, valueIn)} as sort_figure${sums}
      from (${rows}) publisher_rows group by publisher_id
    ) publishers`
}

/** A page of the ranking in either direction. */
export function rankPage(
  query: PlannedRows,
  { figure, isDescending }: FigureOrder,
  page: Page,
  columns: readonly string[],
): Sql {
  return sql`
    select publisher, position, total${sumsOf(columns)} from (${ranked(query, figure, columns)}) ranking
    order by ${orderSql(ident('sort_figure'), ident('publisher'), isDescending)}
    limit ${page.limit} offset ${page.offset}`
}

/** Answers `publisher`, every publisher that has rows. */
export function rankedPublishers(query: PlannedRows): Sql {
  return sql`select distinct publisher_id as publisher from (${publisherRows(query, [])}) publisher_rows`
}

/** As {@link rankPage}, for the given publishers instead of a page. */
export function ranksOf(
  query: PlannedRows,
  figure: SortFigure,
  publisherIds: readonly bigint[],
  columns: readonly string[],
): Sql {
  return sql`select publisher, position, total${sumsOf(columns)} from (${ranked(query, figure, columns)}) ranking
    where publisher in ${publisherIds} order by publisher`
}

/** Answers `publisher` with its least and greatest medium id (`first_medium`, `last_medium`): equal means one medium only. */
export function mediaOf(query: PlannedRows, publisherIds: readonly bigint[]): Sql {
  return sql`select publisher_id as publisher, min(medium_id) as first_medium, max(medium_id) as last_medium
    from (${publisherRows(query, ['medium_id'])}) publisher_rows where publisher_id in ${publisherIds}
    group by publisher_id order by publisher_id`
}

/**
 * Answers `publisher`, `position` and `sum_<column>` in the compared days for the publishers of a page. The statement finds
 * the page again from the order's figure, so that it runs in parallel to {@link rankPage}.
 */
export function ranksOfPage(
  earlier: PlannedRows,
  query: PlannedRows,
  order: FigureOrder,
  page: Page,
  columns: readonly string[],
): Sql {
  return sql`select publisher, position${sumsOf(columns)} from (${ranked(earlier, order.figure, columns)}) ranking
    where publisher in (select publisher from (${rankPage(query, order, page, [])}) asked) order by publisher`
}
