import { ARTICLE_LABEL_KINDS } from '@pc/domain/report/article-label.ts'
import { averageEngagedTime, completionRate } from '@pc/domain/report/metric.ts'
import { field, type Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import { ARTICLES, COMPLETION, ENGAGED_TIME } from '../../core/server/content-kind.ts'
import type { ComparedSums } from '../../core/server/figure-sums.ts'
import { type ArticleLabelName, readLabelsOf, readLabelsOfArticle } from '../../core/server/label-names.ts'
import { lateMediaField } from '../../core/server/late-medium-type.ts'
import { completionsOf, engagedSeconds } from '../../core/server/reading-figures.ts'
import { orderNames } from '../../core/server/report-order.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import {
  CONTENT_ORDERS,
  type ContentTypes,
  contentParamFields,
  contentRowFields,
  type HasSums,
  REPORTED_CONTENT,
  reportedContentType,
  sharedFigureFields,
  sumOf,
  wantedOf,
} from './content-fields.ts'
import type { ContentFigures } from './content-figures.ts'
import { type ContentReport, readContent } from './content-report.ts'
import { contentOrderNames, parseContentRequest } from './content-request.ts'
import { withKinds } from './earlier-labels.ts'
import { type ArticleLabelRef, addLabelFields } from './label-fields.ts'

export function addArticleFields(graph: Graph, sources: ReportSources, types: ContentTypes): void {
  const ArticleLabel = addLabelFields(graph, sources)
  const ArticleStatsList = articleListType(graph, types, ArticleLabel)
  const ArticleStatsOrderBy = graph.enumType('ArticleStatsOrderBy', {
    values: orderNames(contentOrderNames(ARTICLES)),
    description: CONTENT_ORDERS,
  })
  const ArticleStatsGroupBy = graph.enumType('ArticleStatsGroupBy', {
    values: ['article', 'date', ...ARTICLE_LABEL_KINDS] as const,
    description:
      'By author, section and tag: one row for each that articles carry, and one (label id 0) for those without.',
  })
  const ArticleStatsParam = graph.inputType('ArticleStatsParam', {
    fields: t => ({
      ...contentParamFields(t, types.enums, 'articles'),
      groupBy: t.field({ type: ArticleStatsGroupBy, required: true, defaultValue: 'article' }),
      articleIds: t.idList(),
      feedIds: t.idList(),
      labelIds: t.idList(),
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
      async resolve(_parent, { limit, offset, orderBy, param }, context, permit, info) {
        const groupBy = param.groupBy === 'article' ? 'item' : param.groupBy
        const reader = sources.database.reader(permit.scope)
        const request = parseContentRequest(ARTICLES, {
          limit,
          offset,
          orderBy,
          param: { ...acceptedValue(await withKinds(reader, param)), groupBy, itemIds: param.articleIds },
        })
        const accepted = { ...acceptedValue(request), ...wantedOf(info) }
        const [onlyArticle] = accepted.itemIds?.length === 1 ? accepted.itemIds : []
        const report = await readContent(sources, accepted, permit, context.signal)
        return {
          ...report,
          filterLabels: async () => [...(await readLabelsOf(reader, accepted.filter.labels)).values()],
          articleLabels: () => (onlyArticle === undefined ? [] : readLabelsOfArticle(reader, onlyArticle)),
        }
      },
    }),
  )
}

interface ArticleReport extends ContentReport {
  filterLabels(): Promise<readonly ArticleLabelName[]>
  articleLabels(): readonly ArticleLabelName[] | Promise<readonly ArticleLabelName[]>
}

/** Figures of articles. Those of reading are null where no watch was delivered with them, which is not 0. */
function articleFigureFields<Row extends HasSums>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  ContentRevenueDetail: ContentTypes['ContentRevenueDetail'],
) {
  return {
    ...sharedFigureFields(t, ContentRevenueDetail),
    engagedTime: t.field({
      type: 'Long',
      nullable: true,
      description: 'Seconds of reading, rounded down once per value; null where no watch was delivered with it.',
      resolve: row => engagedSeconds(row.sums),
    }),
    averageEngagedTime: t.float({
      nullable: true,
      description: 'Seconds of reading per watch, of the watches whose time was delivered; null without any.',
      resolve: row => averageEngagedTime(sumOf(row, ENGAGED_TIME.sum), sumOf(row, ENGAGED_TIME.watches)),
    }),
    completions: t.field({
      type: 'Long',
      nullable: true,
      description: 'Watches that reached the end of the article; null where none was delivered with it.',
      resolve: row => completionsOf(row.sums),
    }),
    completionRate: t.float({
      nullable: true,
      description: 'Completions per watch, of the watches of which that was delivered; null without any.',
      resolve: row => completionRate(sumOf(row, COMPLETION.sum), sumOf(row, COMPLETION.watches)),
    }),
  }
}

