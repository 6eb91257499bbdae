import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { chartPointsOf, type DatedRow, isProvisionalRow, stateOfRow, withEmptyPeriods } from './content-periods.ts'

const RANGE = { from: day('2026-11-02'), to: day('2026-11-05') }
const row = (date: string, change: Partial<DatedRow> = {}): DatedRow & { readonly clicks: number } => ({
  ...{ date, isComplete: true, hasBeenFinalized: false, clicks: 3 },
  ...change,
})
const datesOf = (order: string, dataUntil: string | null = '2026-11-04') =>
  withEmptyPeriods({ nodes: [row('2026-11-04'), row('2026-11-02')], dataUntil }, 'daily', RANGE, order).map(
    each => `${each.date?.slice(8)} ${stateOfRow(each)}`,
  )

test('a period is final, an estimate, or still running', () => {
  expect(stateOfRow(row('2026-11-02', { hasBeenFinalized: true }))).toBe('final')
  expect(stateOfRow(row('2026-11-02'))).toBe('estimate')
  expect(stateOfRow(row('2026-11-02', { isComplete: false, hasBeenFinalized: true }))).toBe('running')
  expect([row('2026-11-02'), row('2026-11-02', { emptyState: 'none' })].map(isProvisionalRow)).toEqual([true, false])
})

test('periods without data stand in their place by date, and behind all others in another order', () => {
  expect(datesOf('DATE_ASC')).toEqual(['02 estimate', '03 none', '04 estimate', '05 awaited'])
  expect(datesOf('DATE_DESC')).toEqual(['05 awaited', '04 estimate', '03 none', '02 estimate'])
  expect(datesOf('CLICK_DESC')).toEqual(['04 estimate', '02 estimate', '03 none', '05 awaited'])
})

test('where nothing has data there are no rows at all', () => {
  expect(withEmptyPeriods({ nodes: [], dataUntil: null }, 'daily', RANGE, 'DATE_ASC')).toEqual([])
})

test('a chart has a point for every period; one without data has no figures and says why', () => {
  const points = chartPointsOf<{ clicks: number }, ReturnType<typeof row>>(
    [row('2026-11-02', { hasBeenFinalized: true })],
    'daily',
    RANGE,
    '2026-11-04',
    figures => ({ clicks: figures?.clicks ?? null }),
  )
  expect(points.map(point => [point.key, point.state, point.values.clicks, Boolean(point.note)])).toEqual([
    ['2026-11-02', 'final', 3, false],
    ['2026-11-03', 'provisional', null, true],
    ['2026-11-04', 'provisional', null, true],
    ['2026-11-05', 'provisional', null, true],
  ])
})
