import type { Permit } from '@pc/domain/access/decide.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { comparableRange, comparedRange } from '@pc/domain/report/comparison.ts'
import { daysOf, isOver, periodOf } from '@pc/domain/report/period.ts'
import { today } from '@pc/platform/clock.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { absentDays, type LateMedium, readArrival, readLateMedia } from './arrival.ts'
import { type ClosedMonths, readClosedMonths } from './closed-months.ts'
import { type Cells, cellReader } from './content-cells.ts'
import { CONTENT_REVENUE_COLUMN } from './content-kind.ts'
import { type ContentMaster, readContentMaster } from './content-master.ts'
import type { ContentRequest } from './content-request.ts'
import { readContentScope } from './content-scope.ts'
import {
  type ContentQuery,
  contentPeriodSums,
  contentRowsOfMedia,
  contentTotals,
  hasFewRows,
  itemCount,
  itemPage,
  itemPageSums,
  itemSums,
} from './content-statements.ts'
import { addUp, dayFacts, type Sums } from './figure-sums.ts'
import { type ArticleLabelName, readLabelNames } from './label-names.ts'
import { type LabelRows, readLabelRows } from './label-report.ts'
import { once } from './once.ts'
import { readLastPublisherId, readPublisherNames } from './publisher-names.ts'
import { compareSums } from './report-order.ts'
import type { ReportSources } from './report-sources.ts'
import { withCompared } from './summary-report.ts'

/** The figures of an article, a video, a period, or of the whole filter, before they are shown. */
export interface ContentFigures extends Cells {
  /** First day of the period (for the totals: of the filter); null for an article or video. */
  readonly date: Day | null
  readonly days: number
  readonly daysWithData: number | null
  readonly isComplete: boolean
  readonly hasBeenFinalized: boolean
  readonly itemId: bigint | null
  readonly publisherId: bigint | null
  /** Null where the scope does not see the publisher. Read when it is asked for: one statement for all rows. */
  publisherName(): Promise<string | null>
  readonly mediumId: bigint | null
  readonly master: ContentMaster | null
  readonly sums: Sums
  /** Null when nothing is compared, or those days are not known: of days that have not arrived, none are compared. */
  readonly compared: ComparedFigures | null
  /** Of a row by author, section or tag. */
  readonly labelled?: LabelFigures
}
/** The label that a row is about, by author, section and tag. */
export interface LabelFigures {
  readonly label: ArticleLabelName
  readonly articles: bigint
}
export interface ComparedFigures {
  readonly from: Day
  readonly to: Day
  readonly sums: Sums
}
export interface ContentReport {
  readonly total: number
  readonly nodes: readonly ContentFigures[]
  /** Over the whole filter; null when there is no data. */
  readonly totals: ContentFigures | null
  readonly dataUntil: Day | null
  /** The media of its rows of which days of the range have not arrived: these days are not compared. */
  readonly lateMedia: () => Promise<readonly LateMedium[]>
  /** What is known of the one article or video that is asked for, also where the days have no data of it. */
  readonly content: ReportedContent | null
}
export interface ReportedContent {
  readonly master: ContentMaster
  publisherName(): Promise<string | null>
}

type ContentPermit = Permit<'read:list', 'insight:article_stats.'> | Permit<'read:list', 'insight:video_stats.'>

