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
