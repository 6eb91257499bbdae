import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { ExportColumn, ExportRow } from '@pc/platform/export/export-table.ts'
import type { LateMedium } from './arrival.ts'

/** The rows of a report, ready to be written. */
export interface OpenedExport {
  readonly total: number
  readonly dataUntil: Day | null
  /** The days that all rows together are compared with; null: with none. */
  readonly compared: DayRange | null
  /** Whether any row is compared: where all of them together are not, single ones may be. */
  readonly hasComparedRows: boolean
  readonly lateMedia: () => Promise<readonly LateMedium[]>
  readonly columns: readonly ExportColumn[]
  rows(): AsyncIterable<readonly ExportRow[]>
}

const STATE_TEXTS = {
  final: '確定',
  estimate: '速報',
  running: '集計中',
  awaited: '集計前',
  none: 'データなし',
} as const

/** How far the figures of a period can be relied on, in the words of the screen. */
export function stateText(state: keyof typeof STATE_TEXTS): string {
  return STATE_TEXTS[state]
}