/** The same steps for articles and videos: the viewer's rows → statements over one state of the store → result. */
export async function readContent(
  sources: ReportSources,
  request: ContentRequest,
  { scope }: ContentPermit,
  signal?: AbortSignal,
): Promise<ContentReport> {
  const { kind, range, compareWith, groupBy } = request
  const reader = sources.database.reader(scope)
  const [{ query, isEmpty }, closedMonths, lastPublisherId] = await Promise.all([
    readContentScope(sources.database, scope, request),
    readClosedMonths(reader, range),
    isArticleLabelKind(groupBy) ? readLastPublisherId(reader) : 0n,
  ])
  const columns = scope.kind === 'all' ? [...kind.counts, CONTENT_REVENUE_COLUMN] : kind.counts
  const options = signal ? { signal } : {}
  const read = await sources.stats.snapshot(async run => {
    const ask: Query = statement => run(statement, options)
    const arrives = readArrival(ask, kind.mediumDay, query.scope.mediumIds, range)
    // Only a comparison has to wait for the days that are known.
    const arrival = compareWith ? await arrives : undefined
    const compared = compareWith && comparableRange(compareWith, range, arrival?.known)
    const earlier = { ...query, absent: arrival ? absentDays(compareWith, range, arrival) : [] }
    const byDate = groupBy === 'date'
    // Where the whole range is not comparable, later parts of it may be.
    const comparedBy = byDate ? compareWith && comparedRange(compareWith, range) : compared
    const rowsOf = (of: ContentQuery, isCompared: boolean) =>
      byDate
        ? contentPeriodSums(of, isCompared ? 'daily' : request.granularity, columns, closedMonths)
        : contentTotals(of, columns, closedMonths)
    const [items, labels, periods, comparedPeriods, arrived] = await Promise.all([
      groupBy === 'item' && !isEmpty
        ? readItems(ask, request, query, columns, closedMonths, compared && { ...earlier, range: compared })
        : undefined,
      isArticleLabelKind(groupBy) && !isEmpty
        ? readLabelRows(ask, { ...request, groupBy }, query, {
            columns,
            closedMonths,
            compared: compared && { range: compared, absent: earlier.absent },
            lastPublisherId,
            publisherDaysAtOnce: sources.publisherDaysAtOnce,
          })
        : undefined,
      isEmpty ? [] : ask(rowsOf(query, false)),
      isEmpty || !comparedBy ? [] : ask(rowsOf({ ...earlier, range: comparedBy }, true)),
      arrives,
    ])
    return { arrival: arrived, compared, periods, comparedPeriods, labels, items }
  })
  const onlyItem = onlyOne(request.itemIds)
  const masterIds = read.items?.ids ?? (onlyItem === null ? [] : [onlyItem])
  const masters = await readContentMaster(reader, kind, masterIds)
  const parts: Parts = {
    request,
    query,
    columns,
    masters,
    today: today(sources.clock),
    periods: read.periods,
    known: read.arrival.known,
    comparedPeriods: read.comparedPeriods,
    ask: statement => sources.stats.query(statement, options),
    publisherNames: once(() => readPublisherNames(reader, publishersOf(request, read.items, masters))),
  }
  const lateMedia = async () =>
    isEmpty
      ? []
      : readLateMedia(parts.ask, reader, read.arrival, ids =>
          contentRowsOfMedia({ ...query, range: withCompared(request) }, ids),
        )
  const about = { dataUntil: read.arrival.known?.to ?? null, lateMedia, content: contentOf(parts, onlyItem) }
  if (read.periods.length === 0) return { total: 0, nodes: [], totals: null, ...about }
  const { labels, items, compared } = read
  if (labels) {
    const nodes = await labelNodes(reader, parts, labels, compared)
    return { total: labels.total, nodes, totals: totalsOf(parts, compared), ...about }
  }
  const list = items ? { total: items.total, nodes: itemNodes(parts, items, compared) } : dateNodes(parts)
  return { ...list, totals: totalsOf(parts, compared), ...about }
}

/** The article or video that is asked for, unless the filter names other publishers or media. */
function contentOf(
  { request: { filter }, masters, publisherNames }: Parts,
  itemId: bigint | null,
): ReportedContent | null {
  const master = itemId === null ? undefined : masters.get(itemId)
  const isWithin = (ids: readonly bigint[] | undefined, id: bigint) => ids === undefined || ids.includes(id)
  if (!master || !isWithin(filter.publisherIds, master.publisherId) || !isWithin(filter.mediumIds, master.mediumId))
    return null
  return { master, publisherName: async () => (await publisherNames()).get(master.publisherId) ?? null }
}

interface Items {
  readonly total: number
  /** In the order of the page. */
  readonly ids: readonly bigint[]
  /** One per item, publisher and medium. */
  readonly rows: readonly Row[]
  readonly comparedRows: readonly Row[]
}

async function readItems(
  ask: Query,
  { order, page }: ContentRequest,
  query: ContentQuery,
  columns: readonly string[],
  closed: ClosedMonths,
  earlier: ContentQuery | undefined,
): Promise<Items> {
  if (order === 'DATE_ASC' || order === 'DATE_DESC') throw new Error('items have no date')
  const readsOnce = typeof order !== 'string' && hasFewRows(query)
  const found = await ask(readsOnce ? itemPageSums(query, order, page, columns, closed) : itemPage(query, order, page))
  const ids = distinct(found.map(row => row.item as bigint))
  if (ids.length === 0) {
    const [counted] = page.offset === 0 ? [] : await ask(itemCount(query))
    return { total: Number(counted?.total ?? 0n), ids, rows: [], comparedRows: [] }
  }
  const ofPage: ContentQuery = { ...query, itemIds: ids }
  const [rows, comparedRows] = await Promise.all([
    readsOnce ? found : ask(itemSums(ofPage, columns, closed)),
    earlier ? ask(itemSums({ ...earlier, itemIds: ids }, columns, closed)) : [],
  ])
  return { total: Number(found[0]!.total), ids, rows, comparedRows }
}

interface Parts {
  readonly request: ContentRequest
  readonly query: ContentQuery
  readonly columns: readonly string[]
  readonly masters: ReadonlyMap<bigint, ContentMaster>
  readonly today: Day
  /** One per period; by item one row over everything. */
  readonly periods: readonly Row[]
  readonly known: DayRange | undefined
  /** One per day; by item one row over everything. */
  readonly comparedPeriods: readonly Row[]
  readonly ask: Query
  readonly publisherNames: () => Promise<ReadonlyMap<bigint, string>>
}

