import { ok } from '@pc/domain/result.ts'
import { demandPermit } from '@pc/platform/graphql/guard.ts'
import { aboutExport, exportParam } from '../../core/server/export-arguments.ts'
import {
  definitionOf,
  type ExportPart,
  type ExportSource,
  figurePart,
  RANKING_FIGURES,
  singlePart,
} from '../../core/server/export-figures.ts'
import { type OpenedExport, openExport } from '../../core/server/opened-export.ts'
import { parseReportArguments } from '../../core/server/report-arguments.ts'
import type { ReportExporter } from '../../core/server/report-exporter.ts'
import { splitOrder } from '../../core/server/report-order.ts'
import { RANKING_COLUMNS } from '../../ranking-columns.ts'
import { rankingCondition } from '../../ranking-condition.ts'
import { chosenColumns, type ReportColumn } from '../../report-columns.ts'
import { type PublisherRank, type RankReport, readRanking } from './rank-report.ts'
import type { RankFigure } from './rank-sql.ts'

export const exportRanking: ReportExporter = async ({ sources, context, request: exported, isStaff }) => {
  const permit = demandPermit(context, 'read:list', 'insight:publisher_rank.')
  const condition = rankingCondition.parse(exported.condition)
  const request = parseReportArguments({ limit: 1, offset: 0, param: exportParam(condition, sources.clock) })
  if (!request.ok) return request
  const order = splitOrder<RankFigure>(condition.order)
  const opened = await openRankingTable(
    page => readRanking(sources, { ...request.value, page, order }, permit, context.signal),
    chosenColumns(RANKING_COLUMNS, isStaff, exported.columns),
  )
  return ok({ report: 'publisher-ranking', permit, opened, ...aboutExport(request.value), granularity: undefined })
}

/** Opens the ranking's table. @param read reads one page of the ranking */
async function openRankingTable(
  read: (page: { limit: number; offset: number }) => Promise<RankReport>,
  columns: readonly ReportColumn[],
): Promise<OpenedExport> {
  const first = await read({ limit: PUBLISHER_BATCH_SIZE, offset: 0 })
  const compared = first.totals?.compared ?? null
  // Each publisher is one row over the whole range, so rows are compared only when the range is.
  const about = { ...first, compared, hasComparedRows: compared !== null }
  return openExport(about, columns.map(rankingPart), async function* () {
    let [piece, offset] = [first, 0]
    while (piece.nodes.length > 0) {
      yield piece.nodes
      offset += piece.nodes.length
      if (offset >= piece.total) return
      piece = await read({ limit: PUBLISHER_BATCH_SIZE, offset })
    }
  })
}

const PUBLISHER_BATCH_SIZE = 1_000

function rankingPart(column: ReportColumn): ExportPart<PublisherRank> {
  const figure = RANKING_FIGURES[column.id]
  if (figure) {
    return figurePart(
      column,
      figure,
      true,
      ({ sums, compared }): ExportSource => ({ sums, compared: compared?.sums ?? null }),
    )
  }
  switch (column.id) {
    case 'rank':
      return {
        columns: [
          { header: column.label, kind: 'integer', width: 8, definition: definitionOf(column) },
          { header: '比較期間の順位', kind: 'integer', width: 14 },
        ],
        cells: ({ rank, previousRank }) => [rank, previousRank],
      }
    case 'publisher':
      return singlePart(column, 'text', 32, row => row.publisherName ?? `ID ${row.publisherId}`)
    case 'publisherId':
      return singlePart(column, 'text', 16, row => String(row.publisherId))
    default:
      throw new Error(`no column ${column.id} in the file`)
  }
}
