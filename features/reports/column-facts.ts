import { REVENUE_DETAIL_METRICS, SUMMARY_METRICS } from '@pc/domain/report/metric.ts'
import type { ReportColumn } from './report-columns.ts'

/** Label, unit, definition and formula of columns that several reports share. */
export type ColumnFacts = Pick<ReportColumn, 'label' | 'unit' | 'definition'> & Partial<ReportColumn>
export const shown = (id: string, parts: ColumnFacts): ReportColumn => ({ id, ...parts, isDefault: true })
export const more = (id: string, parts: ColumnFacts): ReportColumn => ({ id, ...parts })

export const SHARE_NOTE = '小数第1位で切り捨てます。分母が0のときは「—」です。'
export const YEN_NOTE = '1円未満は切り捨てです。速報の間は、月次の確定で変わることがあります。'

export const RPM: ColumnFacts = {
  label: 'RPM',
  unit: 'yen-tenths',
  definition: `表示1,000回あたりのパブリッシャーの収益です。${SHARE_NOTE}`,
  formula: '収益 ÷ 表示回数 × 1,000',
}
export const CTR: ColumnFacts = {
  label: SUMMARY_METRICS.ctr.label,
  unit: 'percent',
  definition: `表示された回数のうち、クリックされた割合です。${SHARE_NOTE}`,
  formula: 'クリック数 ÷ 表示回数',
}
export const REVENUE: ColumnFacts = {
  label: SUMMARY_METRICS.publisherTotalRevenue.label,
  unit: 'yen',
  definition: `パブリッシャーの収益です（自社広告と、分配されたSSPの収益）。${YEN_NOTE}`,
}
export const STATE: ReportColumn = {
  id: 'state',
  label: '状態',
  unit: 'text',
  definition:
    '確定：月次の確定が済んだ数値。速報：確定前の数値。集計中：期間がまだ終わっていない。集計前：データがまだ届いていない。データなし：届いたデータに含まれていない（0とは異なります）。',
  isDefault: true,
}
export const DATE: ReportColumn = {
  id: 'DATE',
  label: '期間',
  unit: 'text',
  definition: '集計単位（日、日曜始まりの週、月）の期間です。日本時間で区切ります。',
  isFixed: true,
}

export const EFFECTIVE_RATE: ColumnFacts = {
  label: REVENUE_DETAIL_METRICS.effectiveRate.label,
  unit: 'percent',
  definition: `総収益のうち、パブリッシャーの収益になる割合です。${SHARE_NOTE}`,
  formula: '収益 ÷ 総収益',
  isStaffOnly: true,
}
export const staffYen = (label: string, definition: string, formula?: string): ColumnFacts => ({
  label,
  unit: 'yen',
  definition,
  isStaffOnly: true,
  ...(formula === undefined ? {} : { formula }),
})
export const count = (label: string, definition: string, formula?: string): ColumnFacts => ({
  label,
  unit: 'count',
  definition,
  ...(formula === undefined ? {} : { formula }),
})
