import type { BaseFigure, BaseSums } from '@pc/domain/report/metric-identity.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { COMPLETION, ENGAGED_TIME } from '../../core/server/content-kind.ts'
import type { SummaryColumn } from '../../core/server/summary-sql.ts'

/**
 * The columns of a publisher's day in the statistics store, by figure.
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

/** Columns of an article's or video's day, by figure; figures that these do not have are absent. */
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

/** The columns of the figures; figures that the rows do not have are skipped. */
export function columnsOf(figures: readonly BaseFigure[], columns: ContentColumns): readonly string[] {
  return figures.flatMap(figure => columns[figure] ?? [])
}

/** The sums of a result row, by figure. @param prefix of the row's column names, for example `sum_` */
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
