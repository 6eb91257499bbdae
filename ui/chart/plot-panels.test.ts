import { expect, test } from 'vitest'
import type { ChartPoint, ChartSeries } from './chart-points.ts'
import { layPanels } from './plot-panels.ts'

const series = (key: string, shape: ChartSeries['shape'], against?: string): ChartSeries => ({
  key,
  label: key,
  unit: '円',
  shape,
  color: 'red',
  ...(against ? { against: { key: against, label: against } } : {}),
})
const point = (values: ChartPoint['values']): ChartPoint => ({
  key: 'k',
  tick: '',
  heading: '',
  state: 'final',
  values,
})

test('panels fill the height with a gap between them; bars are half as high again as lines', () => {
  const panels = layPanels([series('a', 'bar'), series('b', 'line')], [point({ a: 1, b: 1 })], 336)
  expect(panels.map(({ top, bottom }) => [top, bottom])).toEqual([
    [0, 180],
    [216, 336],
  ])
})

test('the scale holds the compared values, what is below zero, and zero itself', () => {
  const [panel] = layPanels(
    [series('a', 'bar', 'before')],
    [point({ a: 5, before: 90 }), point({ a: -20, before: null })],
    100,
  )
  expect(panel!.scale.ticks[0]).toBeLessThanOrEqual(-20)
  expect(panel!.scale.ticks.at(-1)).toBeGreaterThanOrEqual(90)
  expect(panel!.scale.ticks).toContain(0)
})

test('without any data there is a panel all the same', () => {
  const [panel] = layPanels([series('a', 'line')], [point({ a: null })], 100)
  expect(panel!.scale.at(0)).toBe(100)
  expect(panel!.scale.ticks.every(Number.isFinite)).toBe(true)
})
