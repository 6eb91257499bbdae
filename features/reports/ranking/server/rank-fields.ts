import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import { asksFor } from '@pc/platform/graphql/requested-fields.ts'
import { filterInputFields } from '../../core/server/entity-argument.ts'
import type { ComparedSums } from '../../core/server/figure-sums.ts'
import { articlesOnlyField, demandLabels } from '../../core/server/label-right.ts'
import { lateMediaField } from '../../core/server/late-medium-type.ts'
import { publisherFigureFields } from '../../core/server/publisher-figure-fields.ts'
import { parseReportArguments } from '../../core/server/report-arguments.ts'
import { changeInputFields } from '../../core/server/report-enums.ts'
import type { ReportTypes } from '../../core/server/report-graph.ts'
import { COMMON_ORDERS, type CommonOrder, orderNames, splitOrder } from '../../core/server/report-order.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { type PublisherRank, type RankReport, type RankTotals, readRanking } from './rank-report.ts'
import { RANK_FIGURES, type RankFigure } from './rank-sql.ts'

export function addRankFields(graph: Graph, sources: ReportSources, types: ReportTypes): void {
  const PublisherRankList = rankListType(graph, types)
  const PublisherRankOrderBy = graph.enumType('PublisherRankOrderBy', {
    values: orderNames([...COMMON_ORDERS, ...(Object.keys(RANK_FIGURES) as RankFigure[])]),
    description:
      'The figure that publishers are ranked by. The greatest has rank 1 in either direction. By ID, CREATEDAT and ' +
      'UPDATEDAT, those of the publisher, the rank is that by impressions.',
  })
  const PublisherRankParam = graph.inputType('PublisherRankParam', {
    fields: t => ({
      from: t.field({ type: 'Date', required: true }),
      to: t.field({ type: 'Date', required: true }),
      compareWith: t.field({ type: types.enums.Comparison, required: true, defaultValue: 'previous_period' }),
      ...filterInputFields(t, 'ranking'),
      ...changeInputFields(t, types.enums),
    }),
  })
  graph.queryField('publisherRank', t =>
    field(t, {
      type: PublisherRankList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: PublisherRankOrderBy, description: 'Default: IMPRESSION_DESC.' }),
        param: t.arg({ type: PublisherRankParam, required: true }),
      },
      allow: 'read:list',
      on: 'insight:publisher_rank.',
      resolve(_parent, args, context, permit, info) {
        const order = splitOrder<RankFigure | CommonOrder['by']>(args.orderBy ?? 'IMPRESSION_DESC')
        const wanted = {
          ...{ compared: asksFor(info, 'compared'), revenueDetail: asksFor(info, 'revenueDetail') },
          medium: asksFor(info, 'mediumId'),
        }
        const request = { ...acceptedValue(parseReportArguments(args)), order, wanted }
        demandLabels(request.filter, context)
        return readRanking(sources, request, permit, context.signal)
      },
    }),
  )
}

function rankListType(graph: Graph, { RevenueDetail, LateMedium }: ReportTypes) {
  const on = 'insight:publisher_rank.' as const
  const Compared = graph.objectRef<ComparedSums>('ComparedPublisherRank').implement({
    on,
    fields: t => ({
      from: t.expose('from', { type: 'Date' }),
      to: t.expose('to', { type: 'Date' }),
      ...publisherFigureFields(t, RevenueDetail),
    }),
  })
  const Rank = graph.objectRef<PublisherRank>('PublisherRank').implement({
    on,
    fields: t => ({
      publisherId: t.expose('publisherId', { type: 'ID' }),
      publisherName: t.exposeString('publisherName', { nullable: true }),
      mediumId: t.expose('mediumId', {
        type: 'ID',
        nullable: true,
        description: 'Set when the rows of the publisher are all of one medium.',
      }),
      rank: t.exposeInt('rank', {
        description:
          'From 1; publishers with the same figure have the same rank. By change, what has no data comes behind all that have.',
      }),
      previousRank: t.exposeInt('previousRank', {
        nullable: true,
        description: 'Rank in the compared days; null when the publisher had no data there.',
      }),
      rankChange: t.int({
        nullable: true,
        description: 'Places won since the compared days (negative: lost).',
        resolve: row => (row.previousRank === null ? null : row.previousRank - row.rank),
      }),
      ...publisherFigureFields(t, RevenueDetail),
      compared: t.expose('compared', { type: Compared, nullable: true }),
    }),
  })
  const Totals = graph.objectRef<RankTotals>('PublisherRankTotals').implement({
    on,
    description: 'Over the whole filter, independent of limit and offset.',
    fields: t => ({
      ...publisherFigureFields(t, RevenueDetail),
      compared: t.expose('compared', { type: Compared, nullable: true }),
    }),
  })
  return graph.objectRef<RankReport>('PublisherRankList').implement({
    on,
    fields: t => ({
      total: t.exposeInt('total', { description: 'Number of publishers that have data.' }),
      nodes: t.expose('nodes', { type: [Rank] }),
      totals: t.expose('totals', { type: Totals, nullable: true }),
      dataUntil: t.expose('dataUntil', { type: 'Date', nullable: true }),
      lateMedia: lateMediaField(t, LateMedium),
      isOfArticlesOnly: articlesOnlyField(t),
    }),
  })
}
