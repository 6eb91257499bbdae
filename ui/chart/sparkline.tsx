import { linePath } from './scale.ts'

const WIDTH = 96
const HEIGHT = 30

/** The shape of a series without axes; decoration beside the figure that says it. */
export function Sparkline({ values, color }: { values: readonly (number | null)[]; color: string }) {
  const known = values.filter(value => value !== null)
  if (known.length < 2) return null
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  const points = values.map((value, index) =>
    value === null
      ? undefined
      : ([(index / (values.length - 1)) * WIDTH, HEIGHT - 4 - ((value - low) / span) * (HEIGHT - 8)] as const),
  )
  const isWhole = known.length === values.length
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {isWhole && <path d={`${linePath(points)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} fill={color} opacity={0.1} />}
      <path d={linePath(points)} fill="none" stroke={color} strokeWidth={1.5} strokeLinejoin="round" />
    </svg>
  )
}
