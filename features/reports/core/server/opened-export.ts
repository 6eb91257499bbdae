import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { ExportColumn, ExportRow } from '@pc/domain/spreadsheet/export-column.ts'
import { isOfArticles } from '../../articles-only.ts'
import type { ExportPart } from './export-figures.ts'
import type { ReportFreshness } from './report-plan.ts'

/** Facts about the rows for the file's header. */
interface ExportedRows extends ReportFreshness {
  readonly total: number
  /** The days that the whole is compared with; null: not comparable, or not compared. */
  readonly compared: DayRange | null
  /** Whether any row has a comparison, which is possible even when the whole has none. */
  readonly hasComparedRows: boolean
}

/** The rows of a report, ready to be written. */
export interface OpenedExport extends ExportedRows {
  readonly columns: readonly ExportColumn[]
  rows(): AsyncIterable<readonly ExportRow[]>
}

/** @param batches yields the rows in order; called and read while the file is written */
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

/** Empties a figure that articles do not have, because 0 would be wrong. */
function withoutOthers<Row>(part: ExportPart<Row>): ExportPart<Row> {
  if (part.figureId === undefined || isOfArticles(part.figureId)) return part
  return { ...part, cells: () => part.columns.map(() => null) }
}

/** The compared days of a report, for the file's header. */
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

/** The Japanese word for a period's state (final, provisional, …), as on screens. */
export const stateText = (state: FigureState): string => STATE_TEXTS[state]

/** The state of a period that has data. */
export const stateOf = (period: { readonly isComplete: boolean; readonly hasBeenFinalized: boolean }): FigureState =>
  period.isComplete ? (period.hasBeenFinalized ? 'final' : 'estimate') : 'running'
