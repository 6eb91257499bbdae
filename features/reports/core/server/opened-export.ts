import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { ExportColumn, ExportRow } from '@pc/domain/spreadsheet/export-column.ts'
import { isOfArticles } from '../../articles-only.ts'
import type { ExportPart } from './export-figures.ts'
import type { ReportFreshness } from './report-plan.ts'

/** What a file says about its rows. */
interface ExportedRows extends ReportFreshness {
  readonly total: number
  /** The days that all rows together are compared with; null: with none. */
  readonly compared: DayRange | null
  /** Whether any row is compared: where all of them together are not, single ones may be. */
  readonly hasComparedRows: boolean
}

/** The rows of a report, ready to be written. */
export interface OpenedExport extends ExportedRows {
  readonly columns: readonly ExportColumn[]
  rows(): AsyncIterable<readonly ExportRow[]>
}

/** @param batches the rows in their order, read while the file is written */
export function openExport<Row>(
  about: ExportedRows,
  parts: readonly ExportPart<Row>[],
  batches: () => AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): OpenedExport {
  const { total, dataUntil, compared, hasComparedRows, lateMedia, isOfArticlesOnly } = about
  const shown = isOfArticlesOnly ? parts.map(withoutOthers) : parts
  return {
    ...{ total, dataUntil, compared, hasComparedRows, lateMedia, ...(isOfArticlesOnly ? { isOfArticlesOnly } : {}) },
    columns: shown.flatMap(part => part.columns),
    async *rows() {
      for await (const rows of batches()) yield rows.map(row => shown.flatMap(part => part.cells(row)))
    },
  }
}

/** A figure that articles do not have is empty, which is not zero. */
function withoutOthers<Row>(part: ExportPart<Row>): ExportPart<Row> {
  if (part.figureId === undefined || isOfArticles(part.figureId)) return part
  return { ...part, cells: () => part.columns.map(() => null) }
}

/** What the rows of a report are compared with. */
export function comparedOf({
  totals,
  nodes,
}: {
  readonly totals: { readonly compared: DayRange | null } | null
  readonly nodes: readonly { readonly compared: DayRange | null }[]
}): Pick<OpenedExport, 'compared' | 'hasComparedRows'> {
  return { compared: totals?.compared ?? null, hasComparedRows: nodes.some(({ compared }) => compared !== null) }
}

const STATE_TEXTS = {
  final: '確定',
  estimate: '速報',
  running: '集計中',
  awaited: '集計前',
  none: 'データなし',
} as const

type FigureState = keyof typeof STATE_TEXTS

/** How far the figures of a period can be relied on, in the words of the screen. */
export const stateText = (state: FigureState): string => STATE_TEXTS[state]

/** The same of a period that has data. */
export const stateOf = (period: { readonly isComplete: boolean; readonly hasBeenFinalized: boolean }): FigureState =>
  period.isComplete ? (period.hasBeenFinalized ? 'final' : 'estimate') : 'running'
