import { linePath } from './scale.ts'

/** In pixels. */
const WIDTH = 96
const HEIGHT = 30
/** More points could not be told apart at this width. */
const MAX_POINTS = 32

function averages(values: readonly (number | null)[], most: number): (number | null)[] {
  const size = Math.ceil(values.length / most)
  if (size <= 1) return [...values]
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => {
    const known = values.slice(index * size, (index + 1) * size).filter(value => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  })
}

/** The shape of a series without axes; decorative, beside the figure. */
export function Sparkline({ values: all, color }: { values: readonly (number | null)[]; color: string }) {
  const values = averages(all, MAX_POINTS)
  const known = values.filter(value => value !== null)
  if (known.length < 3) return null
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  // Days without data are bridged; the chart below shows them.
  const points = values.flatMap((value, index) =>
    value === null
      ? []
      : [[(index / (values.length - 1)) * WIDTH, HEIGHT - 4 - ((value - low) / span) * (HEIGHT - 8)] as const],
  )
  const [first, last] = [points[0]![0], points.at(-1)![0]]
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={`${linePath(points)}L${last} ${HEIGHT}L${first} ${HEIGHT}Z`} fill={color} opacity={0.1} />
      <path d={linePath(points)} fill="none" stroke={color} strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}
