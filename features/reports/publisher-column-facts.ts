import { REVENUE_DETAIL_METRICS, SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import { count, staffYen } from './column-facts.ts'

/** Columns that the dashboard and the ranking share. */
export const GROSS = staffYen(
  REVENUE_DETAIL_METRICS.grossRevenue.label,
  'プラットフォームが得た収益の合計です。社内限定の項目です。',
  '自社広告収益 + SSP収益 + 動画SSP収益 + ライブSSP収益',
)
export const PRODUCT_ADS = staffYen(
  REVENUE_DETAIL_METRICS.productAdsRevenue.label,
  '自社広告による収益です。社内限定の項目です。',
)
export const RETAINED = staffYen(
  REVENUE_DETAIL_METRICS.retainedRevenue.label,
  '総収益のうち、プラットフォームに残る額です。社内限定の項目です。',
  '総収益 − 収益',
)
export const SSP = staffYen(REVENUE_DETAIL_METRICS.sspRevenue.label, 'SSP（記事）による収益です。社内限定の項目です。')
export const VIDEO_SSP = staffYen(
  REVENUE_DETAIL_METRICS.videoSspRevenue.label,
  '動画SSPによる収益です。社内限定の項目です。',
)
export const LIVE_SSP = staffYen(
  REVENUE_DETAIL_METRICS.liveSspRevenue.label,
  'ライブSSPによる収益です。社内限定の項目です。',
)

export const PUBLISHER_COUNTS = {
  impressions: count(
    SUMMARY_METRICS.impressions.label,
    '記事・動画・ライブが画面に表示された回数です。',
    '記事の表示回数 + 動画の表示回数 + ライブの表示回数',
  ),
  clicks: count(
    SUMMARY_METRICS.clicks.label,
    '記事・動画・ライブがクリック（タップ）された回数です。',
    '記事のクリック数 + 動画のクリック数 + ライブのクリック数',
  ),
  watchCount: count(
    SUMMARY_METRICS.watchCount.label,
    '記事が開かれて読まれた回数と、動画・ライブが再生された回数の合計です。',
    '記事の閲覧数 + 動画の再生数 + ライブの再生数',
  ),
  articleImpressions: count(SUMMARY_METRICS.articleImpressions.label, '記事が画面に表示された回数です。'),
  articleClicks: count(SUMMARY_METRICS.articleClicks.label, '記事がクリック（タップ）された回数です。'),
  articleWatchCount: count(SUMMARY_METRICS.articleWatchCount.label, '記事が開かれて読まれた回数です。'),
  videoImpressions: count(SUMMARY_METRICS.videoImpressions.label, '動画が画面に表示された回数です。'),
  videoClicks: count(SUMMARY_METRICS.videoClicks.label, '動画がクリック（タップ）された回数です。'),
  videoWatchCount: count(SUMMARY_METRICS.videoWatchCount.label, '動画が再生された回数です。'),
  liveImpressions: count(SUMMARY_METRICS.liveImpressions.label, 'ライブが画面に表示された回数です。'),
  liveClicks: count(SUMMARY_METRICS.liveClicks.label, 'ライブがクリック（タップ）された回数です。'),
  liveWatchCount: count(SUMMARY_METRICS.liveWatchCount.label, 'ライブが再生された回数です。'),
} as const
