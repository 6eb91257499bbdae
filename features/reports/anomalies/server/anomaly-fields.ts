import { CHANGE_DIRECTIONS, WATCHED_FIGURES } from '@pc/domain/report/anomaly.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readPage } from '@pc/platform/graphql/list-arguments.ts'
import { entityInputFields, readEntityFilter } from '../../core/server/entity-argument.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type Anomaly, type AnomalyList, readAnomalies } from './anomalies.ts'

/** The query `suddenChanges`: figures that now differ much from their usual value. */
export function addAnomalyFields(graph: Graph, { database }: ReportSources): void {
  const List = listType(graph)
  const SuddenChangesParam = graph.inputType('SuddenChangesParam', {
    fields: entityInputFields,
  })
  graph.queryField('suddenChanges', t =>
    field(t, {
      type: List,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: SuddenChangesParam }),
      },
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve: (_parent, args, _context, permit) =>
        readAnomalies(database, readEntityFilter(args.param), readPage(args), permit),
    }),
  )
}

function listType(graph: Graph) {
  const on = 'insight:summary_stats.' as const
  const Figure = graph.enumType('WatchedFigure', { values: WATCHED_FIGURES })
  const Direction = graph.enumType('ChangeDirection', { values: CHANGE_DIRECTIONS })
  const shown = ({ figure }: Anomaly, amount: bigint) => (figure === 'revenue' ? shownYen(amount) : amount)
  const Change = graph.objectRef<Anomaly>('SuddenChange').implement({
    on,
    description: "A publisher's figure on a medium that differs much from the same weekday of the eight weeks before.",
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName'),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      mediumName: t.exposeString('mediumName'),
      figure: t.expose('figure', { type: Figure }),
      direction: t.expose('direction', { type: Direction }),
      beganOn: t.expose('beganOn', { type: 'Date' }),
      lastOn: t.expose('lastOn', { type: 'Date', description: 'The last day that was looked at.' }),
      value: t.field({
        type: 'Long',
        description: 'Of the last day; revenue in yen.',
        resolve: row => shown(row, row.value),
      }),
      usual: t.field({
        type: 'Long',
        description: 'The median of the same weekday.',
        resolve: row => shown(row, row.usual),
      }),
    }),
  })
  return graph.objectRef<AnomalyList>('SuddenChangeList').implement({
    on,
    fields: t => ({
      total: t.exposeInt('total'),
      nodes: t.expose('nodes', { type: [Change], description: 'The newest first.' }),
    }),
  })
}
