import { type BoardTile, TILE_REPORTS, tileCondition } from '@pc/domain/board/board.ts'
import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { articlesCondition, videosCondition } from '../../reports/content-condition.ts'
import { dashboardCondition } from '../../reports/dashboard-condition.ts'
import { rankingCondition } from '../../reports/ranking-condition.ts'
import { reportAddress } from './report-address.ts'

const TODAY = day('2026-11-29')
const CONDITIONS = {
  dashboard: dashboardCondition,
  ranking: rankingCondition,
  articles: articlesCondition,
  videos: videosCondition,
} as const
const tile = (report: BoardTile['report'], change: Partial<BoardTile> = {}): BoardTile => ({
  id: 't1',
  title: '',
  report,
  shape: 'table',
  figure: 'revenue',
  granularity: 'weekly',
  period: 'last7',
  from: null,
  to: null,
  compareWith: null,
  condition: tileCondition(report, { mediumId: ['3'], publisherId: ['7', '8'] }),
  groupBy: null,
  width: 2,
  height: 2,
  ...change,
})
const conditionAt = (shown: BoardTile) => {
  const address = reportAddress(shown, TODAY)
  return { ...CONDITIONS[shown.report].parse(decodeURIComponent(address.slice(address.lastIndexOf('/') + 1))) }
}

test('every report opens with the days of today and the filter of the tile', () => {
  for (const report of TILE_REPORTS)
    expect(conditionAt(tile(report)), report).toMatchObject({
      from: '2026-11-22',
      to: '2026-11-28',
      mediumId: ['3'],
      publisherId: ['7', '8'],
    })
})

test('comparison, steps and grouping follow the tile', () => {
  expect(conditionAt(tile('dashboard', { compareWith: 'same_weekdays' }))).toMatchObject({
    granularity: 'weekly',
    compareWith: 'same_weekdays',
  })
  expect(conditionAt(tile('articles'))).toMatchObject({ groupBy: 'article' })
  expect(conditionAt(tile('articles', { shape: 'chart' }))).toMatchObject({ groupBy: 'date', granularity: 'weekly' })
  expect(conditionAt(tile('articles', { shape: 'chart', groupBy: 'author' }))).toMatchObject({ groupBy: 'author' })
  expect(conditionAt(tile('videos'))).toMatchObject({ groupBy: 'video' })
  expect(conditionAt(tile('videos', { shape: 'chart' }))).toMatchObject({ groupBy: 'date' })
})

test('fixed days stay as they are', () => {
  const fixed = { period: 'fixed', from: day('2025-01-01'), to: day('2025-01-31') } as const
  expect(conditionAt(tile('ranking', fixed))).toMatchObject({ from: '2025-01-01', to: '2025-01-31' })
})
