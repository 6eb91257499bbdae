import '../theme/styles.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { ChartPoint, ChartSeries } from './chart-points.ts'
import { TimeSeries } from './time-series.tsx'

const point = (key: string, value: number | null, state: ChartPoint['state'] = 'final'): ChartPoint => ({
  ...{ key, tick: key, heading: key, state },
  values: { clicks: value, before: value === null ? 4 : value + 1 },
})
const series = (shape: ChartSeries['shape']): ChartSeries => ({
  ...{ key: 'clicks', label: 'クリック数', unit: '回', shape, color: 'rgb(1, 2, 3)' },
  against: { key: 'before', label: '前の期間' },
})

async function marksOf(
  shape: ChartSeries['shape'],
  points: readonly ChartPoint[],
  isPlain = true,
): Promise<SVGSVGElement> {
  const { container } = await render(
    <div style={{ width: 600 }}>
      <TimeSeries title="クリック数" points={points} series={[series(shape)]} isPlain={isPlain} />
    </div>,
  )
  await expect.poll(() => container.querySelector('svg')).not.toBeNull()
  return container.querySelector('svg')!
}

test('bars: provisional ones are hatched, a point without data has none, and the compared period lies over them', async () => {
  const svg = await marksOf('bar', [point('1', 5), point('2', null), point('3', 7, 'provisional')])
  const bars = [...svg.querySelectorAll('rect[rx]')].map(bar => bar.getAttribute('fill')?.replace(/#.*/, '#'))
  expect(bars).toEqual(['rgb(1, 2, 3)', 'url(#'])
  const over = svg.querySelector('path[data-over=bar]')
  expect(over?.getAttribute('d')?.match(/[ML]/g)).toEqual(['M', 'L', 'L'])
  const bar = svg.querySelector('rect[rx]')!
  expect(bar.compareDocumentPosition(over!) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})

test('bars: where nothing is final the legend says so and none is hatched; without a legend all are', async () => {
  const points = [point('1', 5, 'provisional'), point('2', null), point('3', 7, 'provisional')]
  const plain = await marksOf('bar', points)
  expect(plain.querySelectorAll('rect[rx][fill^="url("]')).toHaveLength(2)
  const svg = await marksOf('bar', points, false)
  expect([...svg.querySelectorAll('rect[rx]')].map(bar => bar.getAttribute('fill'))).toEqual(
    Array(2).fill('rgb(1, 2, 3)'),
  )
  await expect.element(page.getByText('速報・集計中')).toBeVisible()
})

test('a line: broken where data is missing, dashed towards what may change, and a dot for a point that stands alone', async () => {
  const svg = await marksOf('line', [
    ...[point('1', 5), point('2', 6), point('3', null), point('4', 4), point('5', null)],
    ...[point('6', 5), point('7', 7, 'provisional')],
  ])
  const [solid, dashed] = [...svg.querySelectorAll('path[stroke]')]
  expect(solid!.getAttribute('d')?.match(/[ML]/g)).toEqual(['M', 'L', 'M', 'M'])
  expect(dashed!.getAttribute('stroke-dasharray')).toBe('4 4')
  expect(dashed!.getAttribute('d')?.match(/[ML]/g)).toEqual(['M', 'L'])
  expect(svg.querySelectorAll('circle')).toHaveLength(1)
})
