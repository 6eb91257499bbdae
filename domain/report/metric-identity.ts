import { REVENUE_DETAIL_METRICS, SUMMARY_METRICS } from './metric.ts'

/** The figures that the statistics store sums; money in micro-yen. Every other figure of a report is made of them. */
export const BASE_FIGURES = [
  'articleImpressions',
  'articleClicks',
  'articleWatchCount',
  'videoImpressions',
  'videoClicks',
  'videoWatchCount',
  'liveImpressions',
  'liveClicks',
  'liveWatchCount',
  'publisherTotalRevenue',
  'productAdsRevenue',
  'sspRevenue',
  'videoSspRevenue',
  'liveSspRevenue',
] as const
export type BaseFigure = (typeof BASE_FIGURES)[number]
/** A figure that is not there counts as 0. */
export type BaseSums = { readonly [Figure in BaseFigure]?: bigint }

/** How a value is counted: yen in micro-yen, the others as `exact-unit.ts` says. */
export const CHANGE_UNITS = ['count', 'yen', 'ratio', 'yenPerMille', 'yenPerClick'] as const
export type ChangeUnit = (typeof CHANGE_UNITS)[number]

/**
 * The sum of `of` divided by the sum of `over`. Without `of` the dividend is 1; without `over` the factor is the sum
 * itself.
 */
export interface Factor {
  readonly id: string
  readonly label: string
  readonly unit: ChangeUnit
  readonly of?: readonly BaseFigure[]
  readonly over?: readonly BaseFigure[]
}
interface Term {
  readonly id: string
  readonly label: string
  readonly of: readonly BaseFigure[]
  readonly isSubtracted?: boolean
}
/** What a metric is: a sum of figures, or a ratio of two; and what it is made of. */
export interface MetricIdentity {
  readonly label: string
  readonly unit: ChangeUnit
  readonly of: readonly BaseFigure[]
  readonly less?: readonly BaseFigure[]
  readonly per?: readonly BaseFigure[]
  /** Factors whose product it is; the first whose divisors are there on both sides is used. */
  readonly products: readonly (readonly Factor[])[]
  /** What it is the sum of, where it is no product. */
  readonly terms?: readonly Term[]
}

const IMPRESSIONS = ['articleImpressions', 'videoImpressions', 'liveImpressions'] as const
const CLICKS = ['articleClicks', 'videoClicks', 'liveClicks'] as const
const WATCHES = ['articleWatchCount', 'videoWatchCount', 'liveWatchCount'] as const
const SOURCES = ['productAdsRevenue', 'sspRevenue', 'videoSspRevenue', 'liveSspRevenue'] as const
const PUBLISHER = ['publisherTotalRevenue'] as const

const volume = (of: readonly BaseFigure[]): Factor => ({
  id: 'impressions',
  label: SUMMARY_METRICS.impressions.label,
  unit: 'count',
  of,
})
const clickRate = (of: readonly BaseFigure[], over: readonly BaseFigure[]): Factor => ({
  ...{ id: 'ctr', label: SUMMARY_METRICS.ctr.label, unit: 'ratio' },
  ...{ of, over },
})
const perClick = (of: readonly BaseFigure[]): Factor => ({
  ...{ id: 'perClick', label: 'クリック1回あたりの金額', unit: 'yenPerClick' },
  ...{ of, over: CLICKS },
})
const perMille = (of: readonly BaseFigure[]): Factor => ({
  ...{ id: 'perMille', label: '表示1,000回あたりの金額', unit: 'yenPerMille' },
  ...{ of, over: IMPRESSIONS },
})
const term = (id: BaseFigure, label: string): Term => ({ id, label, of: [id] })

/** Impressions × CTR × money per click; without clicks, impressions × money per impression (eCPM). */
const moneyProducts = (of: readonly BaseFigure[]) => [
  [volume(IMPRESSIONS), clickRate(CLICKS, IMPRESSIONS), perClick(of)],
  [volume(IMPRESSIONS), perMille(of)],
]
const clicksOf = (label: string, clicks: readonly BaseFigure[], shown: readonly BaseFigure[]): MetricIdentity => ({
  ...{ label, unit: 'count', of: clicks },
  products: [[volume(shown), clickRate(clicks, shown)]],
})
const single = (label: string, unit: ChangeUnit, figure: BaseFigure): MetricIdentity => ({
  ...{ label, unit, of: [figure], products: [] },
})
const quotientOf = (numerator: Factor, denominator: Factor) => [[numerator, denominator]]

