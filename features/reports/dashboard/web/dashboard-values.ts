import type { PublisherFigures } from '../../core/web/publisher-figures.ts'
import type { FigureValues } from '../../core/web/report-figures.tsx'

/** The figure that each column of the dashboard's table shows, by column id. */
export const DASHBOARD_VALUES: FigureValues<PublisherFigures> = {
  impressions: row => row.impressions,
  clicks: row => row.clicks,
  ctr: row => row.ctr,
  watchCount: row => row.watchCount,
  revenue: row => row.publisherTotalRevenue,
  gross: row => row.revenueDetail?.grossRevenue,
  rpm: row => row.rpm,
  effectiveRate: row => row.revenueDetail?.effectiveRate,
  productAdsRevenue: row => row.revenueDetail?.productAdsRevenue,
  sspRevenue: row => row.revenueDetail?.sspRevenue,
  videoSspRevenue: row => row.revenueDetail?.videoSspRevenue,
  liveSspRevenue: row => row.revenueDetail?.liveSspRevenue,
  retainedRevenue: row => row.revenueDetail?.retainedRevenue,
  articleImpressions: row => row.articleImpressions,
  articleClicks: row => row.articleClicks,
  articleWatchCount: row => row.articleWatchCount,
  videoImpressions: row => row.videoImpressions,
  videoClicks: row => row.videoClicks,
  videoWatchCount: row => row.videoWatchCount,
  liveImpressions: row => row.liveImpressions,
  liveClicks: row => row.liveClicks,
  liveWatchCount: row => row.liveWatchCount,
}
