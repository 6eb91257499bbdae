import { CTR, EFFECTIVE_RATE, more, REVENUE, RPM, shown } from './column-facts.ts'
import { GROSS, LIVE_SSP, PRODUCT_ADS, PUBLISHER_COUNTS, RETAINED, SSP, VIDEO_SSP } from './publisher-column-facts.ts'
import type { ReportColumn } from './report-columns.ts'

/** Column ids of figures equal the names of the API's orders. */
export const RANKING_COLUMNS: readonly ReportColumn[] = [
  {
    id: 'rank',
    label: '順位',
    unit: 'text',
    definition:
      '並べ替えている項目の大きい順の順位です。同じ数値は同じ順位です。矢印は、比較する期間からの順位の変化です。',
    isFixed: true,
  },
  {
    id: 'publisher',
    label: 'パブリッシャー',
    unit: 'text',
    definition: 'パブリッシャーの名前です。選ぶと、そのダッシュボードを開きます。',
    isFixed: true,
  },
  more('publisherId', { label: 'パブリッシャーID', unit: 'text', definition: 'パブリッシャーの番号です。' }),
  shown('REVENUE', REVENUE),
  shown('GROSSREVENUE', GROSS),
  shown('IMPRESSION', PUBLISHER_COUNTS.impressions),
  shown('CLICK', PUBLISHER_COUNTS.clicks),
  shown('CTR', CTR),
  shown('VIDEOWATCH', PUBLISHER_COUNTS.videoWatchCount),
  shown('LIVEWATCH', PUBLISHER_COUNTS.liveWatchCount),
  shown('RPM', RPM),
  shown('effectiveRate', EFFECTIVE_RATE),
  more('WATCH', PUBLISHER_COUNTS.watchCount),
  more('ARTICLEIMPRESSION', PUBLISHER_COUNTS.articleImpressions),
  more('ARTICLECLICK', PUBLISHER_COUNTS.articleClicks),
  more('ARTICLEWATCH', PUBLISHER_COUNTS.articleWatchCount),
  more('VIDEOIMPRESSION', PUBLISHER_COUNTS.videoImpressions),
  more('VIDEOCLICK', PUBLISHER_COUNTS.videoClicks),
  more('LIVEIMPRESSION', PUBLISHER_COUNTS.liveImpressions),
  more('LIVECLICK', PUBLISHER_COUNTS.liveClicks),
  more('PRODUCTADSREVENUE', PRODUCT_ADS),
  more('SSPREVENUE', SSP),
  more('VIDEOSSPREVENUE', VIDEO_SSP),
  more('LIVESSPREVENUE', LIVE_SSP),
  more('retainedRevenue', RETAINED),
]
