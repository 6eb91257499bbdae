import type { BaseFigure, BaseSums } from '@pc/domain/report/metric-identity.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { COMPLETION, ENGAGED_TIME } from '../../core/server/content-kind.ts'
import type { SummaryColumn } from '../../core/server/summary-sql.ts'

/**
 * What the statistics store calls the figures of a publisher's day.
 * Tested by `features/reports/changes/server/change-report.test.ts`.
 */
export const SUMMARY_COLUMNS: { readonly [Figure in BaseFigure]?: SummaryColumn } = {
  articleImpressions: 'article_impression',
  articleClicks: 'article_click',
  articleWatchCount: 'article_watch',
  videoImpressions: 'video_impression',
  videoClicks: 'video_click',
  videoWatchCount: 'video_watch',
  liveImpressions: 'live_impression',
  liveClicks: 'live_click',
  liveWatchCount: 'live_watch',
  publisherTotalRevenue: 'publisher_revenue_micro_yen',
  productAdsRevenue: 'ads_revenue_micro_yen',
  sspRevenue: 'ssp_revenue_micro_yen',
  videoSspRevenue: 'video_ssp_revenue_micro_yen',
  liveSspRevenue: 'live_ssp_revenue_micro_yen',
}

/** The part of a publisher's figures that the days of articles or videos have. */
export type ContentColumns = { readonly [Figure in BaseFigure]?: string }
const MONEY: ContentColumns = {
  publisherTotalRevenue: 'publisher_revenue_micro_yen',
  productAdsRevenue: 'ads_revenue_micro_yen',
}
export const ARTICLE_COLUMNS: ContentColumns = {
  ...{ articleImpressions: 'impression', articleClicks: 'click', articleWatchCount: 'watch' },
  ...{ articleEngagedTimeMs: ENGAGED_TIME.sum, articleEngagedWatchCount: ENGAGED_TIME.watches },
  ...{ articleCompletions: COMPLETION.sum, articleCompletionWatchCount: COMPLETION.watches },
  ...MONEY,
}
export const VIDEO_COLUMNS: ContentColumns = {
  ...{ videoImpressions: 'impression', videoClicks: 'click', videoWatchCount: 'watch' },
  ...{ videoWatch3s: 'watch3s', videoWatch97p: 'watch97p', videoPlayTimeMs: 'play_time_ms' },
  ...MONEY,
}

/** The columns of the figures that the rows have. */
export function columnsOf(figures: readonly BaseFigure[], columns: ContentColumns): readonly string[] {
  return figures.flatMap(figure => columns[figure] ?? [])
}

/** The sums of a row that has them by the names of columns. @param prefix of the columns in the row */
export function sumsOfRow(
  row: Row | undefined,
  figures: readonly BaseFigure[],
  columns: ContentColumns,
  prefix = 'sum_',
): BaseSums {
  return Object.fromEntries(
    figures.map(figure => {
      const column = columns[figure]
      return [figure, column && row ? ((row[`${prefix}${column}`] ?? 0n) as bigint) : 0n]
    }),
  )
}
