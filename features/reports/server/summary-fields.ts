import { GRANULARITIES } from '@pc/domain/report/granularity.ts'
import { clickThroughRate } from '@pc/domain/report/metric.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { acceptedValue } from '@pc/platform/graphql/refusal-error.ts'
import {
  type ClickDemographic,
  type ReportSources,
  readSummary,
  type SummaryFigures,
  type SummaryReport,
} from './summary-report.ts'
import { parseSummaryRequest } from './summary-request.ts'
import { SOURCE_REVENUE_COLUMNS, type SummaryColumn } from './summary-statements.ts'

export function addSummaryFields(graph: Graph, sources: ReportSources): void {
  const Granularity = graph.enumType('Granularity', { values: GRANULARITIES })
  const SummaryStatsParam = graph.inputType('SummaryStatsParam', {
    fields: t => ({
      from: t.field({ type: 'Date', required: true }),
      to: t.field({ type: 'Date', required: true }),
      granularity: t.field({ type: Granularity, required: true, defaultValue: 'daily' }),
      mediumIds: t.idList(),
      organizationIds: t.idList(),
      publisherIds: t.idList(),
    }),
  })
  const SummaryStatsList = summaryListType(graph)
  graph.queryField('summaryStats', t =>
    field(t, {
      type: SummaryStatsList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        param: t.arg({ type: SummaryStatsParam, required: true }),
      },
      allow: 'read:list',
      on: 'insight:summary_stats.',
      resolve: (_parent, args, context, permit) =>
        readSummary(sources, acceptedValue(parseSummaryRequest(args)), permit, context.signal),
    }),
  )
}

function summaryListType(graph: Graph) {
  const SummaryStats = summaryType(graph)
  return graph.objectRef<SummaryReport>('SummaryStatsList').implement({
    on: 'insight:summary_stats.',
    fields: t => ({
      total: t.exposeInt('total', { description: 'Number of periods that have data.' }),
      nodes: t.expose('nodes', {
        type: [SummaryStats],
        description: 'One per period that has data, ascending; limit and offset count periods.',
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
    }),
  })
}

/** A sum that the report always reads; the source revenues only where the viewer may be staff. */
function sumOf(figures: SummaryFigures, ...columns: readonly SummaryColumn[]): bigint {
  return columns.reduce((sum, column) => {
    const value = figures.sums[column]
    if (value === undefined) throw new Error(`${column} was not read`)
    return sum + value
  }, 0n)
}
const impressionsOf = (figures: SummaryFigures) =>
  sumOf(figures, 'article_impression', 'video_impression', 'live_impression')
const clicksOf = (figures: SummaryFigures) => sumOf(figures, 'article_click', 'video_click', 'live_click')
const publisherRevenueOf = (figures: SummaryFigures) => shownYen(sumOf(figures, 'publisher_revenue_micro_yen'))

function summaryType(graph: Graph) {
  const RevenueDetail = revenueDetailType(graph)
  const Demographic = demographicType(graph)
  return graph.objectRef<SummaryFigures>('SummaryStats').implement({
    on: 'insight:summary_stats.',
    description:
      'The figures of one period (day, Sunday week or month). A count is null when no source delivered it, which is not zero.\n' +
      'Money is yen, rounded down once per value from micro-yen.',
    fields: t => {
      const long = (...columns: readonly SummaryColumn[]) =>
        t.field({ type: 'Long', resolve: figures => sumOf(figures, ...columns) })
      return {
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
        impressions: t.field({ type: 'Long', resolve: impressionsOf }),
        clicks: t.field({ type: 'Long', resolve: clicksOf }),
        ctr: t.float({
          nullable: true,
          description: 'Clicks per impression; null without impressions.',
          resolve: figures => clickThroughRate(clicksOf(figures), impressionsOf(figures)),
        }),
        watchCount: long('article_watch', 'video_watch', 'live_watch'),
        articleImpressions: long('article_impression'),
        articleClicks: long('article_click'),
        articleWatchCount: long('article_watch'),
        videoImpressions: long('video_impression'),
        videoClicks: long('video_click'),
        videoWatchCount: long('video_watch'),
        liveImpressions: long('live_impression'),
        liveClicks: long('live_click'),
        liveWatchCount: long('live_watch'),
        publisherTotalRevenue: t.field({ type: 'Long', resolve: publisherRevenueOf }),
        revenueDetail: field(t, {
          type: RevenueDetail,
          nullable: true,
          description: 'Staff only.',
          allow: 'read:show',
          on: 'insight:revenue_detail.',
          resolve: figures => figures,
        }),
        clickDemographics: t.field({
          type: [Demographic],
          description: 'Clicks by gender and age, ids from 1 (0 is unknown).',
          resolve: figures => figures.clickDemographics() as Promise<ClickDemographic[]>,
        }),
      }
    },
  })
}

function revenueDetailType(graph: Graph) {
  const grossOf = (figures: SummaryFigures) => shownYen(sumOf(figures, ...SOURCE_REVENUE_COLUMNS))
  return graph.objectRef<SummaryFigures>('RevenueDetail').implement({
    on: 'insight:revenue_detail.',
    fields: t => {
      const yen = (column: SummaryColumn) =>
        t.field({ type: 'Long', resolve: figures => shownYen(sumOf(figures, column)) })
      return {
        grossRevenue: t.field({ type: 'Long', resolve: grossOf }),
        productAdsRevenue: yen('ads_revenue_micro_yen'),
        sspRevenue: yen('ssp_revenue_micro_yen'),
        videoSspRevenue: yen('video_ssp_revenue_micro_yen'),
        liveSspRevenue: yen('live_ssp_revenue_micro_yen'),
        retainedRevenue: t.field({
          type: 'Long',
          description: 'grossRevenue less publisherTotalRevenue.',
          resolve: figures => grossOf(figures) - publisherRevenueOf(figures),
        }),
      }
    },
  })
}

function demographicType(graph: Graph) {
  return graph.objectRef<ClickDemographic>('ClickDemographic').implement({
    on: 'insight:summary_stats.',
    fields: t => ({
      genderId: t.exposeInt('genderId'),
      ageId: t.exposeInt('ageId'),
      click: t.expose('click', { type: 'Long' }),
    }),
  })
}
