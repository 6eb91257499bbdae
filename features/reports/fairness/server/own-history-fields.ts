import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import type { Fraction } from '@pc/domain/report/own-history.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { entityInputFields, readEntityFilter } from '../../core/server/entity-argument.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type FigureHistory, HISTORY_FIGURES, type OwnHistory, readOwnHistory } from './own-history-report.ts'

/** The query `ownHistory`: the running month compared with the same publishers' earlier months. */
export function addOwnHistoryFields(graph: Graph, sources: ReportSources): void {
  const History = historyType(graph)
  const OwnHistoryParam = graph.inputType('OwnHistoryParam', {
    fields: entityInputFields,
  })
  graph.queryField('ownHistory', t =>
    field(t, {
      type: History,
      args: { param: t.arg({ type: OwnHistoryParam }) },
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve: (_parent, { param }, context, permit) =>
        readOwnHistory(sources, readEntityFilter(param), permit, context.signal),
    }),
  )
}

function historyType(graph: Graph) {
  const Figure = graph.enumType('HistoryFigure', {
    values: HISTORY_FIGURES,
    description: 'Yen per 1,000 impressions, clicks per impression, yen and impressions per day with data.',
  })
  const value = ({ numerator, denominator }: Fraction) => Number(numerator) / Number(denominator)
  const Standing = graph.objectRef<FigureHistory>('FigureHistory').implement({
    on: 'inherits',
    fields: t => ({
      figure: t.expose('figure', { type: Figure }),
      now: t.float({ resolve: row => value(row.now) }),
      lowest: t.float({ resolve: row => value(row.standing.lowest) }),
      median: t.float({ resolve: row => value(row.standing.median) }),
      highest: t.float({ resolve: row => value(row.standing.highest) }),
      months: t.int({ description: 'Earlier months that are known.', resolve: row => row.standing.months }),
      exceeded: t.int({ description: 'Those that this month exceeds.', resolve: row => row.standing.exceeded }),
      percentile: t.int({ description: 'Equal months count half.', resolve: row => row.standing.percentile }),
    }),
  })
  return graph.objectRef<OwnHistory>('OwnHistory').implement({
    on: 'insight:summary_stats.',
    description: 'The running month among the twelve before it, of the rows of the viewer and the filter alone.',
    fields: t => ({
      month: t.string({ resolve: history => formatYearMonth(history.month) }),
      knownDays: t.exposeInt('knownDays', { description: 'Days of the running month that have data.' }),
      figures: t.field({
        type: [Standing],
        description: 'Those of which at least three earlier months are known.',
        resolve: history => [...history.figures],
      }),
    }),
  })
}
