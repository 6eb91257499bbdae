import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { daysOf, isOver, periodOf } from '@pc/domain/report/period.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import type { ContentMaster } from '../../core/server/content-master.ts'
import type { ContentQuery } from '../../core/server/content-sql.ts'
import { addUp, type ComparedSums, comparedSums, dayFacts, type Sums } from '../../core/server/figure-sums.ts'
import { type ArticleLabelName, readLabelNames } from '../../core/server/label-names.ts'
import { compareSums } from '../../core/server/report-order.ts'
import type { PlannedComparison } from '../../core/server/report-plan.ts'
import { onlyOne } from '../../core/server/report-scope.ts'
import { type Cells, cellReader } from './content-cells.ts'
import type { ContentRequest } from './content-request.ts'
import type { LabelRows } from './label-report.ts'

/** The exact figures of an article, a video, a period, or the whole filter, before fields round them. */
export interface ContentFigures extends Cells {
  /** First day of the period (for the totals: of the filter); null for an article or video. */
  readonly date: Day | null
  readonly days: number
  readonly daysWithData: number | null
  readonly isComplete: boolean
  readonly hasBeenFinalized: boolean
  readonly itemId: bigint | null
  readonly publisherId: bigint | null
  /** Null where the scope does not see the publisher. A promise unless already read: one statement serves all rows. */
  publisherName(): string | null | Promise<string | null>
  readonly mediumId: bigint | null
  readonly master: ContentMaster | null
  readonly sums: Sums
  readonly compared: ComparedSums | null
  /** Set in rows by author, section or tag. */
  readonly labelled?: LabelFigures
}
/** The label of a row, and the number of articles that carry it. */
export interface LabelFigures {
  readonly label: ArticleLabelName
  readonly articles: bigint
}

export interface Items {
  readonly total: number
  /** In the order of the page. */
  readonly ids: readonly bigint[]
  /** Sums per item, publisher and medium. */
  readonly rows: readonly Row[]
  readonly comparedRows: readonly Row[]
}

export interface FigureContext {
  readonly request: ContentRequest
  readonly query: ContentQuery
  readonly columns: readonly string[]
  readonly masters: ReadonlyMap<bigint, ContentMaster>
  readonly today: Day
  /** One row per period; in a list by item, one row over everything. */
  readonly periods: readonly Row[]
  readonly comparison: PlannedComparison<ContentQuery>
  /** The same for the compared range, but one row per day. */
  readonly comparedPeriods: readonly Row[]
  readonly ask: Query
  readonly publisherNames: () => PublisherNames | Promise<PublisherNames>
}

type PublisherNames = ReadonlyMap<bigint, string>

function publisherFacts({ publisherNames }: FigureContext, publisherId: bigint | null) {
  const publisherName = () => {
    if (publisherId === null) return null
    const nameIn = (names: PublisherNames) => names.get(publisherId) ?? null
    const names = publisherNames()
    return names instanceof Promise ? names.then(nameIn) : nameIn(names)
  }
  return { publisherId, publisherName }
}

/** Rows by article or video, in the order of the page. Items that have rows only in the compared days get sums of 0. */
export function itemNodes(parts: FigureContext, { ids, rows, comparedRows }: Items): ContentFigures[] {
  const { request, query, columns } = parts
  const compared = parts.comparison.daysOf()
  const rowsOf = Map.groupBy(rows, row => row.item as bigint)
  const comparedOf = Map.groupBy(comparedRows, row => row.item as bigint)
  const ofPage: ContentQuery = {
    ...query,
    itemIds: ids,
    knownPublisherIds: distinct(rows.map(row => row.publisher as bigint)),
  }
  const cells = cellReader(parts.ask, ofPage, 'item')
  return ids.map(id => {
    const [own = [], past = []] = [rowsOf.get(id), comparedOf.get(id)]
    const [known] = own.length > 0 ? own : past
    return {
      date: null,
      days: daysOf(request.range),
      daysWithData: null,
      isComplete: isOver(request.range.to, parts.today),
      hasBeenFinalized: own.every(row => row.is_closed === 1n),
      itemId: id,
      ...publisherFacts(parts, (known?.publisher ?? null) as bigint | null),
      mediumId: (known?.medium ?? null) as bigint | null,
      master: parts.masters.get(id) ?? null,
      sums: addUp(own, columns),
      compared: comparedSums(compared, past, columns, request.changedBy !== undefined),
      ...cells(() => [id]),
    }
  })
}