function articleListType(
  graph: Graph,
  { ContentRevenueDetail, ClickDemographic, LateMedium }: ContentTypes,
  ArticleLabel: ArticleLabelRef,
) {
  const on = 'insight:article_stats.' as const
  const Compared = graph.objectRef<ComparedSums>('ComparedArticleStats').implement({
    on,
    fields: t => ({
      from: t.expose('from', { type: 'Date' }),
      to: t.expose('to', { type: 'Date' }),
      ...articleFigureFields(t, ContentRevenueDetail),
    }),
  })
  const ArticleStats = graph.objectRef<ContentFigures>('ArticleStats').implement({
    on,
    description:
      'The figures of one article (groupBy article), of one day, Sunday week or month (groupBy date), or of one author, section or tag.',
    fields: t => ({
      articleId: t.expose('itemId', {
        type: 'ID',
        nullable: true,
        description: 'By date: set when the filter names exactly one.',
      }),
      ...contentRowFields(t),
      ...articleFigureFields(t, ContentRevenueDetail),
      compared: t.expose('compared', { type: Compared, nullable: true }),
      label: t.field({
        type: ArticleLabel,
        nullable: true,
        description: 'By author, section and tag: the one that the row is about.',
        resolve: row => row.labelled?.label ?? null,
      }),
      articles: t.field({
        type: 'Long',
        nullable: true,
        description: 'By author, section and tag: the number of its articles that have data.',
        resolve: row => row.labelled?.articles ?? null,
      }),
      demographics: t.field({
        type: [ClickDemographic],
        description: 'Clicks by gender and age, ids from 1 (0 is unknown). Empty by author, section and tag.',
        resolve: async row => [...(await row.demographics())],
      }),
    }),
  })
  const ReportedArticle = reportedContentType(graph, 'ReportedArticle', on)
  return graph.objectRef<ArticleReport>('ArticleStatsList').implement({
    on,
    fields: t => ({
      total: t.exposeInt('total', {
        description: 'Number of articles, periods, authors, sections or tags that have data.',
      }),
      nodes: t.expose('nodes', { type: [ArticleStats] }),
      totals: t.expose('totals', {
        type: ArticleStats,
        nullable: true,
        description: 'Over the whole filter, independent of limit and offset; null when there is no data.',
      }),
      dataUntil: t.expose('dataUntil', { type: 'Date', nullable: true }),
      lateMedia: lateMediaField(t, LateMedium),
      content: t.expose('content', { type: ReportedArticle, nullable: true, description: REPORTED_CONTENT }),
      filterLabels: t.field({
        type: [ArticleLabel],
        description: 'Those of authorIds, sectionIds and tagIds that the viewer may see.',
        resolve: async report => [...(await report.filterLabels())],
      }),
      articleLabels: t.field({
        type: [ArticleLabel],
        description:
          'Where articleIds names one article: its authors, its section and its tags, as they were delivered.',
        resolve: async report => [...(await report.articleLabels())],
      }),
    }),
  })
}
