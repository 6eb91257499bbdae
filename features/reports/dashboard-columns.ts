import { SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import { CTR, DATE, EFFECTIVE_RATE, more, REVENUE, RPM, STATE, shown } from './column-facts.ts'
import { GROSS, LIVE_SSP, PRODUCT_ADS, PUBLISHER_COUNTS, RETAINED, SSP, VIDEO_SSP } from './publisher-column-facts.ts'
import type { ReportColumn } from './report-columns.ts'

export const DASHBOARD_COLUMNS: readonly ReportColumn[] = [
  { ...DATE, id: 'date' },
  STATE,
  shown('impressions', PUBLISHER_COUNTS.impressions),
  shown('clicks', PUBLISHER_COUNTS.clicks),
  shown('ctr', CTR),
  shown('watchCount', PUBLISHER_COUNTS.watchCount),
  shown('follower', {
    label: SUMMARY_METRICS.follower.label,
    unit: 'people',
    definition: '期間の最後に分かっているフォロワー数です。合計はできないため、合計の行は空欄です。',
  }),
  shown('revenue', REVENUE),
  shown('gross', GROSS),
  more('rpm', RPM),
  more('effectiveRate', EFFECTIVE_RATE),
  more('productAdsRevenue', PRODUCT_ADS),
  more('sspRevenue', SSP),
  more('videoSspRevenue', VIDEO_SSP),
  more('liveSspRevenue', LIVE_SSP),
  more('retainedRevenue', RETAINED),
  more('articleImpressions', PUBLISHER_COUNTS.articleImpressions),
  more('articleClicks', PUBLISHER_COUNTS.articleClicks),
  more('articleWatchCount', PUBLISHER_COUNTS.articleWatchCount),
  more('videoImpressions', PUBLISHER_COUNTS.videoImpressions),
  more('videoClicks', PUBLISHER_COUNTS.videoClicks),
  more('videoWatchCount', PUBLISHER_COUNTS.videoWatchCount),
  more('liveImpressions', PUBLISHER_COUNTS.liveImpressions),
  more('liveClicks', PUBLISHER_COUNTS.liveClicks),
  more('liveWatchCount', PUBLISHER_COUNTS.liveWatchCount),
]
