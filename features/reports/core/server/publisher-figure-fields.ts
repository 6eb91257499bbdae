import { clickThroughRate, effectiveRate, revenuePerMille } from '@pc/domain/report/metric.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import { field, type Types } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { type Sums, sumOfColumns } from './figure-sums.ts'
import { SOURCE_REVENUE_COLUMNS, type SummaryColumn } from './summary-statements.ts'

/** A row with the sums of publishers' days. */
interface PublisherFigures {
  readonly sums: Sums
}

const sumOf = ({ sums }: PublisherFigures, ...columns: readonly SummaryColumn[]): bigint =>
  sumOfColumns(sums, ...columns)
const impressionsOf = (row: PublisherFigures) => sumOf(row, 'article_impression', 'video_impression', 'live_impression')
const clicksOf = (row: PublisherFigures) => sumOf(row, 'article_click', 'video_click', 'live_click')
const publisherMicroYen = (row: PublisherFigures) => sumOf(row, 'publisher_revenue_micro_yen')
const grossMicroYen = (row: PublisherFigures) => sumOf(row, ...SOURCE_REVENUE_COLUMNS)

/** The figures of the dashboard and of the ranking. */
export function publisherFigureFields<Row extends PublisherFigures>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Row>,
  RevenueDetail: RevenueDetailRef,
) {
  const long = (...columns: readonly SummaryColumn[]) =>
    t.field({ type: 'Long', resolve: row => sumOf(row, ...columns) })
  return {
    impressions: t.field({ type: 'Long', resolve: row => impressionsOf(row) }),
    clicks: t.field({ type: 'Long', resolve: row => clicksOf(row) }),
    ctr: t.float({
      nullable: true,
      description: 'Clicks per impression; null without impressions.',
      resolve: row => clickThroughRate(clicksOf(row), impressionsOf(row)),
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
