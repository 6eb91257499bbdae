import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { daysOf as lengthOf } from '@pc/domain/report/period.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { countOf, ident, joined, none, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import type { FactTable } from '@pc/platform/stats/tables.ts'
import { isOfMedia } from './arrival.ts'
import type { ClosedMonths } from './closed-months.ts'
import type { ContentKind } from './content-kind.ts'
import { monthsAndDays } from './months-and-days.ts'
import { byPeriod, overall } from './period-bucket.ts'
import {
  type CommonOrder,
  columnsOf,
  type FigureOrder,
  figureSql,
  isCommonOrder,
  orderSql,
  rowFigureSql,
  type SortFigure,
} from './report-order.ts'
import type { PlannedRows } from './report-plan.ts'
import {
  allClosed,
  carriesLabels,
  inReportScope,
  isOneOf,
  isOverAllPublishers,
  selectedSums,
  without,
} from './sql-parts.ts'

/** Which rows of articles or videos a report is about. */
export interface ContentQuery extends PlannedRows {
  readonly kind: ContentKind
  /** Undefined: all of them. */
  readonly itemIds: readonly bigint[] | undefined
  /** A hint: the only publishers that can have matching rows, so that the engine skips others. Never changes the answer. */
  readonly knownPublisherIds?: readonly bigint[]
}

const publishersOf = ({ knownPublisherIds }: ContentQuery): Sql =>
  knownPublisherIds ? sql` and ${isOneOf('publisher_id', knownPublisherIds)}` : none
const itemsOf = ({ kind, itemIds }: ContentQuery): Sql => (itemIds ? sql` and ${isOneOf(kind.id, itemIds)}` : none)
const daysOf = ({ from, to }: DayRange): Sql =>
  from === to ? sql`date = ${from}` : sql`date between ${from} and ${to}`
const rowsOf = (query: ContentQuery, days: Sql = daysOf(query.range)): Sql =>
  sql`${days}${inReportScope(query.scope)}${without(query.absent)}${publishersOf(query)}${itemsOf(query)}${carriesLabels(query.scope)}`

/** The `from` clause (without the keyword) of whole months; undefined when the range has none. */
export function monthRows(query: ContentQuery): Sql | undefined {
  const { months } = monthsAndDays(query.range, query.absent)
  return months && sql`${table(query.kind.month)} where ${rowsOf(query, months)}`
}

/** A union of the query's rows: whole months from the monthly roll-up, the days around them from the daily table. */
export function itemRows(query: ContentQuery, columns: readonly string[], ofMonths = monthRows(query)): Sql {
  const { days } = monthsAndDays(query.range, query.absent)
  const edges = days.map(edge => sql`${table(query.kind.day)} where ${rowsOf(query, daysOf(edge))}`)
  const selected = joined(columns.map(ident), sql`, `)
  return joined(
    [...(ofMonths ? [ofMonths] : []), ...edges].map(rows => sql`select ${selected} from ${rows}`),
    sql` union all `,
  )
}

interface PagedItems {
  /** Common table expressions that `from` uses. */
  readonly named: Sql
  /** One row per item with `item` and, when there is a figure to order by, `sort_figure`. */
  readonly from: Sql
  /** The parts of `from`, whose counts add up to the number of items. */
  readonly sources: readonly Sql[]
}

/**
 * Each item once. Over all publishers, items with a single monthly row (`is_lone`, most items) are taken without grouping
 * and only the others are grouped. For some publishers there are so few rows that grouping all of them is faster.
 */
function pagedItems(query: ContentQuery, figure: SortFigure | undefined): PagedItems {
  const id = ident(query.kind.id)
  const columns = [query.kind.id, ...(figure ? columnsOf(figure) : [])]
  const ofMonths = monthRows(query)
  const [grouped, items] = [ident('grouped'), ident('items')]
  const sorted = (sqlOf: (figure: SortFigure) => Sql) => (figure ? sql`, ${sqlOf(figure)} as sort_figure` : none)
  const groupedFrom = (rows: Sql) =>
    sql`grouped as (select ${id} as item${sorted(figureSql)} from (${rows}) item_rows group by ${id})`
  if (!ofMonths || query.itemIds || !isOverAllPublishers(query.scope)) {
    return { named: groupedFrom(itemRows(query, columns, ofMonths)), from: grouped, sources: [grouped] }
  }
  const singleMonth = sql`${ofMonths} and is_lone = 1`
  const others = itemRows(query, columns, sql`${ofMonths} and is_lone = 0`)
  const selected = figure ? sql`item, sort_figure` : sql`item`
  return {
    named: groupedFrom(others),
    from: sql`(select ${id} as item${sorted(rowFigureSql)} from ${singleMonth} union all select ${selected} from grouped) ${items}`,
    sources: [singleMonth, grouped],
  }
}

