import { ARTICLE_METRICS, REVENUE_DETAIL_METRICS, SUMMARY_METRICS, VIDEO_METRICS } from './metric.ts'

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
  'videoWatch3s',
  'videoWatch97p',
  'videoPlayTimeMs',
  'articleEngagedTimeMs',
  'articleEngagedWatchCount',
  'articleCompletions',
  'articleCompletionWatchCount',
] as const
export type BaseFigure = (typeof BASE_FIGURES)[number]
/** A figure that is not there counts as 0. */
export type BaseSums = { readonly [Figure in BaseFigure]?: bigint }

/** How a value is counted: yen in micro-yen, the others as `exact-unit.ts` says. */
export const CHANGE_UNITS = [
  ...(['count', 'yen', 'ratio', 'yenPerMille', 'yenPerClick'] as const),
  ...(['seconds', 'secondsPerWatch'] as const),
] as const
export type ChangeUnit = (typeof CHANGE_UNITS)[number]

/** A factor is the sum of `of` ÷ the sum of `over`. Without `of`, the dividend is 1; without `over`, the divisor is 1. */
export interface Factor {
  readonly id: string
  readonly label: string
  readonly unit: ChangeUnit
  readonly of?: readonly BaseFigure[] | undefined
  readonly over?: readonly BaseFigure[]
}
interface Term {
  readonly id: string
  readonly label: string
  readonly of: readonly BaseFigure[]
  readonly isSubtracted?: boolean
}
/** What a metric is, (`of` − `less`) ÷ `per`, and the factors or terms into which its change is split. */
export interface MetricIdentity {
  readonly label: string
  readonly unit: ChangeUnit
  readonly of: readonly BaseFigure[]
  readonly less?: readonly BaseFigure[]
  readonly per?: readonly BaseFigure[]
  /** Products that equal the metric. The first one whose divisors are not 0 in either period is used. */
  readonly products: readonly (readonly Factor[])[]
  /** The sum that equals the metric, used when no product can be. */
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
const WATCHED = ['videoWatchCount'] as const
const PLAY_TIME = ['videoPlayTimeMs'] as const
const watched: Factor = { id: 'watches', label: VIDEO_METRICS.watch.label, unit: 'count', of: WATCHED }
const timePerWatch: Factor = {
  ...{ id: 'perWatch', label: VIDEO_METRICS.average_play_time.label, unit: 'secondsPerWatch' },
  ...{ of: PLAY_TIME, over: WATCHED },
}
const shareOfWatches = (label: string, of: readonly BaseFigure[]): Factor => ({
  ...{ id: 'share', label, unit: 'ratio', of, over: WATCHED },
})
const ENGAGED = ['articleEngagedWatchCount'] as const
const ENGAGED_TIME = ['articleEngagedTimeMs'] as const
const COMPLETABLE = ['articleCompletionWatchCount'] as const
const COMPLETIONS = ['articleCompletions'] as const
const watchesOf = (label: string, of: readonly BaseFigure[]): Factor => ({
  ...{ id: 'watches', label, unit: 'count', of },
})
const engagedWatches = watchesOf('閲読時間が届いた閲覧数', ENGAGED)
const completableWatches = watchesOf('読了数が届いた閲覧数', COMPLETABLE)
const quotientOf = (numerator: Factor, denominator: Factor) => [[numerator, denominator]]

/** Metrics whose change can be explained, in the order of the reports. Followers are left out: a level is no sum. */
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
  videoWatch3s: {
    ...{ label: VIDEO_METRICS.watch3s.label, unit: 'count', of: ['videoWatch3s'] },
    products: [[watched, shareOfWatches('3秒再生率', ['videoWatch3s'])]],
  },
  videoPlayTime: {
    ...{ label: VIDEO_METRICS.play_time.label, unit: 'seconds', of: PLAY_TIME },
    products: [[watched, timePerWatch]],
  },
  averagePlayTime: {
    ...{ label: VIDEO_METRICS.average_play_time.label, unit: 'secondsPerWatch', of: PLAY_TIME, per: WATCHED },
    products: quotientOf(
      { id: 'playTime', label: VIDEO_METRICS.play_time.label, unit: 'seconds', of: PLAY_TIME },
      { ...watched, of: undefined, over: WATCHED },
    ),
  },
  videoWatch97p: {
    ...{ label: VIDEO_METRICS.watch97p.label, unit: 'count', of: ['videoWatch97p'] },
    products: [[watched, shareOfWatches(VIDEO_METRICS.average_watch97p.label, ['videoWatch97p'])]],
  },
  averageWatch97p: {
    ...{ label: VIDEO_METRICS.average_watch97p.label, unit: 'ratio', of: ['videoWatch97p'], per: WATCHED },
    products: quotientOf(
      { id: 'watch97p', label: VIDEO_METRICS.watch97p.label, unit: 'count', of: ['videoWatch97p'] },
      { ...watched, of: undefined, over: WATCHED },
    ),
  },
  articleEngagedTime: {
    ...{ label: ARTICLE_METRICS.engagedTime.label, unit: 'seconds', of: ENGAGED_TIME },
    products: [
      [
        engagedWatches,
        {
          ...{ id: 'perWatch', label: ARTICLE_METRICS.averageEngagedTime.label, unit: 'secondsPerWatch' },
          ...{ of: ENGAGED_TIME, over: ENGAGED },
        },
      ],
    ],
  },
  averageEngagedTime: {
    ...{ label: ARTICLE_METRICS.averageEngagedTime.label, unit: 'secondsPerWatch', of: ENGAGED_TIME, per: ENGAGED },
    products: quotientOf(
      { id: 'engagedTime', label: ARTICLE_METRICS.engagedTime.label, unit: 'seconds', of: ENGAGED_TIME },
      { ...engagedWatches, of: undefined, over: ENGAGED },
    ),
  },
  articleCompletions: {
    ...{ label: ARTICLE_METRICS.completions.label, unit: 'count', of: COMPLETIONS },
    products: [
      [
        completableWatches,
        {
          ...{ id: 'share', label: ARTICLE_METRICS.completionRate.label, unit: 'ratio' },
          ...{ of: COMPLETIONS, over: COMPLETABLE },
        },
      ],
    ],
  },
  completionRate: {
    ...{ label: ARTICLE_METRICS.completionRate.label, unit: 'ratio', of: COMPLETIONS, per: COMPLETABLE },
    products: quotientOf(
      { id: 'completions', label: ARTICLE_METRICS.completions.label, unit: 'count', of: COMPLETIONS },
      { ...completableWatches, of: undefined, over: COMPLETABLE },
    ),
  },
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

/** The rows from which a figure is summed: of publishers (dashboard, ranking), of articles, or of videos. */
export const CHANGE_SUBJECTS = ['publisher', 'article', 'video'] as const
export type ChangeSubject = (typeof CHANGE_SUBJECTS)[number]

/** What the reports of articles and of videos call their own figures. */
const CONTENT_LABELS: Readonly<Record<ChangeSubject, { readonly [Metric in ChangeMetric]?: string }>> = {
  publisher: {},
  article: {
    articleImpressions: ARTICLE_METRICS.impression.label,
    articleClicks: ARTICLE_METRICS.click.label,
    articleWatchCount: ARTICLE_METRICS.watch.label,
  },
  video: {
    videoImpressions: VIDEO_METRICS.impression.label,
    videoClicks: VIDEO_METRICS.click.label,
    videoWatchCount: VIDEO_METRICS.watch.label,
  },
}

/** The identity of a metric, with the label that the report of the subject uses. */
export function identityOf(metric: ChangeMetric, subject: ChangeSubject = 'publisher'): MetricIdentity {
  const identity: MetricIdentity = METRIC_IDENTITIES[metric]
  const label = CONTENT_LABELS[subject][metric]
  return label === undefined ? identity : { ...identity, label }
}

/** The figures that a metric and its factors are made of. */
export function figuresOf({ of, less = [], per = [], products }: MetricIdentity): readonly BaseFigure[] {
  const factors = products.flat().flatMap(factor => [...(factor.of ?? []), ...(factor.over ?? [])])
  return BASE_FIGURES.filter(figure => [...of, ...less, ...per, ...factors].includes(figure))
}
