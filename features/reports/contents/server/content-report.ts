import type { Permit } from '@pc/domain/access/decide.ts'
import { isArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { today } from '@pc/platform/clock.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { type ClosedMonths, readClosedMonths } from '../../core/server/closed-months.ts'
import { type ContentMaster, readContentMaster } from '../../core/server/content-master.ts'
import { type ContentQuery, contentPeriodSums, contentTotals, itemSums } from '../../core/server/content-sql.ts'
import { memoize } from '../../core/server/memoize.ts'
import { readLastPublisherId, readPublisherNames } from '../../core/server/publisher-names.ts'
import { type ReportFreshness, readPlan } from '../../core/server/report-plan.ts'
import { onlyOne } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import {
  type ContentFigures,
  dateNodes,
  distinct,
  type FigureContext,
  type Items,
  itemNodes,
  labelNodes,
  totalsOf,
} from './content-figures.ts'
import { type ContentPlan, planContent } from './content-plan.ts'
import type { ContentRequest } from './content-request.ts'
import { findItems } from './find-contents.ts'
import { readLabelRows } from './label-report.ts'

export interface ContentReport extends ReportFreshness {
  readonly total: number
  readonly nodes: readonly ContentFigures[]
  /** Over the whole filter; null when there is no data. */
  readonly totals: ContentFigures | null
  /** The master data when the filter names exactly one article or video, even if it has no figures in the range. */
  readonly content: ReportedContent | null
}
export interface ReportedContent {
  readonly master: ContentMaster
  publisherName(): Promise<string | null>
}

type ContentPermit = Permit<'read:list', 'insight:article_stats.'> | Permit<'read:list', 'insight:video_stats.'>

/** Reads a report of articles or videos, by item, label or period, from one snapshot of the statistics store. */
export async function readContent(
  sources: ReportSources,
  request: ContentRequest,
  { scope }: ContentPermit,
  signal?: AbortSignal,
): Promise<ContentReport> {
  const { kind, range, compareWith, groupBy, granularity } = request
  const reader = sources.database.reader(scope)
  const [plan, closedMonths, lastPublisherId] = await Promise.all([
    planContent(sources, request, scope, signal),
    readClosedMonths(reader, range),
    isArticleLabelKind(groupBy) ? readLastPublisherId(reader) : 0n,
  ])
  const { rows, columns, isEmpty, stats, options } = plan
  const onlyItem = onlyOne(request.itemIds)
  const readMasters = (ids: readonly bigint[]) => readContentMaster(reader, kind, ids)
  const readsItems = groupBy === 'item' && !isEmpty
  const onlyMaster = readsItems || onlyItem === null ? undefined : ignoringRejection(readMasters([onlyItem]))
  const { read, comparison, freshness } = await readPlan(plan, async (ask, compares) => {
    // Waits for the arrival of days only where something is compared.
    const compared = compareWith ? await compares : undefined
    const byDate = groupBy === 'date'
    const earlier = byDate ? compared?.rowsOfParts : compared?.rows
    const sumsOf = (of: ContentQuery, by: ContentRequest['granularity']) =>
      byDate ? contentPeriodSums(of, by, columns, closedMonths) : contentTotals(of, columns, closedMonths)
    const [items, labels, periods, comparedPeriods] = await Promise.all([
      readsItems ? readItems(ask, plan, request, { closedMonths, earlier, readMasters }) : undefined,
      isArticleLabelKind(groupBy) && !isEmpty
        ? readLabelRows(ask, { ...request, groupBy }, rows, {
            columns,
            closedMonths,
            earlier,
            lastPublisherId,
            publisherDayBatchSize: sources.publisherDayBatchSize,
          })
        : undefined,
      isEmpty ? [] : ask(sumsOf(rows, granularity)),
      // By day, because each period of the range has its own compared days.
      isEmpty || !earlier ? [] : ask(sumsOf(earlier, 'daily')),
    ])
    return { items, labels, periods, comparedPeriods }
  })
  const { items, labels, periods, comparedPeriods } = read
  const masters = (await (items?.masters ?? onlyMaster)) ?? new Map<bigint, ContentMaster>()
  const publisherNames = memoize(() => readPublisherNames(reader, publishersOf(request, items, masters)))
  const known = request.wantsPublisherNames && !labels ? await publisherNames() : undefined
  const parts: FigureContext = {
    request,
    query: rows,
    columns,
    masters,
    today: today(sources.clock),
    periods,
    comparison,
    comparedPeriods,
    // Demographics and watch times are read on demand, after the snapshot has ended.
    ask: statement => stats.query(statement, options),
    publisherNames: known ? () => known : publisherNames,
  }
  const about = { ...freshness, content: contentOf(parts, onlyItem) }
  if (periods.length === 0 && !items?.total) return { total: 0, nodes: [], totals: null, ...about }
  if (labels) {
    const nodes = await labelNodes(reader, parts, labels)
    return { total: labels.total, nodes, totals: totalsOf(parts), ...about }
  }
  const list = items ? { total: items.total, nodes: itemNodes(parts, items) } : dateNodes(parts)
  return { ...list, totals: totalsOf(parts), ...about }
}

/** The requested article or video; null when the filter excludes its publisher or medium. */
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

/** The items of a page with their master data. */
interface ReadItems extends Items {
  readonly masters: Masters
}
type Masters = Promise<ReadonlyMap<bigint, ContentMaster>>

interface ItemReading {
  readonly closedMonths: ClosedMonths
  /** The rows that the figures are compared with; undefined: no comparison. */
  readonly earlier: ContentQuery | undefined
  readonly readMasters: (ids: readonly bigint[]) => Masters
}

/** Avoids an unhandled rejection when an earlier failure keeps `work` from being awaited. Awaiting it still throws. */
function ignoringRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

async function readItems(
  ask: Query,
  { rows: query, columns }: ContentPlan,
  { order, page, changedBy }: ContentRequest,
  { closedMonths, earlier, readMasters }: ItemReading,
): Promise<ReadItems> {
  if ('by' in order && order.by === 'DATE') throw new Error('items have no date')
  const {
    total,
    ids,
    rows: found,
  } = await findItems(
    ask,
    query,
    { order, page, columns, closedMonths },
    changedBy && earlier && { earlier, changedBy },
  )
  if (ids.length === 0) return { total, ids, rows: [], comparedRows: [], masters: readMasters(ids) }
  const masters = ignoringRejection(readMasters(ids))
  const [rows, comparedRows] = await Promise.all([
    found ?? ask(itemSums({ ...query, itemIds: ids }, columns, closedMonths)),
    earlier ? ask(itemSums({ ...earlier, itemIds: ids }, columns, closedMonths)) : [],
  ])
  return { total, ids, rows, comparedRows, masters }
}

/** The publishers whose names the answer may need. */
function publishersOf(
  { filter }: ContentRequest,
  items: Items | undefined,
  masters: ReadonlyMap<bigint, ContentMaster>,
): readonly bigint[] {
  const ofItems = [...(items?.rows ?? []), ...(items?.comparedRows ?? [])].map(row => row.publisher as bigint)
  const chosen = onlyOne(filter.publisherIds)
  const ofMasters = Array.from(masters.values(), master => master.publisherId)
  return distinct([...ofItems, ...ofMasters, ...(chosen === null ? [] : [chosen])])
}
