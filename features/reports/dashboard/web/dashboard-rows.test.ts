import { day } from '@pc/domain/month/day.ts'
import { describe, expect, test } from 'vitest'
import { demographicMatrix } from '../../core/web/demographic-matrix.ts'
import { rangeLabel } from '../../core/web/period-label.ts'
import type { FiguresFragment } from './dashboard.gen.ts'
import { chartPoints, dashboardRows } from './dashboard-rows.ts'

function figures(date: string, more: Partial<FiguresFragment> = {}): FiguresFragment {
  return {
    date,
    days: 1,
    daysWithData: 1,
    isComplete: true,
    hasBeenFinalized: false,
    follower: null,
    impressions: 1000,
    clicks: 0,
    ctr: 0,
    watchCount: 0,
    publisherTotalRevenue: 0,
    articleImpressions: 0,
    articleClicks: 0,
    articleWatchCount: 0,
    videoImpressions: 0,
    videoClicks: 0,
    videoWatchCount: 0,
    liveImpressions: 0,
    liveClicks: 0,
    liveWatchCount: 0,
    rpm: null,
    compared: null,
    ...more,
  }
}
const range = (from: string, to: string) => ({ from: day(from), to: day(to) })
const answer = (nodes: FiguresFragment[], dataUntil: string | null, total = nodes.length) => ({
  nodes,
  dataUntil,
  total,
})

describe('rows of the dashboard', () => {
  test('distinguish final, estimated, running, awaited and missing days', () => {
    const rows = dashboardRows(
      range('2026-10-31', '2026-11-04'),
      'daily',
      answer(
        [
          figures('2026-10-31', { hasBeenFinalized: true }),
          figures('2026-11-02'),
          figures('2026-11-03', { isComplete: false }),
        ],
        '2026-11-03',
      ),
    )
    expect(rows.map(row => row.state)).toEqual(['final', 'none', 'estimate', 'running', 'awaited'])
  })

  test('keep no data apart from zero, also in the chart', () => {
    const rows = dashboardRows(
      range('2026-11-01', '2026-11-02'),
      'daily',
      answer([figures('2026-11-01')], '2026-11-02'),
    )
    expect(chartPoints(rows, 'daily').map(point => point.values.revenue)).toEqual([0, null])
  })

  test('name weeks from Sunday and months, and the part that the filter covers', () => {
    const labels = (granularity: 'weekly' | 'monthly') =>
      dashboardRows(range('2026-10-28', '2026-11-09'), granularity, answer([], null)).map(row => row.label)
    expect(labels('weekly')).toEqual(['2026年10月28日〜31日', '2026年11月1日〜7日', '2026年11月8日〜9日'])
    expect(labels('monthly')).toEqual(['2026年10月（28日〜31日）', '2026年11月（1日〜9日）'])
    const whole = dashboardRows(range('2026-10-01', '2026-10-31'), 'monthly', answer([], null))
    expect(whole.map(row => row.label)).toEqual(['2026年10月'])
  })

  test('end where a cut answer ends: what was not sent is not "no data"', () => {
    const cut = answer([figures('2026-11-01'), figures('2026-11-02')], '2026-11-30', 30)
    expect(dashboardRows(range('2026-11-01', '2026-11-30'), 'daily', cut)).toHaveLength(2)
  })
})

test('ranges are written once where they share a month or a year', () => {
  expect(rangeLabel(range('2026-11-01', '2026-11-01'))).toBe('2026年11月1日')
  expect(rangeLabel(range('2026-10-31', '2026-11-01'))).toBe('2026年10月31日〜11月1日')
  expect(rangeLabel(range('2025-12-31', '2026-01-01'))).toBe('2025年12月31日〜2026年1月1日')
})

test('demographics ignore id 0, and the index is the id minus one', () => {
  const matrix = demographicMatrix([
    { genderId: 0, ageId: 1, click: 99 },
    { genderId: 1, ageId: 0, click: 99 },
    { genderId: 3, ageId: 1, click: 99 },
    { genderId: 1, ageId: 1, click: 5 },
    { genderId: 2, ageId: 8, click: 7 },
  ])
  expect(matrix[0]![0]).toBe(5)
  expect(matrix[1]![7]).toBe(7)
  expect(matrix.flat().reduce((sum, click) => sum + click, 0)).toBe(12)
})
