import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, monthRange } from '@pc/domain/month/year-month.ts'
import { daysOf } from '@pc/domain/report/period.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import type { ClosedMonths } from '../../core/server/closed-months.ts'
import { type ContentQuery, itemSums } from '../../core/server/content-sql.ts'
import { addUp } from '../../core/server/figure-sums.ts'
import { type CommonOrder, compareSums, type FigureOrder, isCommonOrder } from '../../core/server/report-order.ts'
import { isOverAllPublishers } from '../../core/server/sql-parts.ts'
import { distinct } from './content-figures.ts'
import { itemsThatReach, lifetimeCounts } from './lifetime-sql.ts'

/** The articles or videos of a page. */
export interface FoundItems {
  /** The number of items on all pages. */
  readonly total: number
  /** In the order of the page. */
  readonly ids: readonly bigint[]
  /** The items' rows as from `itemSums`, when finding them has read these anyway; undefined: still to be read. */
  readonly rows: readonly Row[] | undefined
}
export interface WantedItems {
  readonly order: FigureOrder | CommonOrder
  readonly page: Page
  /** Columns to read, those of the order included. */
  readonly columns: readonly string[]
  readonly closedMonths: ClosedMonths
}

/** In a shorter range few contents lie completely, so their figures are low and too many others reach them. */
const MIN_DAYS = 21
/** Deepest place (offset + limit) tried: the lower the place, the more contents reach its figure. */
const LAST_PLACE = 500
/** With more candidates, reading their rows in the range takes about as long as grouping all contents. */
const MAX_REACHING = 2_000
/** Up to so many publishers are named in the statement: their rows are in few row groups, and the others are skipped. */
const FEW_PUBLISHERS = 12

/**
 * The first items by a figure over all publishers, from lifetime totals: only items whose total reaches the figure of the
 * page's last place can be on the page, so only their rows in the range are read. Undefined when another way is faster.
 * Tested by `features/reports/contents/server/find-contents.test.ts`.
 */
export async function findByLifetimes(
  ask: Query,
  query: ContentQuery,
  { order, page, columns, closedMonths }: WantedItems,
): Promise<FoundItems | undefined> {
  if (isCommonOrder(order) || !order.isDescending || order.figure.per || order.figure.where) return undefined
  if (query.itemIds || query.absent?.length || !isOverAllPublishers(query.scope)) return undefined
  const [column, ...others] = order.figure.columns
  const place = page.offset + page.limit
  if (column === undefined || others.length > 0 || place > LAST_PLACE || daysOf(query.range) < MIN_DAYS)
    return undefined

  if (!(await canReachFew(ask, query, place))) return undefined
  const reaching = await ask(itemsThatReach(query, column, place, columns, MAX_REACHING + 1))
  if (reaching.length === 0 || reaching[0]!.least === null || reaching.length > MAX_REACHING) return undefined

  const rowsOf = Map.groupBy(await readFigures(ask, query, reaching, columns, closedMonths), row => row.item as bigint)
  const compare = compareSums(order)
  const ids = [...rowsOf]
    .map(([id, rows]) => ({ id, sums: addUp(rows, columns) }))
    .sort((a, b) => compare(a.sums, b.sums) || Number(b.id - a.id))
    .slice(page.offset, place)
    .map(({ id }) => id)
  return { total: Number(reaching[0]!.total), ids, rows: ids.flatMap(id => rowsOf.get(id)!) }
}

/**
 * Estimates whether few items have several lifetimes (one per publisher and medium) in the range: these must all be read.
 * Uses counts of the whole store, which are cached until the next publication.
 */
async function canReachFew(ask: Query, { kind, range }: ContentQuery, place: number): Promise<boolean> {
  const [counts] = await ask(lifetimeCounts(kind))
  const [all, single] = [Number(counts!.lifetimes), Number(counts!.single_lifetimes)]
  if (single < place) return false
  const days = daysOf({ from: counts!.began as Day, to: counts!.ended as Day })
  return ((all - single) * Math.min(daysOf(range), days)) / days <= MAX_REACHING
}

/** The same rows as `itemSums`. Items completely within the range take their lifetime sums without reading rows. */
async function readFigures(
  ask: Query,
  query: ContentQuery,
  reaching: readonly Row[],
  columns: readonly string[],
  closed: ClosedMonths,
): Promise<readonly Row[]> {
  const { from, to } = query.range
  const [within, before, later]: [Row[], Row[], Row[]] = [[], [], []]
  for (const row of reaching) {
    const isClosed =
      row.single === 1n && row.began! >= from && row.ended! <= to ? isLifetimeClosed(row, closed) : undefined
    if (isClosed !== undefined) within.push({ ...row, is_closed: isClosed })
    else if (row.single === 0n || row.began! < from) before.push(row)
    else later.push(row)
  }
  // Most remaining items end soon after the range begins, or begin soon before it ends; the days between are not read.
  const lastOfBefore = before.reduce((day, row) => latest(day, row.single === 1n ? (row.ended as Day) : to), from)
  const firstOfLater = later.reduce((day, row) => earliest(day, row.began as Day), to)
  const sumsOf = async (rows: readonly Row[], range: DayRange) => {
    const itemIds = distinct(rows.map(row => row.item as bigint))
    const publisherIds = distinct(rows.map(row => row.publisher as bigint))
    const known = publisherIds.length <= FEW_PUBLISHERS ? { knownPublisherIds: publisherIds } : {}
    return itemIds.length === 0 ? [] : ask(itemSums({ ...query, ...known, range, itemIds }, columns, closed))
  }
  const [ofBefore, ofLater] = [
    { from, to: earliest(lastOfBefore, to) },
    { from: firstOfLater, to },
  ]
  // Rows are stored by publisher, so one statement over all days costs about as much as one over a part of them.
  const isMostlyRead =
    before.length > 0 && later.length > 0 && 2 * (daysOf(ofBefore) + daysOf(ofLater)) >= daysOf(query.range)
  const read = isMostlyRead
    ? [await sumsOf([...before, ...later], query.range)]
    : await Promise.all([sumsOf(before, ofBefore), sumsOf(later, ofLater)])
  return [...within, ...read.flat()]
}

const earliest = (a: Day, b: Day): Day => [a, b].sort()[0]!
const latest = (a: Day, b: Day): Day => [a, b].sort()[1]!

/** As `allClosed`, from first and last day only; undefined when a month between is open and may or may not have a row. */
function isLifetimeClosed({ medium, began, ended }: Row, closed: ClosedMonths): bigint | undefined {
  const closedMonths = closed.get(medium as bigint) ?? []
  const months = monthRange(monthOfDay(began as Day), monthOfDay(ended as Day))
  const isClosed = months.map(month => closedMonths.includes(month))
  if (isClosed.every(Boolean)) return 1n
  return isClosed[0] && isClosed.at(-1) ? undefined : 0n
}
