import { NO_LABEL } from '@pc/domain/report/article-label.ts'
import type { ExportCell, ExportKind } from '@pc/domain/spreadsheet/export-column.ts'
import { CONTENT_FIGURES, type ExportPart, figurePart, singlePart } from '../../core/server/export-figures.ts'
import { comparedOf, type OpenedExport, openExport } from '../../core/server/opened-export.ts'
import type { ReportColumn } from '../../report-columns.ts'
import type { ContentFigures } from './content-figures.ts'
import type { ContentReport } from './content-report.ts'

/** Rows of one file, few enough for a spreadsheet and for memory: there are thousands of labels, but millions of articles. */
export const MAX_LABELS_IN_FILE = 100_000
const ROW_BATCH_SIZE = 1_000

interface LabelRow {
  readonly node: ContentFigures
  readonly publisherName: string | null
}

/** The authors, sections or tags of articles, in the order of the screen. */
export function openLabelExport(
  report: ContentReport,
  columns: readonly ReportColumn[],
  isCompared: boolean,
): OpenedExport {
  const { nodes, total } = report
  const about = { ...report, ...comparedOf(report), total: Math.min(total, nodes.length) }
  const parts = columns.map(column => labelPart(column, isCompared))
  return openExport(about, parts, async function* () {
    for (let at = 0; at < nodes.length; at += ROW_BATCH_SIZE) {
      const piece = nodes.slice(at, at + ROW_BATCH_SIZE)
      yield await Promise.all(
        piece.map(async (node): Promise<LabelRow> => ({ node, publisherName: await node.publisherName() })),
      )
    }
  })
}

function labelPart(column: ReportColumn, isCompared: boolean): ExportPart<LabelRow> {
  const figure = CONTENT_FIGURES[column.id]
  if (figure) {
    return figurePart(column, figure, isCompared, ({ node }) => ({
      sums: node.sums,
      compared: node.compared?.sums ?? null,
    }))
  }
  const one = (kind: ExportKind, width: number, cell: (row: LabelRow) => ExportCell) =>
    singlePart(column, kind, width, cell)
  switch (column.id) {
    case 'label':
      return one('text', 32, ({ node: { labelled } }) =>
        labelled?.label.id === 0n ? NO_LABEL : (labelled?.label.name ?? null),
      )
    case 'publisher':
      return one('text', 32, ({ publisherName }) => publisherName)
    case 'publisherId':
      return one('text', 16, ({ node: { publisherId } }) => (publisherId === null ? null : String(publisherId)))
    case 'articles':
      return one('integer', 12, ({ node: { labelled } }) => labelled?.articles ?? null)
    default:
      throw new Error(`no column ${column.id} in the file`)
  }
}
