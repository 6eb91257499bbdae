import { ARTICLE_LABEL_NOUNS, type ArticleLabelKind, NO_LABEL } from '@pc/domain/report/article-label.ts'
import {
  ARTICLE_METRICS,
  CONTENT_REVENUE_METRICS,
  REVENUE_DETAIL_METRICS,
  SUMMARY_METRICS,
  VIDEO_METRICS,
} from '@pc/domain/report/metric.ts'

/**
 * The columns of the report screens: what they are called, what they mean and how they are computed, at one place. Table
 * headers and their explanations, the column chooser, exported files and the manual all read them here.
 */
export const REPORTS = [
  'dashboard',
  'publisher-ranking',
  'articles',
  'articles-by-date',
  'articles-by-author',
  'articles-by-section',
  'articles-by-tag',
  'article',
  'videos',
  'videos-by-date',
  'video',
] as const
export type Report = (typeof REPORTS)[number]

/** How a figure is written: 1,234 · 1,234円 · 12.3円 · 12.3% · mm:ss · a text. */
export type ColumnUnit = 'count' | 'people' | 'yen' | 'yen-tenths' | 'percent' | 'seconds' | 'text'

export interface ReportColumn {
  readonly id: string
  /** In the chooser and in explanations. */
  readonly label: string
  readonly unit: ColumnUnit
  readonly definition: string
  /** How it is computed, where it is not simply counted. */
  readonly formula?: string
  /** What the platform earned: for staff only. */
  readonly isStaffOnly?: true
  /** Always there, and always first. */
  readonly isFixed?: true
  /** Shown until a person chooses. */
  readonly isDefault?: true
}

/** With its unit: 収益（円）. */
export function headerOf({ label, unit }: ReportColumn): string {
  return unit === 'yen' || unit === 'yen-tenths' ? `${label}（円）` : label
}

type ColumnFacts = Pick<ReportColumn, 'label' | 'unit' | 'definition'> & Partial<ReportColumn>
const shown = (id: string, parts: ColumnFacts): ReportColumn => ({ id, ...parts, isDefault: true })
const more = (id: string, parts: ColumnFacts): ReportColumn => ({ id, ...parts })

const SHARE_NOTE = '小数第1位で切り捨てます。分母が0のときは「—」です。'
const YEN_NOTE = '1円未満は切り捨てです。速報の間は、月次の確定で変わることがあります。'

const RPM: ColumnFacts = {
  label: 'RPM',
  unit: 'yen-tenths',
  definition: `表示1,000回あたりのパブリッシャーの収益です。${SHARE_NOTE}`,
  formula: '収益 ÷ 表示回数 × 1,000',
}
const CTR: ColumnFacts = {
  label: SUMMARY_METRICS.ctr.label,
  unit: 'percent',
  definition: `表示された回数のうち、クリックされた割合です。${SHARE_NOTE}`,
  formula: 'クリック数 ÷ 表示回数',
}
const REVENUE: ColumnFacts = {
  label: SUMMARY_METRICS.publisherTotalRevenue.label,
  unit: 'yen',
  definition: `パブリッシャーの収益です（自社広告と、分配されたSSPの収益）。${YEN_NOTE}`,
}
const STATE: ReportColumn = {
  id: 'state',
  label: '状態',
  unit: 'text',
  definition:
    '確定：月次の確定が済んだ数値。速報：確定前の数値。集計中：期間がまだ終わっていない。集計前：データがまだ届いていない。データなし：届いたデータに含まれていない（0とは異なります）。',
  isDefault: true,
}
const DATE: ReportColumn = {
  id: 'DATE',
  label: '期間',
  unit: 'text',
  definition: '集計単位（日、日曜始まりの週、月）の期間です。日本時間で区切ります。',
  isFixed: true,
}

