import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { chosenRange, type DayRange } from '@pc/domain/condition/default-range.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { Comparison } from '@pc/domain/report/comparison.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { today } from '@pc/platform/clock.ts'
import type { ExportTable } from '@pc/platform/export/export-table.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import { demandPermit, findPermit } from '@pc/platform/graphql/guard.ts'
import { articlesCondition, contentCondition, videosCondition } from '../../content-condition.ts'
import { openItemExport, openPeriodExport } from '../../contents/server/content-export.ts'
import { readContent } from '../../contents/server/content-report.ts'
import { type ContentRequest, parseContentRequest } from '../../contents/server/content-request.ts'
import { MAX_LABELS_IN_FILE, openLabelExport } from '../../contents/server/label-export.ts'
import type { MasterFilter } from '../../core/server/content-filter.ts'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import { readLabelsOf, withKinds } from '../../core/server/label-filter.ts'
import type { ArticleLabelName } from '../../core/server/label-names.ts'
import type { OpenedExport } from '../../core/server/opened-export.ts'
import { parseReportArguments } from '../../core/server/report-arguments.ts'
import { splitOrder } from '../../core/server/report-order.ts'
import type { EntityFilter } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { readSummary } from '../../dashboard/server/summary-report.ts'
import { parseSummaryRequest } from '../../dashboard/server/summary-request.ts'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { readRanking } from '../../ranking/server/rank-report.ts'
import type { RankFigure } from '../../ranking/server/rank-statements.ts'
import { rankingCondition } from '../../ranking-condition.ts'
import { chosenColumns, type Report } from '../../report-columns.ts'
import { exportFacts } from './export-facts.ts'
import { openDashboardExport, openRankingExport } from './publisher-export.ts'

/** The screens whose table can be written to a file. */
const SCREENS = ['dashboard', 'publisher-ranking', 'articles', 'article', 'videos', 'video'] as const
type Screen = (typeof SCREENS)[number]

/** What a caller sends: the screen, its condition as in the address, its ids, and the columns in their order. */
interface Asked {
  readonly screen: Screen
  readonly condition: string | undefined
  /** Of an article or video. */
  readonly itemId: string
  readonly publisherId: string
  readonly columns: readonly string[] | undefined
}

interface Reading {
  readonly sources: ReportSources
  readonly context: GraphContext
  readonly asked: Asked
  readonly isStaff: boolean
}

type Opened = Result<ExportTable, Refusal<RefusalCode>>

/**
 * The table of a report screen as it is shown (condition, columns, order) with all of its rows, of which the viewer's
 * rights decide as everywhere: without the right to list, the guard's error; columns for staff are left out for others.
 */
