import { changeTenths } from '@pc/domain/report/change.ts'
import {
  averageEngagedTime,
  averagePlayTime,
  averageWatch97p,
  clickThroughRate,
  completionRate,
  effectiveRate,
  revenuePerMille,
} from '@pc/domain/report/metric.ts'
import { roundDown } from '@pc/domain/report/round-down.ts'
import { shownYen } from '@pc/domain/report/shown-yen.ts'
import type { ExportCell, ExportColumn, ExportKind } from '@pc/domain/spreadsheet/export-column.ts'
import { headerOf, type ReportColumn } from '../../report-columns.ts'
import { COMPLETION, CONTENT_REVENUE_COLUMN, ENGAGED_TIME } from './content-kind.ts'
import { type Sums, sumOfColumns } from './figure-sums.ts'
import { completionsOf, engagedSeconds } from './reading-figures.ts'
import { SOURCE_REVENUE_COLUMNS } from './summary-sql.ts'

/** How a figure is computed from sums and written to a file. */
interface ExportFigure {
  readonly kind: ExportKind
  /** As the API answers it. */
  value(sums: Sums): bigint | number | null
  /** As the screen shows it: rounded down. */
  cell(sums: Sums): bigint | number | null
}

const whole = (value: (sums: Sums) => bigint): ExportFigure => ({ kind: 'integer', value, cell: value })
const count = (...columns: readonly string[]) => whole(sums => sumOfColumns(sums, ...columns))
const yen = (...columns: readonly string[]) => whole(sums => shownYen(sumOfColumns(sums, ...columns)))
const share = (part: readonly string[], of: readonly string[], value: ExportFigure['value']): ExportFigure => ({
  kind: 'percent',
  value,
  cell: sums => {
    const divisor = sumOfColumns(sums, ...of)
    return divisor <= 0n ? null : Number((sumOfColumns(sums, ...part) * 1000n) / divisor)
  },
})
const ratio = (kind: ExportKind, factor: number, value: (sums: Sums) => number | null): ExportFigure => ({
  kind,
  value,
  cell: sums => {
    const shown = value(sums)
    return shown === null ? null : roundDown(shown, factor)
  },
})

const REVENUE = ['publisher_revenue_micro_yen'] as const
const IMPRESSIONS = ['article_impression', 'video_impression', 'live_impression'] as const
const CLICKS = ['article_click', 'video_click', 'live_click'] as const
const sum = sumOfColumns

function moneyFigures(gross: readonly string[], impressions: readonly string[]) {
  return {
    revenue: yen(...REVENUE),
    gross: yen(...gross),
    retained: whole(sums => shownYen(sum(sums, ...gross)) - shownYen(sum(sums, ...REVENUE))),
    rate: ratio('percent', 1000, sums => effectiveRate(sum(sums, ...REVENUE), sum(sums, ...gross))),
    rpm: ratio('tenths', 10, sums => revenuePerMille(sum(sums, ...REVENUE), sum(sums, ...impressions))),
  }
}

const OF_PUBLISHERS = moneyFigures(SOURCE_REVENUE_COLUMNS, IMPRESSIONS)
const PUBLISHER_CTR = share(CLICKS, IMPRESSIONS, sums =>
  clickThroughRate(sum(sums, ...CLICKS), sum(sums, ...IMPRESSIONS)),
)

/** Figures by column id of the dashboard. */
export const DASHBOARD_FIGURES: Readonly<Record<string, ExportFigure>> = {
  impressions: count(...IMPRESSIONS),
  clicks: count(...CLICKS),
  ctr: PUBLISHER_CTR,
  watchCount: count('article_watch', 'video_watch', 'live_watch'),
  revenue: OF_PUBLISHERS.revenue,
  gross: OF_PUBLISHERS.gross,
  rpm: OF_PUBLISHERS.rpm,
  effectiveRate: OF_PUBLISHERS.rate,
  productAdsRevenue: yen('ads_revenue_micro_yen'),
  sspRevenue: yen('ssp_revenue_micro_yen'),
  videoSspRevenue: yen('video_ssp_revenue_micro_yen'),
  liveSspRevenue: yen('live_ssp_revenue_micro_yen'),
  retainedRevenue: OF_PUBLISHERS.retained,
  articleImpressions: count('article_impression'),
  articleClicks: count('article_click'),
  articleWatchCount: count('article_watch'),
  videoImpressions: count('video_impression'),
  videoClicks: count('video_click'),
  videoWatchCount: count('video_watch'),
  liveImpressions: count('live_impression'),
  liveClicks: count('live_click'),
  liveWatchCount: count('live_watch'),
}

/** Figures by column id of the ranking. */
export const RANKING_FIGURES: Readonly<Record<string, ExportFigure>> = {
  REVENUE: OF_PUBLISHERS.revenue,
  GROSSREVENUE: OF_PUBLISHERS.gross,
  IMPRESSION: count(...IMPRESSIONS),
  CLICK: count(...CLICKS),
  CTR: PUBLISHER_CTR,
  WATCH: count('article_watch', 'video_watch', 'live_watch'),
  RPM: OF_PUBLISHERS.rpm,
  effectiveRate: OF_PUBLISHERS.rate,
  ARTICLEIMPRESSION: count('article_impression'),
  ARTICLECLICK: count('article_click'),
  ARTICLEWATCH: count('article_watch'),
  VIDEOIMPRESSION: count('video_impression'),
  VIDEOCLICK: count('video_click'),
  VIDEOWATCH: count('video_watch'),
  LIVEIMPRESSION: count('live_impression'),
  LIVECLICK: count('live_click'),
  LIVEWATCH: count('live_watch'),
  PRODUCTADSREVENUE: yen('ads_revenue_micro_yen'),
  SSPREVENUE: yen('ssp_revenue_micro_yen'),
  VIDEOSSPREVENUE: yen('video_ssp_revenue_micro_yen'),
  LIVESSPREVENUE: yen('live_ssp_revenue_micro_yen'),
  retainedRevenue: OF_PUBLISHERS.retained,
}

