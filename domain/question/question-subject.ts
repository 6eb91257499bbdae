import { type DayRange, EARLIEST_DAY, LATEST_DAY } from '../condition/default-range.ts'
import type { PaymentColumn } from '../explain/explain-column.ts'
import { parseDay } from '../month/day.ts'
import { SUMMARY_METRICS } from '../report/metric.ts'

/** Figures of the dashboard that people can ask about: only additive ones, so that one sum equals the row. */
export const QUESTION_FIGURES = ['publisherTotalRevenue', 'impressions', 'clicks', 'watchCount'] as const
export type QuestionFigure = (typeof QUESTION_FIGURES)[number]

export function figureLabel(figure: QuestionFigure): string {
  return SUMMARY_METRICS[figure].label
}

export function figureUnit(figure: QuestionFigure): 'yen' | 'count' {
  return figure === 'publisherTotalRevenue' ? 'yen' : 'count'
}

/** An amount of a payment or of a publisher's part, or a node of its breakdown. */
export interface AmountSubject {
  readonly kind: 'payment' | 'publisher_payment'
  readonly id: bigint
  readonly column: PaymentColumn
  /** Id of the node; null: the amount itself. */
  readonly path: string | null
}

/** A figure of some days. Empty lists: every medium and every publisher that the person sees. */
export interface FigureSubject {
  readonly kind: 'report'
  readonly range: DayRange
  readonly figure: QuestionFigure
  readonly mediumIds: readonly bigint[]
  readonly publisherIds: readonly bigint[]
}
export type QuestionSubject = AmountSubject | FigureSubject

/** What an address asks about, for example `payment-12-revenue` or `report-2026-11-01-2026-11-07-clicks`. */
export type AskTarget =
  | { readonly kind: AmountSubject['kind']; readonly id: string; readonly column: string }
  | { readonly kind: 'report'; readonly range: DayRange; readonly figure: QuestionFigure }

/** The text of a target in an address; {@link parseAskTarget} reads it. */
export function formatAskTarget(target: AskTarget): string {
  if (target.kind !== 'report') return `${target.kind}-${target.id}-${target.column}`
  return `report-${target.range.from}-${target.range.to}-${target.figure}`
}

/** Whether figures can exist for these days. */
export function isAllowedRange({ from, to }: DayRange): boolean {
  return EARLIEST_DAY <= from && from <= to && to <= LATEST_DAY
}

/**
 * Undefined when the text names nothing that people can ask about.
 * Tested by `domain/question/question.test.ts`.
 */
export function parseAskTarget(text: string): AskTarget | undefined {
  const amount = /^(payment|publisher_payment)-([1-9]\d{0,17})-([A-Za-z]+)$/.exec(text)
  if (amount) return { kind: amount[1] as AmountSubject['kind'], id: amount[2]!, column: amount[3]! }
  const report = /^report-(\d{4}-\d{2}-\d{2})-(\d{4}-\d{2}-\d{2})-([A-Za-z]+)$/.exec(text)
  const from = parseDay(report?.[1] ?? '')
  const to = parseDay(report?.[2] ?? '')
  const figure = QUESTION_FIGURES.find(each => each === report?.[3])
  if (!from || !to || !figure || !isAllowedRange({ from, to })) return undefined
  return { kind: 'report', range: { from, to }, figure }
}