/** The publishers that the rows of an answer can name. */
function publishersOf(
  { filter }: ContentRequest,
  items: Items | undefined,
  masters: ReadonlyMap<bigint, ContentMaster>,
): readonly bigint[] {
  const ofItems = (items?.rows ?? []).map(row => row.publisher as bigint)
  const chosen = onlyOne(filter.publisherIds)
  const ofMasters = Array.from(masters.values(), master => master.publisherId)
  return distinct([...ofItems, ...ofMasters, ...(chosen === null ? [] : [chosen])])
}

function publisherFacts({ publisherNames }: Parts, publisherId: bigint | null) {
  const publisherName = async () => (publisherId === null ? null : ((await publisherNames()).get(publisherId) ?? null))
  return { publisherId, publisherName }
}

function itemNodes(parts: Parts, { ids, rows, comparedRows }: Items, compared: DayRange | undefined): ContentFigures[] {
  const { request, query, columns } = parts
  const rowsOf = Map.groupBy(rows, row => row.item as bigint)
  const comparedOf = Map.groupBy(comparedRows, row => row.item as bigint)
  const ofPage: ContentQuery = {
    ...query,
    itemIds: ids,
    knownPublisherIds: distinct(rows.map(row => row.publisher as bigint)),
  }
  const cells = cellReader(parts.ask, ofPage, 'item')
  return ids.map(id => {
    const own = rowsOf.get(id) ?? []
    const before = comparedOf.get(id)
    return {
      date: null,
      days: daysOf(request.range),
      daysWithData: null,
      isComplete: isOver(request.range.to, parts.today),
      hasBeenFinalized: own.every(row => row.is_closed === 1n),
      itemId: id,
      ...publisherFacts(parts, (own[0]?.publisher ?? null) as bigint | null),
      mediumId: (own[0]?.medium ?? null) as bigint | null,
      master: parts.masters.get(id) ?? null,
      sums: addUp(own, columns),
      compared: compared && before ? { ...compared, sums: addUp(before, columns) } : null,
      ...cells(() => [id]),
    }
  })
}

/** By author, section or tag. Matrices and distributions are not read for them. */
async function labelNodes(
  reader: Reader,
  { request: { range, filter }, columns, today }: Parts,
  { kind, rows, comparedRows }: LabelRows,
  compared: DayRange | undefined,
): Promise<ContentFigures[]> {
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
      publisherName: async () => label.publisherName,
      mediumId: onlyOne(filter.mediumIds),
      master: null,
      labelled: { label, articles: row.articles as bigint },
      sums: addUp([row], columns),
      compared: compared && before ? { ...compared, sums: addUp([before], columns) } : null,
      demographics: async () => [],
      watchTimes: async () => [],
    }
  })
}

function dateNodes(parts: Parts): { total: number; nodes: ContentFigures[] } {
  const { request, columns } = parts
  const { range, granularity, page, order, compareWith } = request
  const cells = cellReader(parts.ask, parts.query, 'day')
  const all = parts.periods.map(row => ({ startsOn: row.bucket as Day, row, sums: addUp([row], columns) }))
  if (order === 'DATE_DESC') all.reverse()
  else if (typeof order !== 'string') {
    const compare = compareSums(order)
    const byDay = order.isDescending ? -1 : 1
    all.sort((a, b) => compare(a.sums, b.sums) || (a.startsOn < b.startsOn ? -byDay : byDay))
  }
  const nodes = all.slice(page.offset, page.offset + page.limit).map(({ startsOn, row, sums }): ContentFigures => {
    const period = periodOf(granularity, startsOn, range)
    const before = compareWith && comparableRange(compareWith, range, parts.known, period.covered)
    return {
      ...dayFigures(parts, [row], sums),
      date: startsOn,
      days: daysOf(period.covered),
      isComplete: isOver(period.endsOn, parts.today),
      compared: comparedFigures(before, parts.comparedPeriods, columns),
      ...cells(() => eachDay(period.covered)),
    }
  })
  return { total: all.length, nodes }
}

function totalsOf(parts: Parts, compared: DayRange | undefined): ContentFigures {
  const { request, periods, columns } = parts
  const { range } = request
  return {
    ...dayFigures(parts, periods, addUp(periods, columns)),
    date: range.from,
    days: daysOf(range),
    isComplete: isOver(range.to, parts.today),
    compared: comparedFigures(compared, parts.comparedPeriods, columns),
    ...cellReader(parts.ask, parts.query, undefined)(() => []),
  }
}

function dayFigures(parts: Parts, rows: readonly Row[], sums: Sums) {
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

function comparedFigures(
  range: DayRange | undefined,
  rows: readonly Row[],
  columns: readonly string[],
): ComparedFigures | null {
  if (!range) return null
  const known = rows.filter(({ bucket }) => bucket === undefined || (bucket! >= range.from && bucket! <= range.to))
  return known.length === 0 ? null : { ...range, sums: addUp(known, columns) }
}

/** The filter's id when it names exactly one. */
function onlyOne(ids: readonly bigint[] | undefined): bigint | null {
  return ids?.length === 1 ? ids[0]! : null
}

function eachDay({ from, to }: DayRange): Day[] {
  return Array.from({ length: daysOf({ from, to }) }, (_, index) => addDays(from, index))
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