const EFFECTIVE_RATE: ColumnFacts = {
  label: REVENUE_DETAIL_METRICS.effectiveRate.label,
  unit: 'percent',
  definition: `総収益のうち、パブリッシャーの収益になる割合です。${SHARE_NOTE}`,
  formula: '収益 ÷ 総収益',
  isStaffOnly: true,
}
const staffYen = (label: string, definition: string, formula?: string): ColumnFacts => ({
  label,
  unit: 'yen',
  definition,
  isStaffOnly: true,
  ...(formula === undefined ? {} : { formula }),
})
const GROSS = staffYen(
  REVENUE_DETAIL_METRICS.grossRevenue.label,
  'プラットフォームが得た収益の合計です。社内限定の項目です。',
  '自社広告収益 + SSP収益 + 動画SSP収益 + ライブSSP収益',
)
const PRODUCT_ADS = staffYen(
  REVENUE_DETAIL_METRICS.productAdsRevenue.label,
  '自社広告による収益です。社内限定の項目です。',
)
const RETAINED = staffYen(
  REVENUE_DETAIL_METRICS.retainedRevenue.label,
  '総収益のうち、プラットフォームに残る額です。社内限定の項目です。',
  '総収益 − 収益',
)
const SSP = staffYen(REVENUE_DETAIL_METRICS.sspRevenue.label, 'SSP（記事）による収益です。社内限定の項目です。')
const VIDEO_SSP = staffYen(REVENUE_DETAIL_METRICS.videoSspRevenue.label, '動画SSPによる収益です。社内限定の項目です。')
const LIVE_SSP = staffYen(REVENUE_DETAIL_METRICS.liveSspRevenue.label, 'ライブSSPによる収益です。社内限定の項目です。')

