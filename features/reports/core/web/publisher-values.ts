import type { FigureValues } from './report-figures.tsx'

/** Figures of publishers, as the dashboard and the ranking name them. */
export interface PublisherFigures {
  readonly impressions: number
  readonly clicks: number
  readonly ctr: number | null
  readonly watchCount: number
  readonly articleImpressions: number
  readonly articleClicks: number
  readonly articleWatchCount: number
  readonly videoImpressions: number
  readonly videoClicks: number
  readonly videoWatchCount: number
  readonly liveImpressions: number
  readonly liveClicks: number
  readonly liveWatchCount: number
  readonly publisherTotalRevenue: number
  readonly rpm: number | null
  readonly revenueDetail?: {
    readonly grossRevenue: number
    readonly productAdsRevenue: number
    readonly sspRevenue: number
    readonly videoSspRevenue: number
    readonly liveSspRevenue: number
    readonly retainedRevenue: number
    readonly effectiveRate: number | null
  } | null
}

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