/** Metrics of reports whose change can be explained, in their order. Followers are a level: nothing sums to them. */
export const METRIC_IDENTITIES = {
  publisherTotalRevenue: {
    ...{ label: SUMMARY_METRICS.publisherTotalRevenue.label, unit: 'yen', of: PUBLISHER },
    products: moneyProducts(PUBLISHER),
  },
  impressions: {
    ...{ label: SUMMARY_METRICS.impressions.label, unit: 'count', of: IMPRESSIONS, products: [] },
    terms: [term('articleImpressions', '記事'), term('videoImpressions', '動画'), term('liveImpressions', 'ライブ')],
  },
  clicks: clicksOf(SUMMARY_METRICS.clicks.label, CLICKS, IMPRESSIONS),
  ctr: {
    ...{ label: SUMMARY_METRICS.ctr.label, unit: 'ratio', of: CLICKS, per: IMPRESSIONS },
    products: quotientOf(
      { id: 'clicks', label: SUMMARY_METRICS.clicks.label, unit: 'count', of: CLICKS },
      { id: 'impressions', label: SUMMARY_METRICS.impressions.label, unit: 'count', over: IMPRESSIONS },
    ),
  },
  rpm: {
    ...{ label: SUMMARY_METRICS.rpm.label, unit: 'yenPerMille', of: PUBLISHER, per: IMPRESSIONS },
    products: [
      [clickRate(CLICKS, IMPRESSIONS), perClick(PUBLISHER)],
      ...quotientOf(
        { id: 'revenue', label: SUMMARY_METRICS.publisherTotalRevenue.label, unit: 'yen', of: PUBLISHER },
        { id: 'impressions', label: SUMMARY_METRICS.impressions.label, unit: 'count', over: IMPRESSIONS },
      ),
    ],
  },
  watchCount: {
    ...{ label: SUMMARY_METRICS.watchCount.label, unit: 'count', of: WATCHES, products: [] },
    terms: [term('articleWatchCount', '記事'), term('videoWatchCount', '動画'), term('liveWatchCount', 'ライブ')],
  },
  articleImpressions: single(SUMMARY_METRICS.articleImpressions.label, 'count', 'articleImpressions'),
  articleClicks: clicksOf(SUMMARY_METRICS.articleClicks.label, ['articleClicks'], ['articleImpressions']),
  articleWatchCount: single(SUMMARY_METRICS.articleWatchCount.label, 'count', 'articleWatchCount'),
  videoImpressions: single(SUMMARY_METRICS.videoImpressions.label, 'count', 'videoImpressions'),
  videoClicks: clicksOf(SUMMARY_METRICS.videoClicks.label, ['videoClicks'], ['videoImpressions']),
  videoWatchCount: single(SUMMARY_METRICS.videoWatchCount.label, 'count', 'videoWatchCount'),
  liveImpressions: single(SUMMARY_METRICS.liveImpressions.label, 'count', 'liveImpressions'),
  liveClicks: clicksOf(SUMMARY_METRICS.liveClicks.label, ['liveClicks'], ['liveImpressions']),
  liveWatchCount: single(SUMMARY_METRICS.liveWatchCount.label, 'count', 'liveWatchCount'),
  grossRevenue: {
    ...{ label: REVENUE_DETAIL_METRICS.grossRevenue.label, unit: 'yen', of: SOURCES },
    products: moneyProducts(SOURCES),
  },
  productAdsRevenue: single(REVENUE_DETAIL_METRICS.productAdsRevenue.label, 'yen', 'productAdsRevenue'),
  sspRevenue: single(REVENUE_DETAIL_METRICS.sspRevenue.label, 'yen', 'sspRevenue'),
  videoSspRevenue: single(REVENUE_DETAIL_METRICS.videoSspRevenue.label, 'yen', 'videoSspRevenue'),
  liveSspRevenue: single(REVENUE_DETAIL_METRICS.liveSspRevenue.label, 'yen', 'liveSspRevenue'),
  retainedRevenue: {
    ...{ label: REVENUE_DETAIL_METRICS.retainedRevenue.label, unit: 'yen', of: SOURCES, less: PUBLISHER, products: [] },
    terms: [
      { id: 'grossRevenue', label: REVENUE_DETAIL_METRICS.grossRevenue.label, of: SOURCES },
      { id: 'publisherTotalRevenue', label: 'パブリッシャーの収益', of: PUBLISHER, isSubtracted: true },
    ],
  },
  effectiveRate: {
    ...{ label: REVENUE_DETAIL_METRICS.effectiveRate.label, unit: 'ratio', of: PUBLISHER, per: SOURCES },
    products: quotientOf(
      { id: 'revenue', label: 'パブリッシャーの収益', unit: 'yen', of: PUBLISHER },
      { id: 'grossRevenue', label: REVENUE_DETAIL_METRICS.grossRevenue.label, unit: 'yen', over: SOURCES },
    ),
  },
} as const satisfies Record<string, MetricIdentity>

export type ChangeMetric = keyof typeof METRIC_IDENTITIES
export const CHANGE_METRICS = Object.keys(METRIC_IDENTITIES) as ChangeMetric[]

/** Metrics that need the right to the platform's own revenues. */
export function isRevenueDetail(metric: ChangeMetric): boolean {
  return metric in REVENUE_DETAIL_METRICS
}

/** Which figures a metric is calculated from, and how. */
export function identityOf(metric: ChangeMetric): MetricIdentity {
  return METRIC_IDENTITIES[metric]
}

/** The figures that a metric and its factors are made of. */
export function figuresOf({ of, less = [], per = [], products }: MetricIdentity): readonly BaseFigure[] {
  const factors = products.flat().flatMap(factor => [...(factor.of ?? []), ...(factor.over ?? [])])
  return BASE_FIGURES.filter(figure => [...of, ...less, ...per, ...factors].includes(figure))
}
