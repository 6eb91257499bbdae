/**
 * The figures of the reports: API field, Japanese label, unit, and how a figure of a longer period follows from its
 * parts. Additive figures are summed; a level is the last known value; a ratio is computed from sums, never averaged.
 */
type MetricUnit = 'count' | 'people' | 'yen' | 'ratio' | 'seconds'
type MetricKind = 'additive' | 'level' | 'ratio'
interface Metric {
  readonly label: string
  readonly unit: MetricUnit
  readonly kind: MetricKind
}

const count = (label: string): Metric => ({ label, unit: 'count', kind: 'additive' })
const yen = (label: string): Metric => ({ label, unit: 'yen', kind: 'additive' })
const ratio = (label: string): Metric => ({ label, unit: 'ratio', kind: 'ratio' })
const RPM: Metric = { label: 'RPM（表示1,000回あたりの収益）', unit: 'yen', kind: 'ratio' }

export const SUMMARY_METRICS = {
  impressions: count('表示回数'),
  clicks: count('クリック数'),
  ctr: ratio('クリック率'),
  watchCount: count('閲覧・再生数'),
  articleImpressions: count('記事の表示回数'),
  articleClicks: count('記事のクリック数'),
  articleWatchCount: count('記事の閲覧数'),
  videoImpressions: count('動画の表示回数'),
  videoClicks: count('動画のクリック数'),
  videoWatchCount: count('動画の再生数'),
  liveImpressions: count('ライブの表示回数'),
  liveClicks: count('ライブのクリック数'),
  liveWatchCount: count('ライブの再生数'),
  publisherTotalRevenue: yen('収益'),
  rpm: RPM,
  follower: { label: 'フォロワー数', unit: 'people', kind: 'level' },
} as const satisfies Record<string, Metric>

/** Visible to staff only. */
export const REVENUE_DETAIL_METRICS = {
  grossRevenue: yen('総収益'),
  productAdsRevenue: yen('自社広告収益'),
  sspRevenue: yen('SSP収益'),
  videoSspRevenue: yen('動画SSP収益'),
  liveSspRevenue: yen('ライブSSP収益'),
  retainedRevenue: yen('プラットフォーム収益'),
  effectiveRate: ratio('実効料率'),
} as const satisfies Record<string, Metric>

export const ARTICLE_METRICS = {
  impression: count('表示回数'),
  click: count('クリック数'),
  ctr: ratio('クリック率'),
  watch: count('閲覧数'),
  publisherTotalRevenue: yen('収益'),
  engagedTime: { label: '閲読時間', unit: 'seconds', kind: 'additive' },
  averageEngagedTime: { label: '平均閲読時間', unit: 'seconds', kind: 'ratio' },
  completions: count('読了数'),
  completionRate: ratio('読了率'),
  /** Only in groups of articles: by author, section or tag. */
  articles: count('記事数'),
  rpm: RPM,
} as const satisfies Record<string, Metric>

export const VIDEO_METRICS = {
  impression: count('表示回数'),
  click: count('クリック数'),
  ctr: ratio('クリック率'),
  watch: count('再生数'),
  watch3s: count('3秒再生数'),
  play_time: { label: '再生時間', unit: 'seconds', kind: 'additive' },
  average_play_time: { label: '平均再生時間', unit: 'seconds', kind: 'ratio' },
  watch97p: count('97%再生数'),
  average_watch97p: ratio('97%再生率'),
  publisherTotalRevenue: yen('収益'),
  rpm: RPM,
} as const satisfies Record<string, Metric>

/** The platform's own revenue from articles and videos; visible to staff only. */
export const CONTENT_REVENUE_METRICS = {
  productAdsRevenue: yen('自社広告収益'),
  retainedRevenue: yen('プラットフォーム収益'),
  effectiveRate: ratio('実効料率'),
} as const satisfies Record<string, Metric>

/** Null when the divisor is 0, which differs from a quotient of 0. */
function quotient(dividend: bigint, divisor: bigint): number | null {
  return divisor === 0n ? null : Number(dividend) / Number(divisor)
}

/** Clicks per impression; null without impressions. */
export function clickThroughRate(clicks: bigint, impressions: bigint): number | null {
  return quotient(clicks, impressions)
}

/** Yen per 1,000 impressions, from the publisher's exact revenue; null without impressions. */
export function revenuePerMille(publisherRevenueMicroYen: bigint, impressions: bigint): number | null {
  return quotient(publisherRevenueMicroYen, impressions * 1000n)
}

/** The publisher's share of the platform's gross revenue, 0 to 1; null without gross revenue. */
export function effectiveRate(publisherRevenueMicroYen: bigint, grossRevenueMicroYen: bigint): number | null {
  return quotient(publisherRevenueMicroYen, grossRevenueMicroYen)
}

/** Seconds per watch, of the watches whose time was delivered; null without any. */
export function averageEngagedTime(engagedTimeMs: bigint, watches: bigint): number | null {
  return quotient(engagedTimeMs, watches * 1000n)
}

/** Share of the watches that reached the end, of those of which that was delivered; null without any. */
export function completionRate(completions: bigint, watches: bigint): number | null {
  return quotient(completions, watches)
}

/** Seconds per watch; null without watches. */
export function averagePlayTime(playTimeMs: bigint, watches: bigint): number | null {
  return quotient(playTimeMs, watches * 1000n)
}

/** Share of watches that reached 97 % of the video; null without watches. */
export function averageWatch97p(watches97p: bigint, watches: bigint): number | null {
  return quotient(watches97p, watches)
}
