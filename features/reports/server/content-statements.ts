import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { firstDayOf } from '@pc/domain/month/year-month.ts'
import type { Granularity } from '@pc/domain/report/granularity.ts'
import { splitByMonths } from '@pc/domain/report/period.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { countOf, ident, joined, none, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import type { FactTable } from '@pc/platform/stats/tables.ts'
import { allClosed, type ClosedMonths } from './closed-months.ts'
import type { ContentKind } from './content-kind.ts'
import { selectedSums } from './figure-sums.ts'
import { carriesLabels } from './label-filter.ts'
import { byPeriod, overall } from './period-bucket.ts'
import { columnsOf, type FigureOrder, figureSql, orderSql } from './report-order.ts'
import { inReportScope, isOneOf, isOverAllPublishers, type ReportScope } from './report-scope.ts'

/** Which rows of articles or videos a report is about. */
export interface ContentQuery {
  readonly kind: ContentKind
  readonly range: DayRange
  readonly scope: ReportScope
  /** Undefined: all of them. */
  readonly itemIds: readonly bigint[] | undefined
  /** Of articles: only those that carry all of these labels; undefined: not restricted. */
  readonly labelIds?: readonly bigint[] | undefined
  /** What is known of the publishers beforehand; lets the engine skip the rows of others. Never needed for the right answer. */
  readonly knownPublisherIds?: readonly bigint[]
}

const publishersOf = ({ knownPublisherIds }: ContentQuery): Sql =>
  knownPublisherIds ? sql` and ${isOneOf('publisher_id', knownPublisherIds)}` : none
const itemsOf = ({ kind, itemIds }: ContentQuery): Sql => (itemIds ? sql` and ${isOneOf(kind.id, itemIds)}` : none)
const daysOf = ({ from, to }: DayRange): Sql =>
  from === to ? sql`date = ${from}` : sql`date between ${from} and ${to}`
const rowsOf = (query: ContentQuery, range: DayRange = query.range): Sql =>
  sql`${daysOf(range)}${inReportScope(query.scope)}${publishersOf(query)}${itemsOf(query)}${carriesLabels(query.labelIds)}`

/** Columns of the rows per item: whole months from the sums by month, the days around them from the days. */
export function itemRows(query: ContentQuery, columns: readonly string[]): Sql {
  const selected = joined(columns.map(ident), sql`, `)
  const rows = (from: Sql, range: DayRange) => sql`select ${selected} from ${from} where ${rowsOf(query, range)}`
  const { before, months, after } = splitByMonths(query.range)
  const parts: Sql[] = []
  if (months) {
    parts.push(rows(table(query.kind.month), { from: firstDayOf(months.first), to: firstDayOf(months.last) }))
  }
  for (const edge of [before, after]) if (edge) parts.push(rows(table(query.kind.day), edge))
  return joined(parts, sql` union all `)
}

/**
 * `item` and `total`: a page of articles or videos, and how many there are. Only what the order needs is read; the
 * figures of the page are read for the page.
 */
export function itemPage(query: ContentQuery, order: FigureOrder | 'ID_ASC' | 'ID_DESC', page: Page): Sql {
  const id = ident(query.kind.id)
  const isById = typeof order === 'string'
  const columns = isById ? [] : columnsOf(order.figure)
  const by = isById
    ? order === 'ID_ASC'
      ? sql`item asc`
      : sql`item desc`
    : orderSql(ident('sort_figure'), ident('item'), order.isDescending)
  const figure = isById ? none : sql`, ${figureSql(order.figure)} as sort_figure`
  return sql`
    with items as (
      select ${id} as item${figure} from (${itemRows(query, [query.kind.id, ...columns])}) item_rows group by ${id}
    ) select item, ${countOf(ident('items'))} as total from items order by ${by} limit ${page.limit} offset ${page.offset}`
}

/** `total`: number of articles or videos that have rows. */
export function itemCount(query: ContentQuery): Sql {
  const id = ident(query.kind.id)
  return sql`select count(*) as total from (
    select ${id} as item from (${itemRows(query, [query.kind.id])}) item_rows group by ${id}) items`
}

/** `item`, `publisher`, `medium`, `is_closed` and `sum_<column>` for the items of the query. */
export function itemSums(query: ContentQuery, columns: readonly string[], closed: ClosedMonths): Sql {
  const id = ident(query.kind.id)
  const keys = [query.kind.id, 'publisher_id', 'medium_id', 'date']
  const group = sql`${id}, publisher_id, medium_id`
  return sql`
    select ${id} as item, publisher_id as publisher, medium_id as medium, ${allClosed(closed)}, ${selectedSums(columns)}
    from (${itemRows(query, [...keys, ...columns])}) item_rows group by ${group} order by ${group}`
}

function figureRows(query: ContentQuery): Sql {
  const { kind, scope, itemIds, labelIds } = query
  const source = itemIds || labelIds ? kind.day : isOverAllPublishers(scope) ? kind.mediumDay : kind.publisherDay
  return sql`${table(source)} where ${rowsOf(query)}`
}

/** `bucket`, `days_with_data`, `is_closed` and `sum_<column>` for each period that has rows, ascending. */
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

/** `data_until`: the last day for which anything of the media has arrived, whoever it belongs to. */
export function contentDataUntil(kind: ContentKind, mediumIds: readonly bigint[] | undefined): Sql {
  return sql`select max(date) as data_until from ${table(kind.mediumDay)} where ${
    mediumIds ? sql`medium_id in ${mediumIds}` : sql`1 = 1`
  }`
}

/** What the cells of a matrix or a distribution belong to: `owner` is the item or the day, or there is none. */
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

/** `owner`, `gender_id`, `age_id` and sums; ids of 0 (unknown) are left out (specification, section 9). */
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
