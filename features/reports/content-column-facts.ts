import { CONTENT_REVENUE_METRICS } from '@pc/domain/report/metric.ts'
import { EFFECTIVE_RATE, more, REVENUE, RPM, SHARE_NOTE, shown, staffYen, YEN_NOTE } from './column-facts.ts'
import { RETAINED } from './publisher-column-facts.ts'
import type { ReportColumn } from './report-columns.ts'

/** Columns that reports of articles and of videos share. */
export const contentMoney = (noun: string): readonly ReportColumn[] => [
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

export const itemColumns = (noun: string): readonly ReportColumn[] => [
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
export const moreItemColumns = (noun: string): readonly ReportColumn[] => [
  more('itemId', { label: `${noun}ID`, unit: 'text', definition: `${noun}の番号です。` }),
  more('publisherId', { label: 'パブリッシャーID', unit: 'text', definition: 'パブリッシャーの番号です。' }),
  more('url', { label: 'URL', unit: 'text', definition: `${noun}のURLです。` }),
]
