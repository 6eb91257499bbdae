import {
  type BoardTile,
  type TileFigure,
  type TilePeriod,
  type TileReport,
  type TileShape,
  tileFilter,
} from '@pc/domain/board/board.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { filterCountsText, hasLabels } from '@pc/domain/condition/filter-conversions.ts'
import { monthDayText } from '@pc/domain/month/day-text.ja.ts'
import { formatInteger, formatShare } from '@pc/ui/text/format.ts'

export const REPORT_LABELS: Readonly<Record<TileReport, string>> = {
  dashboard: 'ダッシュボード',
  ranking: 'パブリッシャーランキング',
  articles: '記事レポート',
  videos: '動画レポート',
}

export const SHAPE_LABELS: Readonly<Record<TileShape, string>> = { chart: 'グラフ', table: '表', figure: '数値' }

export const FIGURE_LABELS: Readonly<Record<TileFigure, string>> = {
  revenue: '収益',
  impressions: '表示回数',
  clicks: 'クリック数',
  ctr: 'クリック率',
  watchCount: '閲覧・再生数',
}

export const FIGURE_UNITS: Readonly<Record<TileFigure, string>> = {
  revenue: '円',
  impressions: '回',
  clicks: '回',
  ctr: '',
  watchCount: '回',
}

export const PERIOD_LABELS: Readonly<Record<TilePeriod, string>> = {
  last7: '直近7日',
  last28: '直近28日',
  thisMonth: '今月',
  lastMonth: '先月',
  fixed: '固定した期間',
}

/** For example 11月8日〜14日; days outside `year` include their year. */
export function shortRange({ from, to }: DayRange, year: string): string {
  const day = (value: DayRange['from']) =>
    value.startsWith(year) ? monthDayText(value) : `${value.slice(0, 4)}年${monthDayText(value)}`
  if (from === to) return day(from)
  return from.slice(0, 7) === to.slice(0, 7) ? `${day(from)}〜${Number(to.slice(8))}日` : `${day(from)}〜${day(to)}`
}

/** For example 媒体1件・パブリッシャー2件で絞り込み; empty without a filter. */
export function filterText(tile: Pick<BoardTile, 'report' | 'condition'>): string {
  const filter = tileFilter(tile)
  const text = filterCountsText(filter)
  const isOfArticlesOnly = tile.report !== 'articles' && hasLabels(filter)
  return text === '' ? '' : `${text}で絞り込み${isOfArticlesOnly ? '（記事のみ）' : ''}`
}

export interface TileFigures {
  readonly revenue: number
  readonly impressions: number
  readonly clicks: number
  readonly ctr: number | null
  readonly watchCount: number
}

/** 12,345 · 1.2%, rounded down. */
export function figureText(figures: TileFigures, figure: TileFigure): string {
  if (figure !== 'ctr') return formatInteger(figures[figure])
  return formatShare(figures.clicks, figures.impressions)
}