/**
 * Answers `item` and `total` (the number of items) for a page. Reads only the columns of the order; {@link itemSums} reads
 * the figures of the page's items afterwards.
 */
export function itemPage(query: ContentQuery, order: FigureOrder | CommonOrder, page: Page): Sql {
  const { named, from, sources } = pagedItems(query, isCommonOrder(order) ? undefined : order.figure)
  const rows =
    isCommonOrder(order) && order.by !== 'ID' ? withTimestamps(query.kind, from, TIMESTAMP_COLUMNS[order.by]) : from
  const isById = isCommonOrder(order) && order.by === 'ID'
  const by = isById
    ? order.isDescending
      ? sql`item desc`
      : sql`item asc`
    : orderSql(ident('sort_figure'), ident('item'), order.isDescending)
  return sql`
    with ${named} select item, ${countOf(...sources)} as total from ${rows}
    order by ${by} limit ${page.limit} offset ${page.offset}`
}

const TIMESTAMP_COLUMNS = { CREATEDAT: 'created_at', UPDATEDAT: 'updated_at' } as const

/** `item` and its timestamp as `sort_figure`; null, and so last in both directions, for contents without a delivery. */
function withTimestamps({ id, moment }: ContentKind, items: Sql, column: string): Sql {
  const known = sql`select ${ident(id)} as known_item, ${ident(column)} as known_at from ${table(moment)}`
  return sql`(select item, known_at as sort_figure
    from (select item from ${items}) asked left join (${known}) known on known_item = item) dated`
}

/** Answers `item`: of the first `lookedAt` contents by timestamp, the first `place` that have rows in the range. */
export function firstByTimestamp(
  query: ContentQuery,
  { by, isDescending }: CommonOrder,
  lookedAt: number,
  place: number,
): Sql {
  if (by === 'ID') throw new Error('an id is no timestamp')
  const { id: column, moment } = query.kind
  const id = ident(column)
  const order = orderSql(ident('known_at'), ident('known_item'), isDescending)
  return sql`
    with known as (
      select ${id} as known_item, ${ident(TIMESTAMP_COLUMNS[by])} as known_at from ${table(moment)}
      order by ${order} limit ${lookedAt}
    ), found as (
      select distinct ${id} as item from (${itemRows(query, [column])}) item_rows
      where ${id} in (select known_item from known)
    )
    select item from found join known on known_item = item order by ${order} limit ${place}`
}

/** Answers `total`, the number of articles or videos that have rows. */
export function itemCount(query: ContentQuery): Sql {
  const { named, from } = pagedItems(query, undefined)
  return sql`with ${named} select count(*) as total from ${from}`
}

/** Publishers × days from which summing every item is slower than reading the sums of a page afterwards. */
const MAX_PUBLISHER_DAYS = 3_000

/** Whether {@link itemPageSums} is faster than {@link itemPage} with {@link itemSums}; both answer the same. */
export function hasFewRows({ scope, range }: ContentQuery): boolean {
  const publishers = scope.entries.map(entry => entry.publisherIds?.length ?? Number.POSITIVE_INFINITY)
  return publishers.reduce((sum, count) => sum + count, 0) * lengthOf(range) <= MAX_PUBLISHER_DAYS
}

/**
 * {@link itemPage} and {@link itemSums} in one statement, which reads the rows once. Answers `place` (from 1), `item`,
 * `total` and the columns of `itemSums`, in the order of the page.
 */
export function itemPageSums(
  query: ContentQuery,
  { figure, isDescending }: FigureOrder,
  page: Page,
  columns: readonly string[],
  closed: ClosedMonths,
): Sql {
  const id = ident(query.kind.id)
  const sums = joined(
    columns.map(column => ident(`sum_${column}`)),
    sql`, `,
  )
  const keys = [query.kind.id, 'publisher_id', 'medium_id', 'date']
  const by = orderSql(ident('sort_figure'), ident('item'), isDescending)
  return sql`
    with parts as (
      select ${id} as item, publisher_id as publisher, medium_id as medium, ${allClosed(closed)}, ${selectedSums(columns)}
      from (${itemRows(query, [...keys, ...columns])}) item_rows group by ${id}, publisher_id, medium_id
    ), items as (
      select item, ${figureSql(figure, column => ident(`sum_${column}`))} as sort_figure from parts group by item
    ), page as (
      select item, ${countOf(ident('items'))} as total, row_number() over (order by ${by}) as place
      from items order by ${by} limit ${page.limit} offset ${page.offset}
    )
    select place, total, page.item as item, publisher, medium, is_closed, ${sums}
    from page join parts on parts.item = page.item order by place, publisher, medium`
}

