import { ok } from '@pc/domain/result.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { REPORT_COLUMNS } from '../../all-report-columns.ts'
import { articlesCondition, contentCondition, videosCondition } from '../../content-condition.ts'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import { aboutExport, type ExportCondition, exportParam, MAX_PERIODS } from '../../core/server/export-arguments.ts'
import type { ExportedScreen, ExportInput, ReportExporter, ReportExporters } from '../../core/server/report-exporter.ts'
import { splitOrder } from '../../core/server/report-order.ts'
import { chosenColumns, type Report } from '../../report-columns.ts'
import { openItemExport, openPeriodExport } from './content-export.ts'
import { readContent } from './content-report.ts'
import { type ContentArguments, type ContentRequest, parseContentRequest } from './content-request.ts'
import { withKinds } from './earlier-labels.ts'
import { MAX_LABELS_IN_FILE, openLabelExport } from './label-export.ts'

export const CONTENT_EXPORTERS: Pick<ReportExporters, 'articles' | 'article' | 'videos' | 'video'> = {
  articles: input => exportList(input, ARTICLES, articlesCondition.parse(input.request.condition)),
  article: input => exportItem(input, ARTICLES),
  videos: input => exportList(input, VIDEOS, videosCondition.parse(input.request.condition)),
  video: input => exportItem(input, VIDEOS),
}

type ListCondition = ReturnType<typeof articlesCondition.parse> | ReturnType<typeof videosCondition.parse>

async function exportList(input: ExportInput, kind: ContentKind, condition: ListCondition): ReturnType<ReportExporter> {
  const { groupBy, title } = condition
  // Labels of any kind, from addresses and saved views of earlier versions.
  const labelIds = 'labelId' in condition && condition.labelId.length > 0 ? condition.labelId : undefined
  const by = groupBy === 'article' || groupBy === 'video' ? 'item' : groupBy
  const shown: ExportCondition = by === 'item' ? condition : { ...condition, orderOf: 'value' }
  const param = { ...exportParam(shown, input.sources.clock), itemIds: undefined, title, labelIds }
  const order = groupBy === 'date' ? condition.dateOrder : condition.order
  return exportTable(input, kind, { ...param, groupBy: by, granularity: condition.granularity }, order)
}

/** One article or video: its days, weeks or months. */
async function exportItem(input: ExportInput, kind: ContentKind): ReturnType<ReportExporter> {
  const { condition: segment, itemId, publisherId } = input.request
  const condition = contentCondition.parse(segment)
  const { granularity } = condition
  const ids = { itemIds: [itemId], publisherIds: [publisherId], title: '' }
  const param = { ...exportParam(condition, input.sources.clock), ...ids, groupBy: 'date', granularity } as const
  // Articles and videos share a condition, so an address may name an order by a figure that this kind lacks.
  const isKnown = condition.order.startsWith('DATE') || splitOrder(condition.order).name in kind.figures
  return exportTable(input, kind, param, isKnown ? condition.order : 'DATE_DESC')
}

async function exportTable(
  { sources, context, request: exported, isStaff }: ExportInput,
  kind: ContentKind,
  param: ContentArguments['param'] & { readonly labelIds?: readonly string[] | undefined },
  orderBy: string,
): ReturnType<ReportExporter> {
  const permit =
    kind.id === 'article_id'
      ? demandPermit(context, 'read:list', 'insight:article_stats.')
      : demandPermit(context, 'read:list', 'insight:video_stats.')
  const reader = sources.database.reader(permit.scope)
  const labelled = await withKinds(reader, param)
  if (!labelled.ok) return labelled
  const parsed = parseContentRequest(kind, { limit: 1, offset: 0, orderBy, param: labelled.value })
  if (!parsed.ok) return parsed
  const { groupBy, granularity } = parsed.value
  const limit = groupBy === 'date' ? MAX_PERIODS : MAX_LABELS_IN_FILE
  const request: ContentRequest = { ...parsed.value, page: { limit, offset: 0 } }
  const report = reportOf(exported.screen, groupBy)
  const columns = chosenColumns(REPORT_COLUMNS[report], isStaff, exported.columns)
  const read = () => readContent(sources, request, permit, context.signal)
  const opened =
    groupBy === 'item'
      ? await openItemExport(sources, request, permit.scope, columns, context.signal)
      : groupBy === 'date'
        ? openPeriodExport(await read(), columns, request)
        : openLabelExport(await read(), columns, request.compareWith !== undefined)
  return ok({
    ...{ report, permit, opened, ...aboutExport(request) },
    granularity: groupBy === 'date' ? granularity : undefined,
    master: request.master,
  })
}

function reportOf(screen: ExportedScreen, groupBy: ContentRequest['groupBy']): Report {
  if (groupBy === 'item' || (screen !== 'articles' && screen !== 'videos')) return screen
  return groupBy === 'date' ? `${screen}-by-date` : `articles-by-${groupBy}`
}
