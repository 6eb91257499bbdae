import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import type { DemographicRef } from './click-demographic.ts'
import { type ContentRevenueRef, contentParamFields, contentRowFields, sharedFigureFields } from './content-fields.ts'
import { ARTICLES } from './content-kind.ts'
import { type ComparedFigures, type ContentFigures, type ContentReport, readContent } from './content-report.ts'
import { contentOrderNames, parseContentRequest } from './content-request.ts'
import type { ReportEnums } from './report-enums.ts'
import { orderNames } from './report-order.ts'
import type { ReportSources } from './report-sources.ts'

interface Types {
  readonly enums: ReportEnums
  readonly ContentRevenueDetail: ContentRevenueRef
  readonly ClickDemographic: DemographicRef
}

export function addArticleFields(graph: Graph, sources: ReportSources, types: Types): void {
  const ArticleStatsList = articleListType(graph, types)
  const ArticleStatsOrderBy = graph.enumType('ArticleStatsOrderBy', {
    values: orderNames(contentOrderNames(ARTICLES)),
    description: 'DATE is for groupBy date, ID for groupBy article.',
  })
  const ArticleStatsGroupBy = graph.enumType('ArticleStatsGroupBy', { values: ['article', 'date'] as const })
  const ArticleStatsParam = graph.inputType('ArticleStatsParam', {
    fields: t => ({
      ...contentParamFields(t, types.enums),
      groupBy: t.field({ type: ArticleStatsGroupBy, required: true, defaultValue: 'article' }),
      articleIds: t.idList(),
      feedIds: t.idList(),
    }),
  })
  graph.queryField('articleStats', t =>
    field(t, {
      type: ArticleStatsList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        orderBy: t.arg({ type: ArticleStatsOrderBy, description: 'Default: IMPRESSION_DESC, by date DATE_ASC.' }),
        param: t.arg({ type: ArticleStatsParam, required: true }),
      },
      allow: 'read:list',
      on: 'insight:article_stats.',
      resolve(_parent, { limit, offset, orderBy, param }, context, permit) {
        const groupBy = param.groupBy === 'date' ? 'date' : 'item'
        const request = parseContentRequest(ARTICLES, {
          limit,
          offset,
          orderBy,
          param: { ...param, groupBy, itemIds: param.articleIds },
        })
        return readContent(sources, acceptedValue(request), permit, context.signal)
      },
    }),
  )
}

function articleListType(graph: Graph, { ContentRevenueDetail, ClickDemographic }: Types) {
  const on = 'insight:article_stats.' as const
  const Compared = graph.objectRef<ComparedFigures>('ComparedArticleStats').implement({
    on,
    fields: t => ({
      from: t.expose('from', { type: 'Date' }),
      to: t.expose('to', { type: 'Date' }),
      ...sharedFigureFields(t, ContentRevenueDetail),
    }),
  })
  const ArticleStats = graph.objectRef<ContentFigures>('ArticleStats').implement({
    on,
    description: 'The figures of one article (groupBy article) or of one day, Sunday week or month (groupBy date).',
    fields: t => ({
      articleId: t.expose('itemId', {
        type: 'ID',
        nullable: true,
        description: 'By date: set when the filter names exactly one.',
      }),
      ...contentRowFields(t),
      ...sharedFigureFields(t, ContentRevenueDetail),
      compared: t.expose('compared', { type: Compared, nullable: true }),
      demographics: t.field({
        type: [ClickDemographic],
        description: 'Clicks by gender and age, ids from 1 (0 is unknown).',
        resolve: async row => [...(await row.demographics())],
      }),
    }),
  })
  return graph.objectRef<ContentReport>('ArticleStatsList').implement({
    on,
    fields: t => ({
      total: t.exposeInt('total', { description: 'Number of articles, or of periods, that have data.' }),
      nodes: t.expose('nodes', { type: [ArticleStats] }),
      totals: t.expose('totals', {
        type: ArticleStats,
        nullable: true,
        description: 'Over the whole filter, independent of limit and offset; null when there is no data.',
      }),
      dataUntil: t.expose('dataUntil', { type: 'Date', nullable: true }),
    }),
  })
}
