import type { Permit } from '@pc/domain/access/decide.ts'
import { EARLIEST_DAY } from '@pc/domain/condition/default-range.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { firstDayOf, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { completeDays } from '@pc/domain/report/complete-days.ts'
import { FORECAST_HISTORY_DAYS, forecastMonth, type MonthForecast } from '@pc/domain/report/month-forecast.ts'
import { daysOf } from '@pc/domain/report/period.ts'
import { thisMonth, today } from '@pc/platform/clock.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { deliveredDays } from '../../core/server/arrival.ts'
import { type EntityFilter, readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { COUNT_COLUMNS, daySums } from '../../core/server/summary-sql.ts'

export interface MonthForecastReport {
  readonly month: YearMonth
  readonly days: number
  /** Days of the month whose data is complete. */
  readonly knownDays: number
  /** The last complete day, possibly in an earlier month; null when there is none. */
  readonly dataUntil: Day | null
  /** The forecast of a sum of columns; null when too few days are known. */
  forecast(...columns: readonly (typeof COUNT_COLUMNS)[number][]): MonthForecast | null
}

/** The running month within the filter, from the same rows as the dashboard. */
export async function readMonthForecast(
  { stats, database, clock }: ReportSources,
  filter: EntityFilter,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
  signal?: AbortSignal,
): Promise<MonthForecastReport> {
  const options = signal ? { signal } : {}
  const month = thisMonth(clock)
  const [first, last] = [firstDayOf(month), lastDayOf(month)]
  const history = addDays(first, -FORECAST_HISTORY_DAYS)
  const range = { from: history < EARLIEST_DAY ? EARLIEST_DAY : history, to: addDays(today(clock), -1) }
  const reportScope = await readReportScope(database.reader(scope), scope, filter)
  const { rows, delivered } =
    reportScope.entries.length === 0
      ? { rows: [], delivered: [] }
      : await stats.snapshot(async run => ({
          rows: await run(daySums({ range, scope: reportScope }, COUNT_COLUMNS), options),
          delivered: await run(deliveredDays(range, reportScope.mediumIds), options),
        }))
  const byMedium = Map.groupBy(delivered, row => row.medium_id)
  const complete = [
    ...completeDays([...byMedium.values()].map(each => new Set(each.map(row => row.date as Day)))),
  ].sort()
  return {
    month,
    days: daysOf({ from: first, to: last }),
    knownDays: complete.filter(day => day >= first).length,
    dataUntil: complete.at(-1) ?? null,
    forecast: (...summed) => forecastMonth(month, knownValues(complete, rows, summed)) ?? null,
  }
}

/** Values by day. From the first row on, a complete day without a row counts as 0; days before it are unknown. */
function knownValues(complete: readonly Day[], rows: readonly Row[], columns: readonly string[]) {
  const sums = new Map(
    rows.map(row => [row.bucket as Day, columns.reduce((sum, column) => sum + (row[`sum_${column}`] as bigint), 0n)]),
  )
  const [begin] = sums.keys()
  return new Map(begin === undefined ? [] : complete.filter(day => day >= begin).map(day => [day, sums.get(day) ?? 0n]))
}
