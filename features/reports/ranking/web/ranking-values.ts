import type { PublisherFigures } from '../../core/web/publisher-figures.ts'
import type { FigureValues } from '../../core/web/report-figures.tsx'

/** The figure that each column of the ranking shows, by column id. */
export const RANKING_VALUES: FigureValues<PublisherFigures> = {
  REVENUE: row => row.publisherTotalRevenue,
  GROSSREVENUE: row => row.revenueDetail?.grossRevenue,
  IMPRESSION: row => row.impressions,
  CLICK: row => row.clicks,
  CTR: row => row.ctr,
  WATCH: row => row.watchCount,
  RPM: row => row.rpm,
  effectiveRate: row => row.revenueDetail?.effectiveRate,
  ARTICLEIMPRESSION: row => row.articleImpressions,
  ARTICLECLICK: row => row.articleClicks,
  ARTICLEWATCH: row => row.articleWatchCount,
  VIDEOIMPRESSION: row => row.videoImpressions,
  VIDEOCLICK: row => row.videoClicks,
  VIDEOWATCH: row => row.videoWatchCount,
  LIVEIMPRESSION: row => row.liveImpressions,
  LIVECLICK: row => row.liveClicks,
  LIVEWATCH: row => row.liveWatchCount,
  PRODUCTADSREVENUE: row => row.revenueDetail?.productAdsRevenue,
  SSPREVENUE: row => row.revenueDetail?.sspRevenue,
  VIDEOSSPREVENUE: row => row.revenueDetail?.videoSspRevenue,
  LIVESSPREVENUE: row => row.revenueDetail?.liveSspRevenue,
  retainedRevenue: row => row.revenueDetail?.retainedRevenue,
}