export async function openReportExport(
  sources: ReportSources,
  viewer: Viewer,
  request: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Opened> {
  const asked = readAsked(request)
  if (!asked) return refused(refusal('report/unknown-report', ['report']))
  const context: GraphContext = { viewer, requestId: '', sourceAddress: '', signal, permits: new Map() }
  const isStaff = findPermit(context, 'read:show', 'insight:revenue_detail.') !== undefined
  const reading: Reading = { sources, context, asked, isStaff }
  switch (asked.screen) {
    case 'dashboard':
      return openDashboard(reading)
    case 'publisher-ranking':
      return openRanking(reading)
    case 'articles':
      return openContent(reading, ARTICLES, articlesCondition.parse(asked.condition))
    case 'videos':
      return openContent(reading, VIDEOS, videosCondition.parse(asked.condition))
    case 'article':
      return openItem(reading, ARTICLES)
    case 'video':
      return openItem(reading, VIDEOS)
  }
}

function readAsked({ report, condition, itemId, publisherId, columns }: Readonly<Record<string, unknown>>) {
  const screen = SCREENS.find(one => one === report)
  if (!screen) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const chosen = Array.isArray(columns) ? columns.filter(one => typeof one === 'string').slice(0, 100) : undefined
  const asked: Asked = {
    screen,
    condition: typeof condition === 'string' ? condition.slice(0, 4_000) : undefined,
    itemId: text(itemId),
    publisherId: text(publisherId),
    columns: chosen,
  }
  return asked
}

async function openDashboard({ sources, context, asked, isStaff }: Reading): Promise<Opened> {
  const permit = demandPermit(context, 'read:list', 'insight:summary_stats.')
  const condition = dashboardCondition.parse(asked.condition)
  const { granularity, sort } = condition
  const range = chosenRange(condition, today(sources.clock))
  const compareWith = comparisonOf(condition.compareWith)
  const param = { ...range, ...idsOf(condition), granularity, compareWith }
  const request = parseSummaryRequest({ limit: 1, offset: 0, param })
  if (!request.ok) return request
  const everything = { ...request.value, page: { limit: ALL, offset: 0 } }
  const report = await readSummary(sources, everything, permit, context.signal)
  const columns = chosenColumns('dashboard', isStaff, asked.columns)
  const how = { range, granularity, sort, isCompared: compareWith !== undefined }
  const opened = openDashboardExport(report, columns, how)
  return describe(
    { sources, permit, opened, range, compareWith, granularity, filter: request.value.filter },
    'dashboard',
  )
}

async function openRanking({ sources, context, asked, isStaff }: Reading): Promise<Opened> {
  const permit = demandPermit(context, 'read:list', 'insight:publisher_rank.')
  const condition = rankingCondition.parse(asked.condition)
  const range = chosenRange(condition, today(sources.clock))
  const request = parseReportArguments({ limit: 1, offset: 0, param: { ...range, ...idsOf(condition) } })
  if (!request.ok) return request
  const { compareWith } = condition
  const order = splitOrder<RankFigure>(condition.order)
  const opened = await openRankingExport(
    page => readRanking(sources, { ...request.value, page, order, compareWith }, permit, context.signal),
    chosenColumns('publisher-ranking', isStaff, asked.columns),
  )
  const about = { sources, permit, opened, range, compareWith, granularity: undefined, filter: request.value.filter }
  return describe(about, 'publisher-ranking')
}

type ListCondition = ReturnType<typeof articlesCondition.parse> | ReturnType<typeof videosCondition.parse>

async function openContent(reading: Reading, kind: ContentKind, condition: ListCondition): Promise<Opened> {
  const { groupBy } = condition
  const isByDate = groupBy === 'date'
  const { title } = condition
  const feedIds = 'feedId' in condition && condition.feedId.length > 0 ? condition.feedId : undefined
  const param = { ...idsOf(condition), itemIds: undefined, title, feedIds, ...labelIdsOf(condition) }
  const order = isByDate ? condition.dateOrder : condition.order
  const by = groupBy === 'article' || groupBy === 'video' ? 'item' : groupBy
  return openContentTable(reading, kind, condition, { groupBy: by, param, order })
}

/** One article or video: its days, weeks or months. */
async function openItem(reading: Reading, kind: ContentKind): Promise<Opened> {
  const { condition: segment, itemId, publisherId } = reading.asked
  const condition = contentCondition.parse(segment)
  const param = { itemIds: [itemId], publisherIds: [publisherId], title: '', feedIds: undefined }
  // Orders of figures that only videos have mean nothing for articles.
  const isKnown = condition.order.startsWith('DATE') || splitOrder(condition.order).name in kind.figures
  const order = isKnown ? condition.order : 'DATE_DESC'
  return openContentTable(reading, kind, condition, { groupBy: 'date', param, order })
}

interface ContentTable {
  readonly groupBy: ContentRequest['groupBy']
  readonly param: {
    readonly itemIds: readonly string[] | undefined
    readonly publisherIds: readonly string[] | undefined
    readonly feedIds: readonly string[] | undefined
    readonly authorIds?: readonly string[] | undefined
    readonly sectionIds?: readonly string[] | undefined
    readonly tagIds?: readonly string[] | undefined
    readonly labelIds?: readonly string[] | undefined
    readonly title: string
  }
  readonly order: string
}

async function openContentTable(
  { sources, context, asked, isStaff }: Reading,
  kind: ContentKind,
  condition: ReturnType<typeof contentCondition.parse> | ListCondition,
  { groupBy, param, order }: ContentTable,
): Promise<Opened> {
  const permit =
    kind.id === 'article_id'
      ? demandPermit(context, 'read:list', 'insight:article_stats.')
      : demandPermit(context, 'read:list', 'insight:video_stats.')
  const { granularity } = condition
  const range = chosenRange(condition, today(sources.clock))
  const compareWith = comparisonOf(condition.compareWith)
  const labelled = await withKinds(sources.database.reader(permit.scope), param)
  if (!labelled.ok) return labelled
  const parsed = parseContentRequest(kind, {
    limit: 1,
    offset: 0,
    orderBy: order,
    param: { ...range, ...labelled.value, groupBy, granularity, compareWith },
  })
  if (!parsed.ok) return parsed
  const limit = groupBy === 'date' ? ALL : MAX_LABELS_IN_FILE
  const request: ContentRequest = { ...parsed.value, page: { limit, offset: 0 } }
  const report = reportOf(asked.screen, groupBy)
  const columns = chosenColumns(report, isStaff, asked.columns)
  const isCompared = compareWith !== undefined
  const read = () => readContent(sources, request, permit, context.signal)
  const opened =
    groupBy === 'item'
      ? await openItemExport(sources, request, permit.scope, columns, context.signal)
      : groupBy === 'date'
        ? openPeriodExport(await read(), columns, request)
        : openLabelExport(await read(), columns, isCompared)
  const labels = await readLabelsOf(sources.database.reader(permit.scope), request.labels)
  const about = {
    sources,
    permit,
    opened,
    range,
    compareWith,
    filter: request.filter,
    master: request.master,
    labels: [...labels.values()],
  }
  return describe({ ...about, granularity: groupBy === 'date' ? granularity : undefined }, report)
}

/** Of periods there are never more. */
const ALL = 10_000

function reportOf(screen: Screen, groupBy: ContentRequest['groupBy']): Report {
  if (groupBy === 'item' || (screen !== 'articles' && screen !== 'videos')) return screen
  return groupBy === 'date' ? `${screen}-by-date` : `articles-by-${groupBy}`
}

const comparisonOf = (compareWith: Comparison | 'none') => (compareWith === 'none' ? undefined : compareWith)

function idsOf(condition: Readonly<Record<'mediumId' | 'organizationId' | 'publisherId', readonly string[]>>) {
  return {
    mediumIds: some(condition.mediumId),
    organizationIds: some(condition.organizationId),
    publisherIds: some(condition.publisherId),
  }
}

const some = (ids: readonly string[]) => (ids.length > 0 ? ids : undefined)

function labelIdsOf(condition: ListCondition) {
  if (!('authorId' in condition)) return {}
  const { authorId, sectionId, tagId, labelId } = condition
  return { authorIds: some(authorId), sectionIds: some(sectionId), tagIds: some(tagId), labelIds: some(labelId) }
}

const TITLES: Readonly<Record<Report, string>> = {
  dashboard: 'ダッシュボード',
  'publisher-ranking': 'パブリッシャーランキング',
  articles: '記事レポート（記事別）',
  'articles-by-date': '記事レポート（期間別）',
  'articles-by-author': '記事レポート（著者別）',
  'articles-by-section': '記事レポート（セクション別）',
  'articles-by-tag': '記事レポート（タグ別）',
  article: '記事の詳細',
  videos: '動画レポート（動画別）',
  'videos-by-date': '動画レポート（期間別）',
  video: '動画の詳細',
}

interface About {
  readonly sources: ReportSources
  readonly permit: { readonly scope: Viewer['scope']; readonly resource: ResourceName }
  readonly opened: OpenedExport
  readonly range: DayRange
  readonly compareWith: Comparison | undefined
  readonly granularity: Parameters<typeof exportFacts>[2]['granularity']
  readonly filter: EntityFilter
  readonly master?: MasterFilter
  readonly labels?: readonly ArticleLabelName[]
}

async function describe({ sources, permit, opened, ...about }: About, report: Report): Promise<Opened> {
  const { dataUntil, compared, hasComparedRows } = opened
  const lateMedia = await opened.lateMedia()
  const facts = await exportFacts(sources, permit.scope, { ...about, dataUntil, compared, hasComparedRows, lateMedia })
  return ok({
    ...opened,
    fileName: `${report}_${about.range.from}_${about.range.to}`,
    title: TITLES[report],
    facts,
    resource: permit.resource,
  })
}