const count = (label: string, definition: string, formula?: string): ColumnFacts => ({
  label,
  unit: 'count',
  definition,
  ...(formula === undefined ? {} : { formula }),
})
const PUBLISHER_COUNTS = {
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

const DASHBOARD: readonly ReportColumn[] = [
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

/** The ids of figures are those of the orders in the API. */
const RANKING: readonly ReportColumn[] = [
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

const contentMoney = (noun: string): readonly ReportColumn[] => [
  shown('REVENUE', { ...REVENUE, definition: `この${noun}によるパブリッシャーの収益です。${YEN_NOTE}` }),
  shown('gross', {
    ...staffYen(
      CONTENT_REVENUE_METRICS.productAdsRevenue.label,
      `この${noun}による自社広告の収益です。社内限定の項目です。`,
    ),
  }),
  shown('RPM', RPM),
  shown('effectiveRate', {
    ...EFFECTIVE_RATE,
    definition: `自社広告収益のうち、パブリッシャーの収益になる割合です。${SHARE_NOTE}`,
    formula: '収益 ÷ 自社広告収益',
  }),
  more('retainedRevenue', {
    ...RETAINED,
    definition: '自社広告収益のうち、プラットフォームに残る額です。社内限定の項目です。',
    formula: '自社広告収益 − 収益',
  }),
]

const itemColumns = (noun: string): readonly ReportColumn[] => [
  {
    id: 'title',
    label: 'タイトル',
    unit: 'text',
    definition: `${noun}のタイトルです。選ぶと、${noun}の詳細を開きます。`,
    isFixed: true,
  },
  shown('publisher', {
    label: 'パブリッシャー',
    unit: 'text',
    definition: `${noun}を配信したパブリッシャーの名前です。`,
  }),
  shown('publishedAt', { label: '公開日', unit: 'text', definition: `${noun}が公開された日です（日本時間）。` }),
]
const moreItemColumns = (noun: string): readonly ReportColumn[] => [
  more('itemId', { label: `${noun}ID`, unit: 'text', definition: `${noun}の番号です。` }),
  more('publisherId', { label: 'パブリッシャーID', unit: 'text', definition: 'パブリッシャーの番号です。' }),
  more('url', { label: 'URL', unit: 'text', definition: `${noun}のURLです。` }),
]

const articleFigures: readonly ReportColumn[] = [
  shown('IMPRESSION', count(ARTICLE_METRICS.impression.label, '記事が画面に表示された回数です。')),
  shown('CLICK', count(ARTICLE_METRICS.click.label, '記事がクリック（タップ）された回数です。')),
  shown('CTR', CTR),
  shown('WATCH', count(ARTICLE_METRICS.watch.label, '記事が開かれて読まれた回数です。')),
  ...contentMoney('記事'),
]

const videoFigures: readonly ReportColumn[] = [
  shown('IMPRESSION', count(VIDEO_METRICS.impression.label, '動画が画面に表示された回数です。')),
  shown('CLICK', count(VIDEO_METRICS.click.label, '動画がクリック（タップ）された回数です。')),
  shown('CTR', CTR),
  shown('WATCH', count(VIDEO_METRICS.watch.label, '動画が再生された回数です。')),
  shown('WATCH3S', count(VIDEO_METRICS.watch3s.label, '3秒以上再生された回数です。')),
  shown('PLAYTIME', {
    label: VIDEO_METRICS.play_time.label,
    unit: 'seconds',
    definition: '再生された時間の合計です。',
  }),
  shown('AVERAGEPLAYTIME', {
    label: VIDEO_METRICS.average_play_time.label,
    unit: 'seconds',
    definition: '1回の再生あたりの再生時間です。1秒未満は切り捨てます。',
    formula: '再生時間 ÷ 再生数',
  }),
  shown('WATCH97P', count(VIDEO_METRICS.watch97p.label, '動画の97%以上まで再生された回数です。')),
  shown('AVERAGEWATCH97P', {
    label: VIDEO_METRICS.average_watch97p.label,
    unit: 'percent',
    definition: `再生のうち、97%以上まで見られた割合です。${SHARE_NOTE}`,
    formula: '97%再生数 ÷ 再生数',
  }),
  ...contentMoney('動画'),
]

const DURATION: ReportColumn = shown('duration', {
  label: '動画の長さ',
  unit: 'seconds',
  definition: '動画そのものの長さです。',
})

const SHARED_NOTE: Readonly<Record<ArticleLabelKind, string>> = {
  author: '著者が2人以上の記事は、それぞれの著者に記事の全体を数えます。',
  section: '1つの記事のセクションは1つです。',
  tag: 'タグが2つ以上ある記事は、それぞれのタグに記事の全体を数えます。',
}

/** 著者別 · セクション別 · タグ別 */
function labelColumns(kind: ArticleLabelKind): readonly ReportColumn[] {
  const noun = ARTICLE_LABEL_NOUNS[kind]
  return [
    {
      id: 'label',
      label: noun,
      unit: 'text',
      definition: `記事と一緒に届いた${noun}です。${SHARED_NOTE[kind]}${noun}のない記事は「${NO_LABEL}」です。選ぶと、その記事を表示します。`,
      isFixed: true,
    },
    shown('publisher', {
      label: 'パブリッシャー',
      unit: 'text',
      definition: `${noun}の記事を配信したパブリッシャーの名前です。同じ名前でも、パブリッシャーごとに分けます。`,
    }),
    shown('articles', count(ARTICLE_METRICS.articles.label, '期間中にデータのある記事の数です。')),
    ...articleFigures,
    more('publisherId', { label: 'パブリッシャーID', unit: 'text', definition: 'パブリッシャーの番号です。' }),
  ]
}

export const REPORT_COLUMNS: Readonly<Record<Report, readonly ReportColumn[]>> = {
  dashboard: DASHBOARD,
  'publisher-ranking': RANKING,
  articles: [...itemColumns('記事'), ...articleFigures, ...moreItemColumns('記事')],
  'articles-by-date': [DATE, STATE, ...articleFigures],
  'articles-by-author': labelColumns('author'),
  'articles-by-section': labelColumns('section'),
  'articles-by-tag': labelColumns('tag'),
  article: [DATE, STATE, ...articleFigures],
  videos: [...itemColumns('動画'), DURATION, ...videoFigures, ...moreItemColumns('動画')],
  'videos-by-date': [DATE, STATE, ...videoFigures],
  video: [DATE, STATE, ...videoFigures],
}

/** The columns of a report that a person may see at all. */
export function columnsOfReport(report: Report, isStaff: boolean): readonly ReportColumn[] {
  return REPORT_COLUMNS[report].filter(column => isStaff || !column.isStaffOnly)
}

/**
 * The chosen columns in their order. What is not known (any more) is left out, the fixed ones lead; nothing chosen: the
 * default.
 */
export function chosenColumns(
  report: Report,
  isStaff: boolean,
  chosen: readonly string[] | undefined,
): readonly ReportColumn[] {
  const known = columnsOfReport(report, isStaff)
  const fixed = known.filter(column => column.isFixed)
  const ids = [...new Set(chosen ?? [])]
  const picked = ids.flatMap(id => known.filter(column => column.id === id && !column.isFixed))
  return [...fixed, ...(chosen === undefined ? known.filter(column => column.isDefault) : picked)]
}