/** Rows by author, section or tag. Demographics and watch times are not read for them. */
export async function labelNodes(
  reader: Reader,
  { request: { range, filter }, columns, today, comparison }: FigureContext,
  { kind, rows, comparedRows }: LabelRows,
): Promise<ContentFigures[]> {
  const compared = comparison.daysOf()
  const names = await readLabelNames(
    reader,
    rows.map(row => row.of_label as bigint),
  )
  return rows.map(row => {
    const id = row.of_label as bigint
    const label = names.get(id) ?? { id, kind, name: null, publisherId: null, publisherName: null }
    const before = comparedRows.get(id)
    return {
      date: null,
      days: daysOf(range),
      daysWithData: null,
      isComplete: isOver(range.to, today),
      hasBeenFinalized: row.are_closed === 1n,
      itemId: null,
      publisherId: label.publisherId,
      publisherName: () => label.publisherName,
      mediumId: onlyOne(filter.mediumIds),
      master: null,
      labelled: { label, articles: row.articles as bigint },
      sums: addUp([row], columns),
      compared: comparedSums(compared, before ? [before] : [], columns),
      demographics: async () => [],
      watchTimes: async () => [],
    }
  })
}

/** Rows by period, sorted and paged here, because there are few. Only periods that have data. */
export function dateNodes(parts: FigureContext): { total: number; nodes: ContentFigures[] } {
  const { request, columns } = parts
  const { range, granularity, page, order } = request
  const cells = cellReader(parts.ask, parts.query, 'day')
  const all = parts.periods.map(row => ({ startsOn: row.bucket as Day, row, sums: addUp([row], columns) }))
  if ('by' in order) {
    if (order.isDescending) all.reverse()
  } else {
    const compare = compareSums(order)
    const byDay = order.isDescending ? -1 : 1
    all.sort((a, b) => compare(a.sums, b.sums) || (a.startsOn < b.startsOn ? -byDay : byDay))
  }
  const nodes = all.slice(page.offset, page.offset + page.limit).map(({ startsOn, row, sums }): ContentFigures => {
    const period = periodOf(granularity, startsOn, range)
    return {
      ...dayFigures(parts, [row], sums),
      date: startsOn,
      days: daysOf(period.covered),
      isComplete: isOver(period.endsOn, parts.today),
      compared: comparedSums(parts.comparison.daysOf(period.covered), parts.comparedPeriods, columns),
      ...cells(() => eachDay(period.covered)),
    }
  })
  return { total: all.length, nodes }
}

/** The figures over the whole filter; only meaningful when there are any periods. */
export function totalsOf(parts: FigureContext): ContentFigures {
  const { request, periods, columns } = parts
  const { range } = request
  return {
    ...dayFigures(parts, periods, addUp(periods, columns)),
    date: range.from,
    days: daysOf(range),
    isComplete: isOver(range.to, parts.today),
    compared: comparedSums(parts.comparison.daysOf(), parts.comparedPeriods, columns),
    ...cellReader(parts.ask, parts.query, undefined)(() => []),
  }
}

function dayFigures(parts: FigureContext, rows: readonly Row[], sums: Sums) {
  const { masters } = parts
  const { filter, itemIds } = parts.request
  const itemId = onlyOne(itemIds)
  const master = itemId === null ? null : (masters.get(itemId) ?? null)
  return {
    ...dayFacts(rows),
    itemId,
    ...publisherFacts(parts, onlyOne(filter.publisherIds) ?? master?.publisherId ?? null),
    mediumId: onlyOne(filter.mediumIds) ?? master?.mediumId ?? null,
    master,
    sums,
  }
}

function eachDay({ from, to }: DayRange): Day[] {
  return Array.from({ length: daysOf({ from, to }) }, (_, index) => addDays(from, index))
}

export function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
