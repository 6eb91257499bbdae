import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import { filterInputFields } from '../../core/server/entity-argument.ts'
import type { ComparedSums } from '../../core/server/figure-sums.ts'
import { lateMediaField } from '../../core/server/late-medium-type.ts'
import { publisherFigureFields, requestedSummaryColumns } from '../../core/server/publisher-figure-fields.ts'
import type { ReportTypes } from '../../core/server/report-graph.ts'
import { COMMON_ORDERS, orderNames, splitOrder } from '../../core/server/report-order.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { readSummary, type SummaryFigures, type SummaryReport } from './summary-report.ts'
import { parseSummaryRequest } from './summary-request.ts'

export function addSummaryFields(graph: Graph, sources: ReportSources, types: ReportTypes): void {
  const { Granularity, Comparison } = types.enums
  const SummaryStatsParam = graph.inputType('SummaryStatsParam', {
    fields: t => ({
      from: t.field({ type: 'Date', required: true }),
      to: t.field({ type: 'Date', required: true }),
      granularity: t.field({ type: Granularity, required: true, defaultValue: 'daily' }),
      compareWith: t.field({ type: Comparison }),
      ...filterInputFields(t, 'dashboard'),
    }),
  })
  const SummaryStatsOrderBy = graph.enumType('SummaryStatsOrderBy', {
    values: orderNames([...COMMON_ORDERS, 'DATE']),
    description: 'A period has neither an id nor a moment: by ID, CREATEDAT and UPDATEDAT, the order is that by date.',
  })
  const SummaryStatsList = summaryListType(graph, types)
  graph.queryField('summaryStats', t =>
    field(t, {
      type: SummaryStatsList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: SummaryStatsOrderBy, description: 'Default: DATE_ASC.' }),
        param: t.arg({ type: SummaryStatsParam, required: true }),
      },
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve(_parent, args, context, permit, info) {
        const wanted = { followers: asksFor(info, 'follower'), columns: requestedSummaryColumns(info) }
        const { isDescending } = splitOrder(args.orderBy ?? 'DATE_ASC')
        const request = { ...acceptedValue(parseSummaryRequest(args)), wanted, isDescending }
        return readSummary(sources, request, permit, context.signal)
      },
    }),
  )
}

function summaryListType(graph: Graph, types: ReportTypes) {
  const SummaryStats = summaryType(graph, types)
  return graph.objectRef<SummaryReport>('SummaryStatsList').implement({
    on: 'insight:summary_stats.',
    fields: t => ({
      total: t.exposeInt('total', { description: 'Number of periods that have data.' }),
      nodes: t.expose('nodes', {
        type: [SummaryStats],
        description: 'One per period that has data; limit and offset count periods.',
      }),
      totals: t.expose('totals', {
        type: SummaryStats,
        nullable: true,
        description: 'Over the whole filter, independent of limit and offset; null when there is no data.',
      }),
      dataUntil: t.expose('dataUntil', {
        type: 'Date',
        nullable: true,
        description: "Last day for which any data of the filter's media has arrived; null before the first import.",
      }),
      articleDataUntil: t.field({
        type: 'Date',
        nullable: true,
        description: 'The same of the statistics by article.',
        resolve: report => report.articleDataUntil(),
      }),
      videoDataUntil: t.field({
        type: 'Date',
        nullable: true,
        description: 'The same of the statistics by video.',
        resolve: report => report.videoDataUntil(),
      }),
      lateMedia: lateMediaField(t, types.LateMedium),
    }),
  })
}

function summaryType(graph: Graph, { RevenueDetail, ClickDemographic }: ReportTypes) {
  const on = 'insight:summary_stats.' as const
  const Compared = graph.objectRef<ComparedSums>('ComparedSummaryStats').implement({
    on,
    fields: t => ({
      from: t.expose('from', { type: 'Date' }),
      to: t.expose('to', { type: 'Date' }),
      ...publisherFigureFields(t, RevenueDetail),
    }),
  })
  return graph.objectRef<SummaryFigures>('SummaryStats').implement({
    on,
    description:
      'The figures of one period (day, Sunday week or month). A count is null when no source delivered it, which is not zero.\n' +
      'Money is yen, rounded down once per value from micro-yen.',
    fields: t => ({
      date: t.expose('date', {
        type: 'Date',
        description: 'First day of the period (for the totals: of the filter).',
      }),
      days: t.exposeInt('days', { description: 'Days of the period that lie inside the filter.' }),
      daysWithData: t.exposeInt('daysWithData', { description: 'Days among them that have data.' }),
      isComplete: t.exposeBoolean('isComplete', {
        description: 'False while the period still runs (its last day is not over in Asia/Tokyo).',
      }),
      hasBeenFinalized: t.exposeBoolean('hasBeenFinalized', {
        description: 'True when every day with data belongs to a finalised month of its medium.',
      }),
      organizationId: t.expose('organizationId', {
        type: 'ID',
        nullable: true,
        description: 'Set when the filter names exactly one.',
      }),
      publisherId: t.expose('publisherId', { type: 'ID', nullable: true }),
      mediumId: t.expose('mediumId', { type: 'ID', nullable: true }),
      follower: t.expose('follower', {
        type: 'Long',
        nullable: true,
        description: 'Sum over publishers and media of the last number of followers known in the period.',
      }),
      ...publisherFigureFields(t, RevenueDetail),
      compared: t.expose('compared', {
        type: Compared,
        nullable: true,
        description:
          'Of a period that has only begun to arrive, as many days; of each medium, the days that it has delivered. Null when nothing is compared, or those days are not known.',
      }),
      clickDemographics: t.field({
        type: [ClickDemographic],
        description: 'Clicks by gender and age, ids from 1 (0 is unknown).',
        resolve: async figures => [...(await figures.clickDemographics())],
      }),
    }),
  })
}
