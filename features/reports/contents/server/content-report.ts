import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { comparableRange, comparedRange, withCompared } from '@pc/domain/report/comparison.ts'
import { today } from '@pc/platform/clock.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { absentDays, type LateMedium, readArrival, readLateMedia } from '../../core/server/arrival.ts'
import { type ClosedMonths, readClosedMonths } from '../../core/server/closed-months.ts'
import { CONTENT_REVENUE_COLUMN } from '../../core/server/content-kind.ts'
import {
  type ContentQuery,
  contentPeriodSums,
  contentRowsOfMedia,
  contentTotals,
  itemSums,
} from '../../core/server/content-statements.ts'
import { memoize } from '../../core/server/memoize.ts'
import { readLastPublisherId, readPublisherNames } from '../../core/server/publisher-names.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import {
  type ContentFigures,
  dateNodes,
  distinct,
  type FigureContext,
  type Items,
  itemNodes,
  labelNodes,
  onlyOne,
  totalsOf,
} from './content-figures.ts'
import { type ContentMaster, readContentMaster } from './content-master.ts'
import type { ContentRequest } from './content-request.ts'
import { readContentScope } from './content-scope.ts'
import { findItems } from './find-items.ts'
import { readLabelRows } from './label-report.ts'

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
  const readsGross = scope.kind === 'all' && request.wantsRevenueDetail !== false
  const columns = readsGross ? [...kind.counts, CONTENT_REVENUE_COLUMN] : kind.counts
  const options = signal ? { signal } : {}
  const onlyItem = onlyOne(request.itemIds)
  const readMasters = (ids: readonly bigint[]) => readContentMaster(reader, kind, ids)
  const readsItems = groupBy === 'item' && !isEmpty
  const onlyMaster = readsItems || onlyItem === null ? undefined : ignoringRejection(readMasters([onlyItem]))
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
    const comparedQuery = compared && { ...earlier, range: compared }
    const [items, labels, periods, comparedPeriods, arrived] = await Promise.all([
      readsItems
        ? readItems(ask, request, query, { columns, closedMonths, earlier: comparedQuery, readMasters })
        : undefined,
      isArticleLabelKind(groupBy) && !isEmpty
        ? readLabelRows(ask, { ...request, groupBy }, query, {
            columns,
            closedMonths,
            compared: compared && { range: compared, absent: earlier.absent },
            lastPublisherId,
            publisherDayBatchSize: sources.publisherDayBatchSize,
          })
        : undefined,
      isEmpty ? [] : ask(rowsOf(query, false)),
      isEmpty || !comparedBy ? [] : ask(rowsOf({ ...earlier, range: comparedBy }, true)),
      arrives,
    ])
    return { arrival: arrived, compared, periods, comparedPeriods, labels, items }
  })
  const masters = (await (read.items?.masters ?? onlyMaster)) ?? new Map<bigint, ContentMaster>()
  const parts: FigureContext = {
    request,
    query,
    columns,
    masters,
    today: today(sources.clock),
    periods: read.periods,
    known: read.arrival.known,
    comparedPeriods: read.comparedPeriods,
    ask: statement => sources.stats.query(statement, options),
    publisherNames: memoize(() => readPublisherNames(reader, publishersOf(request, read.items, masters))),
  }
  const lateMedia = async () =>
    isEmpty
      ? []
      : readLateMedia(parts.ask, reader, read.arrival, ids =>
          contentRowsOfMedia({ ...query, range: withCompared(request.compareWith, range) }, ids),
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
  { request: { filter }, masters, publisherNames }: FigureContext,
  itemId: bigint | null,
): ReportedContent | null {
  const master = itemId === null ? undefined : masters.get(itemId)
  const isWithin = (ids: readonly bigint[] | undefined, id: bigint) => ids === undefined || ids.includes(id)
  if (!master || !isWithin(filter.publisherIds, master.publisherId) || !isWithin(filter.mediumIds, master.mediumId))
    return null
  return { master, publisherName: async () => (await publisherNames()).get(master.publisherId) ?? null }
}

/** The items of a page, and what is read of them beside their figures. */
interface ReadItems extends Items {
  readonly masters: Masters
}
type Masters = Promise<ReadonlyMap<bigint, ContentMaster>>

interface ItemReading {
  readonly columns: readonly string[]
  readonly closedMonths: ClosedMonths
  /** What the figures are compared with; undefined: nothing. */
  readonly earlier: ContentQuery | undefined
  readonly readMasters: (ids: readonly bigint[]) => Masters
}

/** Something else may fail first, and nobody would await this one; an await still gets its rejection. */
function ignoringRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

async function readItems(
  ask: Query,
  { order, page }: ContentRequest,
  query: ContentQuery,
  { columns, closedMonths: closed, earlier, readMasters }: ItemReading,
): Promise<ReadItems> {
  if ('by' in order && order.by === 'DATE') throw new Error('items have no date')
  const { total, ids, rows: found } = await findItems(ask, query, { order, page, columns, closedMonths: closed })
  if (ids.length === 0) return { total, ids, rows: [], comparedRows: [], masters: readMasters(ids) }
  const masters = ignoringRejection(readMasters(ids))
  const ofPage: ContentQuery = { ...query, itemIds: ids }
  const [rows, comparedRows] = await Promise.all([
    found ?? ask(itemSums(ofPage, columns, closed)),
    earlier ? ask(itemSums({ ...earlier, itemIds: ids }, columns, closed)) : [],
  ])
  return { total, ids, rows, comparedRows, masters }
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