/** Answers `item`, `publisher`, `medium`, `is_closed` and `sum_<column>` for the items of the query. */
export function itemSums(query: ContentQuery, columns: readonly string[], closed: ClosedMonths): Sql {
  const id = ident(query.kind.id)
  const keys = [query.kind.id, 'publisher_id', 'medium_id', 'date']
  const group = sql`${id}, publisher_id, medium_id`
  return sql`
    select ${id} as item, publisher_id as publisher, medium_id as medium, ${allClosed(closed)}, ${selectedSums(columns)}
    from (${itemRows(query, [...keys, ...columns])}) item_rows group by ${group} order by ${group}`
}

function figureRows(query: ContentQuery): Sql {
  const { kind, scope, itemIds } = query
  const source = itemIds || scope.labels ? kind.day : isOverAllPublishers(scope) ? kind.mediumDay : kind.publisherDay
  return sql`${table(source)} where ${rowsOf(query)}`
}

/** Answers `bucket`, `days_with_data`, `is_closed` and `sum_<column>` for each period that has rows, ascending. */
export function contentPeriodSums(
  query: ContentQuery,
  granularity: Granularity,
  columns: readonly string[],
  closed: ClosedMonths,
): Sql {
  return byPeriod(granularity, sql`${allClosed(closed)}, ${selectedSums(columns)}`, figureRows(query))
}

/** `days_with_data`, `is_closed` and `sum_<column>` over everything; no row when there are none. */
export function contentTotals(query: ContentQuery, columns: readonly string[], closed: ClosedMonths): Sql {
  return overall(sql`${allClosed(closed)}, ${selectedSums(columns)}`, figureRows(query))
}

/** `medium_id`, `date` and `sum_<column>` for each day of a medium that has rows, in their order. */
export function contentMediumDaySums(query: ContentQuery, columns: readonly string[]): Sql {
  return sql`select medium_id, date, ${selectedSums(columns)} from ${figureRows(query)}
    group by medium_id, date order by medium_id, date`
}

/** `publisher` and `sum_<column>` of each publisher that has rows. */
export function contentPublisherSums(query: ContentQuery, columns: readonly string[]): Sql {
  const { kind, itemIds, scope } = query
  const source = itemIds || scope.labels ? kind.day : kind.publisherDay
  return sql`select publisher_id as publisher, ${selectedSums(columns)} from ${table(source)} where ${rowsOf(query)}
    group by publisher_id order by publisher_id`
}

/** The `from` clause (without the keyword) of the query's daily rows of some media. */
export function contentRowsOfMedia(query: ContentQuery, mediumIds: readonly bigint[]): Sql {
  const { kind, scope, itemIds } = query
  const isNarrow = itemIds || !isOverAllPublishers(scope)
  return sql`${table(isNarrow ? kind.day : kind.mediumDay)} where ${rowsOf(query)} and medium_id in ${mediumIds}`
}

/** Answers `data_until`, the last delivered day of the media, regardless of whose rows they are. */
export function contentDataUntil(kind: ContentKind, mediumIds: readonly bigint[] | undefined): Sql {
  return sql`select max(date) as data_until from ${table(kind.mediumDay)} where ${isOfMedia(mediumIds)}`
}

/** What cells are grouped by as `owner`: the item or the day; undefined: not grouped. */
export type CellOwner = 'item' | 'day' | undefined

const ownerOf = (kind: ContentKind, owner: CellOwner): Sql =>
  owner === undefined ? none : owner === 'item' ? ident(kind.id) : ident('date')

function cells(
  query: ContentQuery,
  from: FactTable,
  owner: CellOwner,
  keys: Sql,
  counts: readonly string[],
  where: Sql,
) {
  const by = ownerOf(query.kind, owner)
  const group = owner === undefined ? keys : sql`${by}, ${keys}`
  const selected = owner === undefined ? none : sql`${by} as owner, `
  return sql`
    select ${selected}${keys}, ${selectedSums(counts)} from ${table(from)}
    where ${rowsOf(query)}${where} group by ${group} order by ${group}`
}

/** `owner`, `gender_id`, `age_id` and sums; ids of 0 (unknown) are left out. */
export function contentDemographics(query: ContentQuery, owner: CellOwner): Sql {
  const { demographics, demographicColumns } = query.kind
  const isKnown = sql` and gender_id >= 1 and age_id >= 1`
  return cells(query, demographics, owner, sql`gender_id, age_id`, demographicColumns, isKnown)
}

/** `owner`, `bucket_id` and `sum_watch`. */
export function watchTimes(query: ContentQuery, owner: CellOwner): Sql {
  const { watchTime } = query.kind
  if (watchTime === undefined) throw new Error(`${query.kind.day} has no watch times`)
  return cells(query, watchTime, owner, sql`bucket_id`, ['watch'], none)
}
