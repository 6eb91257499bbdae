import { ARTICLE_METRICS, CONTENT_REVENUE_METRICS, VIDEO_METRICS } from '@pc/domain/report/metric.ts'
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
    { id: 'IMPRESSION', header: ARTICLE_METRICS.impression.label, value: row => row.impression },
    { id: 'CLICK', header: ARTICLE_METRICS.click.label, value: row => row.click },
    {
      id: 'CTR',
      header: ARTICLE_METRICS.ctr.label,
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
    header: `${CONTENT_REVENUE_METRICS.productAdsRevenue.label}（円）`,
    value: row => row.revenueDetail?.productAdsRevenue ?? null,
    isSortable: false,
  }
  return [
    {
      id: 'REVENUE',
      header: `${ARTICLE_METRICS.publisherTotalRevenue.label}（円）`,
      value: row => row.publisherTotalRevenue,
    },
    ...(hasDetail ? [gross] : []),
    { id: 'RPM', header: 'RPM（円）', value: row => row.rpm, text: row => tenths(row.rpm) },
  ]
}

export function articleFigures(hasDetail: boolean): readonly ReportFigure<ArticleFigures>[] {
  return [...shared<ArticleFigures>(ARTICLE_METRICS.watch.label), ...money<ArticleFigures>(hasDetail)]
}

/** Specification, sections 3 and 9: video stats. */
export function videoFigures(hasDetail: boolean): readonly ReportFigure<VideoFigures>[] {
  return [
    ...shared<VideoFigures>(VIDEO_METRICS.watch.label),
    { id: 'WATCH3S', header: VIDEO_METRICS.watch3s.label, value: row => row.watch3s },
    {
      id: 'PLAYTIME',
      header: VIDEO_METRICS.play_time.label,
      value: row => row.play_time,
      text: row => duration(row.play_time),
    },
    {
      id: 'AVERAGEPLAYTIME',
      header: VIDEO_METRICS.average_play_time.label,
      value: row => row.average_play_time,
      text: row => duration(row.average_play_time),
    },
    { id: 'WATCH97P', header: VIDEO_METRICS.watch97p.label, value: row => row.watch97p },
    {
      id: 'AVERAGEWATCH97P',
      header: VIDEO_METRICS.average_watch97p.label,
      value: row => row.average_watch97p,
      text: row => formatShare(row.watch97p, row.watch),
      csv: row => csvShare(row.watch97p, row.watch),
    },
    ...money<VideoFigures>(hasDetail),
  ]
}
