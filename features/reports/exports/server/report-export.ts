import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { ExportTable } from '@pc/platform/export/export-table.ts'
import type { GraphContext } from '@pc/platform/graphql/graph.ts'
import { findPermit } from '@pc/platform/graphql/guard.ts'
import { demandLabels } from '../../core/server/label-right.ts'
import {
  EXPORTED_SCREENS,
  type ExportRequest,
  type ReportExport,
  type ReportExporters,
} from '../../core/server/report-exporter.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { Report } from '../../report-columns.ts'
import { exportFacts } from './export-facts.ts'

export interface ReportExportDependencies extends ReportSources {
  readonly exporters: ReportExporters
}

/**
 * The table of a report screen as it is shown (condition, columns, order) with all of its rows. The viewer's rights
 * decide as on the screen: without the right to list, the guard's error; columns for staff are left out for others.
 */
export async function openReportExport(
  { exporters, ...sources }: ReportExportDependencies,
  viewer: Viewer,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Result<ExportTable, Refusal<RefusalCode>>> {
  const request = readRequest(given)
  if (!request) return refused(refusal('report/unknown-report', ['report']))
  // Exporters take the context of a GraphQL request; the export's audit entry has its own request id and address.
  const context: GraphContext = { viewer, requestId: '', sourceAddress: '', signal, permits: new Map() }
  const isStaff = findPermit(context, 'read:show', 'insight:revenue_detail.') !== undefined
  const exported = await exporters[request.screen]({ sources, context, request, isStaff })
  if (!exported.ok) return exported
  // Only now the filter is parsed. Nothing has been sent yet, so a missing right still refuses the export.
  demandLabels(exported.value.filter, context)
  return ok(await tableOf(sources, exported.value))
}

function readRequest(given: Readonly<Record<string, unknown>>): ExportRequest | undefined {
  const { report, condition, itemId, publisherId, columns } = given
  const screen = EXPORTED_SCREENS.find(one => one === report)
  if (!screen) return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    screen,
    // A longer condition is cut, which bounds the parser's work on hostile requests; screens' conditions are shorter.
    condition: typeof condition === 'string' ? condition.slice(0, 4_000) : undefined,
    itemId: text(itemId),
    publisherId: text(publisherId),
    columns: Array.isArray(columns) ? columns.filter(one => typeof one === 'string').slice(0, 100) : undefined,
  }
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

async function tableOf(
  sources: ReportSources,
  { report, permit, opened, ...about }: ReportExport,
): Promise<ExportTable> {
  const { dataUntil, compared, hasComparedRows, isOfArticlesOnly = false } = opened
  const lateMedia = await opened.lateMedia()
  const facts = await exportFacts(sources, permit.scope, {
    ...{ ...about, dataUntil, compared, hasComparedRows, lateMedia, isOfArticlesOnly },
  })
  return {
    ...opened,
    fileName: `${report}_${about.range.from}_${about.range.to}`,
    title: TITLES[report],
    facts,
    resource: permit.resource,
  }
}
