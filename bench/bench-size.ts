import { type Day, day } from '@pc/domain/month/day.ts'

/** A generated store. The number is the size in relation to `1`; `16` is what the targets are written for. */
export interface BenchSize {
  readonly name: string
  readonly publishers: number
  readonly newArticlesPerDay: number
  readonly newVideosPerDay: number
  readonly from: Day
  readonly to: Day
  /** Free disk that making the store needs. */
  readonly freeDiskGb: number
}

/** Publishers of one organisation. */
export const PUBLISHERS_PER_ORGANIZATION = 20
export const BENCH_MEDIA = [1, 2, 3, 4, 9]

const size = (name: string, times: number, freeDiskGb: number): BenchSize => ({
  name,
  publishers: 125 * times,
  newArticlesPerDay: 625 * times,
  newVideosPerDay: 30 * times,
  from: day('2024-11-01'),
  to: day('2026-10-31'),
  freeDiskGb,
})

const SIZES: readonly BenchSize[] = [
  { ...size('small', 1, 1), newArticlesPerDay: 100, publishers: 40, from: day('2025-10-01') },
  size('1', 1, 2),
  size('4', 4, 6),
  size('16', 16, 20),
]

export function benchSize(name: string): BenchSize {
  const found = SIZES.find(each => each.name === name)
  if (!found) throw new RangeError(`--size ${name}: choose from ${SIZES.map(each => each.name).join(', ')}`)
  return found
}
