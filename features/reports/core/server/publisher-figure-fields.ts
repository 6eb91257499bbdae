import { clickThroughRate, effectiveRate, revenuePerMille } from '@pc/domain/report/metric.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { field, type Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import type { GraphQLResolveInfo } from 'graphql'
import { columnsOfFields, type Sums, sumOfColumns } from './figure-sums.ts'
import { SOURCE_REVENUE_COLUMNS, type SummaryColumn } from './summary-sql.ts'

/** A row with the sums of publishers' days. */
interface PublisherFigures {
  readonly sums: Sums
}

const IMPRESSIONS = ['article_impression', 'video_impression', 'live_impression'] as const
const CLICKS = ['article_click', 'video_click', 'live_click'] as const
const REVENUE = 'publisher_revenue_micro_yen'
const COUNTS = {
  impressions: IMPRESSIONS,
  clicks: CLICKS,
  watchCount: ['article_watch', 'video_watch', 'live_watch'],
  articleImpressions: ['article_impression'],
  articleClicks: ['article_click'],
  articleWatchCount: ['article_watch'],
  videoImpressions: ['video_impression'],
  videoClicks: ['video_click'],
  videoWatchCount: ['video_watch'],
  liveImpressions: ['live_impression'],
  liveClicks: ['live_click'],
  liveWatchCount: ['live_watch'],
} as const satisfies Readonly<Record<string, readonly SummaryColumn[]>>
/** The statistics columns that each GraphQL field is computed from. */
const FIELD_COLUMNS: Readonly<Record<string, readonly SummaryColumn[]>> = {
  ...COUNTS,
  ctr: [...CLICKS, ...IMPRESSIONS],
  publisherTotalRevenue: [REVENUE],
  rpm: [REVENUE, ...IMPRESSIONS],
  revenueDetail: [REVENUE, ...SOURCE_REVENUE_COLUMNS],
}

/** The columns that the query's selected fields need. */
export const requestedSummaryColumns = (info: GraphQLResolveInfo) => columnsOfFields(info, FIELD_COLUMNS)

const sumOf = ({ sums }: PublisherFigures, ...columns: readonly SummaryColumn[]): bigint =>
  sumOfColumns(sums, ...columns)
const impressionsOf = (row: PublisherFigures) => sumOf(row, ...IMPRESSIONS)
const clicksOf = (row: PublisherFigures) => sumOf(row, ...CLICKS)
const publisherMicroYen = (row: PublisherFigures) => sumOf(row, REVENUE)
const grossMicroYen = (row: PublisherFigures) => sumOf(row, ...SOURCE_REVENUE_COLUMNS)

/** The figures of the dashboard and of the ranking. */
export function publisherFigureFields<Row extends PublisherFigures>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  RevenueDetail: RevenueDetailRef,
) {
  const long = (name: keyof typeof COUNTS) => t.field({ type: 'Long', resolve: row => sumOf(row, ...COUNTS[name]) })
  return {
    impressions: long('impressions'),
    clicks: long('clicks'),
    ctr: t.float({
      nullable: true,
      description: 'Clicks per impression; null without impressions.',
      resolve: row => clickThroughRate(clicksOf(row), impressionsOf(row)),
    }),
    watchCount: long('watchCount'),
    articleImpressions: long('articleImpressions'),
    articleClicks: long('articleClicks'),
    articleWatchCount: long('articleWatchCount'),
    videoImpressions: long('videoImpressions'),
    videoClicks: long('videoClicks'),
    videoWatchCount: long('videoWatchCount'),
    liveImpressions: long('liveImpressions'),
    liveClicks: long('liveClicks'),
    liveWatchCount: long('liveWatchCount'),
    publisherTotalRevenue: t.field({ type: 'Long', resolve: row => shownYen(publisherMicroYen(row)) }),
    rpm: t.float({
      nullable: true,
      description: 'Yen of publisherTotalRevenue per 1,000 impressions; null without impressions.',
      resolve: row => revenuePerMille(publisherMicroYen(row), impressionsOf(row)),
    }),
    revenueDetail: field(t, {
      type: RevenueDetail,
      nullable: true,
      description: 'Staff only.',
      allow: 'read:show',
      on: 'insight:revenue_detail.',
      resolve: row => row,
    }),
  }
}

type RevenueDetailRef = ReturnType<typeof revenueDetailType>

export function revenueDetailType(graph: Graph) {
  const gross = (row: PublisherFigures) => shownYen(grossMicroYen(row))
  return graph.objectRef<PublisherFigures>('RevenueDetail').implement({
    on: 'insight:revenue_detail.',
    fields: t => {
      const yen = (column: SummaryColumn) => t.field({ type: 'Long', resolve: row => shownYen(sumOf(row, column)) })
      return {
        grossRevenue: t.field({ type: 'Long', resolve: gross }),
        productAdsRevenue: yen('ads_revenue_micro_yen'),
        sspRevenue: yen('ssp_revenue_micro_yen'),
        videoSspRevenue: yen('video_ssp_revenue_micro_yen'),
        liveSspRevenue: yen('live_ssp_revenue_micro_yen'),
        retainedRevenue: t.field({
          type: 'Long',
          description: 'grossRevenue less publisherTotalRevenue.',
          resolve: row => gross(row) - shownYen(publisherMicroYen(row)),
        }),
        effectiveRate: t.float({
          nullable: true,
          description: "The publisher's part of grossRevenue; null when nothing was earned.",
          resolve: row => effectiveRate(publisherMicroYen(row), grossMicroYen(row)),
        }),
      }
    },
  })
}