const OF_CONTENT = moneyFigures([CONTENT_REVENUE_COLUMN], ['impression'])

/** Figures by column id of the reports of articles and videos. */
export const CONTENT_FIGURES: Readonly<Record<string, ExportFigure>> = {
  IMPRESSION: count('impression'),
  CLICK: count('click'),
  CTR: share(['click'], ['impression'], sums => clickThroughRate(sum(sums, 'click'), sum(sums, 'impression'))),
  WATCH: count('watch'),
  ENGAGEDTIME: { kind: 'seconds', value: engagedSeconds, cell: engagedSeconds },
  AVERAGEENGAGEDTIME: ratio('seconds', 1, sums =>
    averageEngagedTime(sum(sums, ENGAGED_TIME.sum), sum(sums, ENGAGED_TIME.watches)),
  ),
  COMPLETION: { kind: 'integer', value: completionsOf, cell: completionsOf },
  COMPLETIONRATE: share([COMPLETION.sum], [COMPLETION.watches], sums =>
    completionRate(sum(sums, COMPLETION.sum), sum(sums, COMPLETION.watches)),
  ),
  WATCH3S: count('watch3s'),
  PLAYTIME: { ...whole(sums => sum(sums, 'play_time_ms') / 1000n), kind: 'seconds' },
  AVERAGEPLAYTIME: ratio('seconds', 1, sums => averagePlayTime(sum(sums, 'play_time_ms'), sum(sums, 'watch'))),
  WATCH97P: count('watch97p'),
  AVERAGEWATCH97P: share(['watch97p'], ['watch'], sums => averageWatch97p(sum(sums, 'watch97p'), sum(sums, 'watch'))),
  REVENUE: OF_CONTENT.revenue,
  gross: OF_CONTENT.gross,
  RPM: OF_CONTENT.rpm,
  effectiveRate: OF_CONTENT.rate,
  retainedRevenue: OF_CONTENT.retained,
}

/** The sums of a row and of its compared days; null: no data. */
export interface ExportSource {
  readonly sums: Sums | null
  readonly compared: Sums | null
}

/** One or more columns of the file with their cells. */
export interface ExportPart<Row> {
  /** The column id, when the part is a figure. */
  readonly figureId?: string
  readonly columns: readonly ExportColumn[]
  cells(row: Row): readonly ExportCell[]
}

/** The columns of a figure: its value and, when compared, the compared value, the difference and the change in percent. */
export function figurePart<Row>(
  column: ReportColumn,
  figure: ExportFigure,
  isCompared: boolean,
  sourceOf: (row: Row) => ExportSource,
): ExportPart<Row> {
  const { kind } = figure
  const header = headerOf(column)
  const definition = definitionOf(column)
  const own: ExportColumn = { header, kind, definition }
  if (!isCompared) return { figureId: column.id, columns: [own], cells: row => [cellOf(figure, sourceOf(row).sums)] }
  return {
    figureId: column.id,
    columns: [
      own,
      { header: `${header}（比較期間）`, kind },
      // Differences of times are whole seconds, because spreadsheets lack negative times; those of rates are points.
      { header: `${header}（増減${DIFFERENCE_UNITS[kind] ?? ''}）`, kind: DIFFERENCE_KINDS[kind] ?? kind },
      { header: `${header}（増減率）`, kind: 'percent' },
    ],
    cells(row) {
      const { sums, compared } = sourceOf(row)
      const [now, before] = [cellOf(figure, sums), cellOf(figure, compared)]
      const difference = now === null || before === null ? null : differenceOf(now, before)
      return [now, before, difference, sums && compared ? changeOf(figure.value(sums), figure.value(compared)) : null]
    },
  }
}

/** A part of one column that is not a figure, for example a name. */
export function singlePart<Row>(
  column: ReportColumn,
  kind: ExportKind,
  width: number,
  cell: (row: Row) => ExportCell,
): ExportPart<Row> {
  return {
    columns: [{ header: headerOf(column), kind, width, definition: definitionOf(column) }],
    cells: row => [cell(row)],
  }
}

const DIFFERENCE_UNITS: Partial<Record<ExportKind, string>> = { seconds: '・秒', percent: '・ポイント' }
const DIFFERENCE_KINDS: Partial<Record<ExportKind, ExportKind>> = { seconds: 'integer', percent: 'tenths' }

export function definitionOf({ definition, formula }: ReportColumn): string {
  return formula === undefined ? definition : `${definition}計算：${formula}`
}

const cellOf = (figure: ExportFigure, sums: Sums | null) => (sums === null ? null : figure.cell(sums))

function differenceOf(now: bigint | number, before: bigint | number): bigint | number {
  return typeof now === 'bigint' && typeof before === 'bigint' ? now - before : Number(now) - Number(before)
}

function changeOf(now: bigint | number | null, before: bigint | number | null): number | null {
  if (now === null || before === null) return null
  return changeTenths(Number(now), Number(before)) ?? null
}
