import type { Permit } from '@pc/domain/access/decide.ts'
import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { MICRO_YEN_PER_YEN } from '@pc/domain/money/micro-yen.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { addMonths, firstDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Fraction, HISTORY_MONTHS, type OwnPosition, ownPosition } from '@pc/domain/report/own-history.ts'
import { thisMonth, today } from '@pc/platform/clock.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { addUp, dayFacts, sumOfColumns } from '../../core/server/figure-sums.ts'
import { type EntityFilter, readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { COUNT_COLUMNS, periodSums } from '../../core/server/summary-sql.ts'

export const HISTORY_FIGURES = ['rpm', 'ctr', 'dailyRevenue', 'dailyImpressions'] as const
export type HistoryFigure = (typeof HISTORY_FIGURES)[number]

export interface FigureHistory {
  readonly figure: HistoryFigure
  readonly now: Fraction
  readonly standing: OwnPosition
}
export interface OwnHistory {
  readonly month: YearMonth
  /** Days of the running month that have data. */
  readonly knownDays: number
  /** Only the figures with enough earlier months to compare. */
  readonly figures: readonly FigureHistory[]
}

/**
 * The running month compared with the twelve months before it, from the viewer's own rows only.
 * Tested by `features/reports/fairness/server/fee-fairness.test.ts`.
 */
export async function readOwnHistory(
  { stats, database, clock }: ReportSources,
  filter: EntityFilter,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
  signal?: AbortSignal,
): Promise<OwnHistory> {
  const month = thisMonth(clock)
  const first = firstDayOf(addMonths(month, -HISTORY_MONTHS))
  const range = { from: first < EARLIEST_DAY ? EARLIEST_DAY : first, to: addDays(today(clock), -1) }
  const reportScope = await readReportScope(database.reader(scope), scope, filter)
  const statement = periodSums({ range, scope: reportScope, granularity: 'monthly' }, COUNT_COLUMNS, new Map())
  const rows = reportScope.entries.length === 0 ? [] : await stats.query(statement, signal ? { signal } : {})
  const current = rows.find(row => row.bucket === firstDayOf(month))
  const before = rows.filter(row => (row.bucket as Day) < firstDayOf(month))
  return {
    month,
    knownDays: current ? dayFacts([current]).daysWithData : 0,
    figures: HISTORY_FIGURES.flatMap(figure => {
      const now = current && fractionOf(figure, current)
      const standing =
        now &&
        ownPosition(
          now,
          before.map(row => fractionOf(figure, row)),
        )
      return standing ? [{ figure, now, standing }] : []
    }),
  }
}

function fractionOf(figure: HistoryFigure, row: Row): Fraction {
  const sums = addUp([row], COUNT_COLUMNS)
  const impressions = sumOfColumns(sums, 'article_impression', 'video_impression', 'live_impression')
  const days = BigInt(dayFacts([row]).daysWithData)
  const microYen = sumOfColumns(sums, 'publisher_revenue_micro_yen')
  switch (figure) {
    case 'rpm':
      return { numerator: microYen, denominator: impressions * 1000n }
    case 'ctr':
      return { numerator: sumOfColumns(sums, 'article_click', 'video_click', 'live_click'), denominator: impressions }
    case 'dailyRevenue':
      return { numerator: microYen, denominator: days * MICRO_YEN_PER_YEN }
    case 'dailyImpressions':
      return { numerator: impressions, denominator: days }
  }
}
