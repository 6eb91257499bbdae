/**
 * The figures of the reports, defined once: the field of the API, the Japanese label, the unit, and how a figure of a
 * longer period comes from its parts. Additive figures are summed; a level is the last value known; a ratio is divided
 * anew from sums, never averaged.
 */
type MetricUnit = 'count' | 'people' | 'yen' | 'ratio'
type MetricKind = 'additive' | 'level' | 'ratio'
interface Metric {
  readonly label: string
  readonly unit: MetricUnit
  readonly kind: MetricKind
}

const count = (label: string): Metric => ({ label, unit: 'count', kind: 'additive' })
const yen = (label: string): Metric => ({ label, unit: 'yen', kind: 'additive' })

export const SUMMARY_METRICS = {
  impressions: count('表示回数'),
  clicks: count('クリック数'),
  ctr: { label: 'クリック率', unit: 'ratio', kind: 'ratio' },
  watchCount: count('視聴回数'),
  articleImpressions: count('記事の表示回数'),
  articleClicks: count('記事のクリック数'),
  articleWatchCount: count('記事の視聴回数'),
  videoImpressions: count('動画の表示回数'),
  videoClicks: count('動画のクリック数'),
  videoWatchCount: count('動画の視聴回数'),
  liveImpressions: count('ライブの表示回数'),
  liveClicks: count('ライブのクリック数'),
  liveWatchCount: count('ライブの視聴回数'),
  publisherTotalRevenue: yen('収益'),
  follower: { label: 'フォロワー数', unit: 'people', kind: 'level' },
} as const satisfies Record<string, Metric>

/** Staff only. */
export const REVENUE_DETAIL_METRICS = {
  grossRevenue: yen('総収益'),
  productAdsRevenue: yen('自社広告収益'),
  sspRevenue: yen('SSP収益'),
  videoSspRevenue: yen('動画SSP収益'),
  liveSspRevenue: yen('ライブSSP収益'),
  retainedRevenue: yen('プラットフォーム収益'),
} as const satisfies Record<string, Metric>

/** Clicks per impression; null without impressions, which is not zero. */
export function clickThroughRate(clicks: bigint, impressions: bigint): number | null {
  return impressions === 0n ? null : Number(clicks) / Number(impressions)
}
