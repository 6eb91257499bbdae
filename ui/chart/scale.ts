/** Positions of `count` equal bands in `length` pixels. */
export interface BandScale {
  readonly step: number
  readonly width: number
  start(index: number): number
  middle(index: number): number
}

/** @param padding the share of a step that stays empty */
export function bandScale(count: number, length: number, padding: number): BandScale {
  const step = length / Math.max(1, count)
  const width = step * (1 - padding)
  const start = (index: number) => index * step + (step - width) / 2
  return { step, width, start, middle: index => start(index) + width / 2 }
}

export interface ValueScale {
  readonly ticks: readonly number[]
  at(value: number): number
}

/**
 * A scale with a round value at or above the greatest at `top`, and at `bottom` zero or, for a negative least, a round
 * value at or below it. It has about `count` steps of 1, 2, 2.5 or 5 times a power of ten. Sums can be negative because
 * of corrections.
 */
export function valueScale(
  { least, greatest }: { readonly least: number; readonly greatest: number },
  bottom: number,
  top: number,
  count: number,
): ValueScale {
  const [min, max] = [Math.min(0, least), Math.max(0, greatest)]
  const raw = Math.max(1, max - min) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, ([1, 2, 2.5, 5].find(factor => factor * power >= raw) ?? 10) * power)
  const below = Math.ceil(-min / step)
  const steps = Math.max(1, below + Math.ceil(max / step))
  return {
    ticks: Array.from({ length: steps + 1 }, (_, index) => (index - below) * step),
    at: value => bottom + ((value + below * step) / (steps * step)) * (top - bottom),
  }
}

/** An SVG path through the points; a missing point interrupts the line. */
export function linePath(points: readonly (readonly [x: number, y: number] | undefined)[]): string {
  let isDrawing = false
  return points
    .map(point => {
      if (!point) {
        isDrawing = false
        return ''
      }
      const command = isDrawing ? 'L' : 'M'
      isDrawing = true
      return `${command}${point[0].toFixed(1)} ${point[1].toFixed(1)}`
    })
    .join('')
}
