import { formatDuration, formatShare, NO_VALUE } from '@pc/ui/format.ts'
import type { ReportFigure } from './report-figures.tsx'

/** Figures that articles and videos share, as both APIs name them. */
export interface ArticleFigures {
  readonly impression: number
  readonly click: number
  readonly ctr: number | null
  readonly watch: number
  readonly publisherTotalRevenue: number
  readonly rpm: number | null
  readonly revenueDetail?: { readonly productAdsRevenue: number } | null
}
export interface VideoFigures extends ArticleFigures {
  readonly watch3s: number
  readonly play_time: number
  readonly average_play_time: number | null
  readonly watch97p: number
  readonly average_watch97p: number | null
}

const oneDecimal = new Intl.NumberFormat('ja-JP', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Rounded down to a tenth, as every rate that is shown. */
export function tenths(value: number | null): string {
  return value === null ? NO_VALUE : oneDecimal.format(Math.floor(value * 10 + 1e-9) / 10)
}

/** mm:ss or h:mm:ss. */
export function duration(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? NO_VALUE : formatDuration(seconds)
}

const csvShare = (part: number, whole: number) => formatShare(part, whole).replace(NO_VALUE, '')

function shared<F extends ArticleFigures>(watchHeader: string): readonly ReportFigure<F>[] {
  return [
    { id: 'IMPRESSION', header: '表示回数', value: row => row.impression },
    { id: 'CLICK', header: 'クリック数', value: row => row.click },
    {
      id: 'CTR',
      header: 'クリック率',
      value: row => row.ctr,
      text: row => formatShare(row.click, row.impression),
      csv: row => csvShare(row.click, row.impression),
    },
    { id: 'WATCH', header: watchHeader, value: row => row.watch },
  ]
}

function money<F extends ArticleFigures>(hasDetail: boolean): readonly ReportFigure<F>[] {
  const gross: ReportFigure<F> = {
    id: 'gross',
    header: '広告収益（円）',
    value: row => row.revenueDetail?.productAdsRevenue ?? null,
    isSortable: false,
  }
  return [
    { id: 'REVENUE', header: '収益（円）', value: row => row.publisherTotalRevenue },
    ...(hasDetail ? [gross] : []),
    { id: 'RPM', header: 'RPM（円）', value: row => row.rpm, text: row => tenths(row.rpm) },
  ]
}

export function articleFigures(hasDetail: boolean): readonly ReportFigure<ArticleFigures>[] {
  return [...shared<ArticleFigures>('閲覧数'), ...money<ArticleFigures>(hasDetail)]
}

/** Specification, sections 3 and 9: video stats. */
export function videoFigures(hasDetail: boolean): readonly ReportFigure<VideoFigures>[] {
  return [
    ...shared<VideoFigures>('再生数'),
    { id: 'WATCH3S', header: '3秒再生数', value: row => row.watch3s },
    { id: 'PLAYTIME', header: '再生時間', value: row => row.play_time, text: row => duration(row.play_time) },
    {
      id: 'AVERAGEPLAYTIME',
      header: '平均再生時間',
      value: row => row.average_play_time,
      text: row => duration(row.average_play_time),
    },
    { id: 'WATCH97P', header: '97%再生数', value: row => row.watch97p },
    {
      id: 'AVERAGEWATCH97P',
      header: '97%再生率',
      value: row => row.average_watch97p,
      text: row => formatShare(row.watch97p, row.watch),
      csv: row => csvShare(row.watch97p, row.watch),
    },
    ...money<VideoFigures>(hasDetail),
  ]
}
