import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { MonthForecast } from '@pc/domain/report/month-forecast.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { entityInputFields, readEntityFilter } from '../../core/server/entity-argument.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type MonthForecastReport, readMonthForecast } from './month-forecast-report.ts'

/** The query `monthForecast`: the expected figures of the running month. */
export function addMonthForecastFields(graph: Graph, sources: ReportSources): void {
  const Forecast = forecastType(graph)
  const MonthForecastParam = graph.inputType('MonthForecastParam', {
    fields: entityInputFields,
  })
  graph.queryField('monthForecast', t =>
    field(t, {
      type: Forecast,
      args: { param: t.arg({ type: MonthForecastParam }) },
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve: (_parent, { param }, context, permit) =>
        readMonthForecast(sources, readEntityFilter(param), permit, context.signal),
    }),
  )
}

function forecastType(graph: Graph) {
  const on = 'insight:summary_stats.' as const
  const Figure = graph.objectRef<MonthForecast>('ForecastFigure').implement({
    on: 'inherits',
    description: 'An estimate of a total at the end of the month. Never the basis of a payment.',
    fields: t => ({
      soFar: t.expose('soFar', { type: 'Long', description: 'The sum of the complete days of the month.' }),
      expected: t.expose('expected', { type: 'Long' }),
      low: t.expose('low', { type: 'Long', description: 'Four of five trials of the past lay between low and high.' }),
      high: t.expose('high', { type: 'Long' }),
    }),
  })
  return graph.objectRef<MonthForecastReport>('MonthForecast').implement({
    on,
    description: 'The running month, estimated from its complete days and the pattern of the last weeks.',
    fields: t => {
      const described = { type: Figure, nullable: true, description: 'Null when too few days are known.' } as const
      return {
        month: t.string({ resolve: report => formatYearMonth(report.month) }),
        days: t.exposeInt('days'),
        knownDays: t.exposeInt('knownDays', { description: 'Days of the month that every medium has delivered.' }),
        dataUntil: t.expose('dataUntil', {
          type: 'Date',
          nullable: true,
          description: 'The last day that every medium has delivered.',
        }),
        publisherTotalRevenue: t.field({
          ...described,
          resolve: report => inYen(report.forecast('publisher_revenue_micro_yen')),
        }),
        impressions: t.field({
          ...described,
          resolve: report => report.forecast('article_impression', 'video_impression', 'live_impression'),
        }),
        clicks: t.field({
          ...described,
          resolve: report => report.forecast('article_click', 'video_click', 'live_click'),
        }),
        watchCount: t.field({
          ...described,
          resolve: report => report.forecast('article_watch', 'video_watch', 'live_watch'),
        }),
      }
    },
  })
}

/** Converts micro-yen to yen; each amount is rounded down once, apart from the others. */
function inYen(forecast: MonthForecast | null): MonthForecast | null {
  return (
    forecast && {
      soFar: shownYen(forecast.soFar),
      expected: shownYen(forecast.expected),
      low: shownYen(forecast.low),
      high: shownYen(forecast.high),
    }
  )
}
