import type { FigureValues } from '../../core/web/report-figures.tsx'

/** Figures that articles and videos share, as both APIs name them. */
export interface SharedFigures {
  readonly impression: number
  readonly click: number
  readonly ctr: number | null
  readonly watch: number
  readonly publisherTotalRevenue: number
  readonly rpm: number | null
  readonly revenueDetail?: {
    readonly productAdsRevenue: number
    readonly retainedRevenue: number
    readonly effectiveRate: number | null
  } | null
}

export interface ArticleFigures extends SharedFigures {
  readonly engagedTime: number | null
  readonly averageEngagedTime: number | null
  readonly completions: number | null
  readonly completionRate: number | null
}

export interface VideoFigures extends SharedFigures {
  readonly watch3s: number
  readonly play_time: number
  readonly average_play_time: number | null
  readonly watch97p: number
  readonly average_watch97p: number | null
}

const SHARED_VALUES: FigureValues<SharedFigures> = {
  IMPRESSION: row => row.impression,
  CLICK: row => row.click,
  CTR: row => row.ctr,
  WATCH: row => row.watch,
  REVENUE: row => row.publisherTotalRevenue,
  gross: row => row.revenueDetail?.productAdsRevenue,
  RPM: row => row.rpm,
  effectiveRate: row => row.revenueDetail?.effectiveRate,
  retainedRevenue: row => row.revenueDetail?.retainedRevenue,
}

/** Figures of articles by column id. Reading time and completions are null in most deliveries. */
export const ARTICLE_VALUES: FigureValues<ArticleFigures> = {
  ...SHARED_VALUES,
  ENGAGEDTIME: row => row.engagedTime,
  AVERAGEENGAGEDTIME: row => row.averageEngagedTime,
  COMPLETION: row => row.completions,
  COMPLETIONRATE: row => row.completionRate,
}

/** Figures of videos by column id. */
export const VIDEO_VALUES: FigureValues<VideoFigures> = {
  ...SHARED_VALUES,
  WATCH3S: row => row.watch3s,
  PLAYTIME: row => row.play_time,
  AVERAGEPLAYTIME: row => row.average_play_time,
  WATCH97P: row => row.watch97p,
  AVERAGEWATCH97P: row => row.average_watch97p,
}
