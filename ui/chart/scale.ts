/** Positions of `count` equal bands in `length` pixels. */
export interface BandScale {
  readonly step: number
  readonly width: number
  start(index: number): number
  middle(index: number): number
}

/** @param padding share of a step that stays empty */
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

/** Zero at `bottom`, a round value at or above `max` at `top`; about `count` steps of 1, 2, 2.5 or 5 times ten. */
export function valueScale(max: number, bottom: number, top: number, count: number): ValueScale {
  const raw = Math.max(1, max) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, ([1, 2, 2.5, 5].find(factor => factor * power >= raw) ?? 10) * power)
  const steps = Math.max(1, Math.ceil(max / step))
  return {
    ticks: Array.from({ length: steps + 1 }, (_, index) => index * step),
    at: value => bottom + (value / (steps * step)) * (top - bottom),
  }
}

/** A line through the points; a missing point interrupts it. */
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
