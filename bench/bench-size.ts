import { type Day, day } from '@pc/domain/month/day.ts'

/** Size of a generated store. Its name is the factor in relation to `1`; the targets apply to `16`. */
export interface BenchSize {
  readonly name: string
  readonly publishers: number
  readonly newArticlesPerDay: number
  readonly newVideosPerDay: number
  readonly from: Day
  readonly to: Day
  /** Free disk space that generating the store needs. */
  readonly freeDiskGb: number
  /** Only if the distribution differs from {@link BenchShape}'s defaults. */
  readonly shape?: BenchShape
}

/**
 * How rows are distributed. Without values: contents live two weeks in one medium, and publishers have equal shares.
 */
export interface BenchShape {
  /** Contents live `days` days in all media and are read on every `readEvery`-th day. */
  readonly longLife?: { readonly days: number; readonly readEvery: number }
  /** The first publisher has every n-th content. */
  readonly largestHasOneOf?: number
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

const peers: BenchSize = {
  ...size('peers', 16, 4),
  newArticlesPerDay: 1_600,
  newVideosPerDay: 30,
  from: day('2025-09-01'),
}

/**
 * Stores for comparisons with other products: about 5 million article-days of 2,000 publishers, in three distributions.
 */
const PEER_SHAPES = {
  today: peers,
  'long-lived': {
    ...peers,
    name: 'peers-long-lived',
    newArticlesPerDay: 90,
    newVideosPerDay: 2,
    shape: { longLife: { days: 365, readEvery: 10 } },
  },
  'one-large': { ...peers, name: 'peers-one-large', shape: { largestHasOneOf: 5 } },
} as const satisfies Record<string, BenchSize>

export function peerSize(shape: string): BenchSize {
  const found = new Map<string, BenchSize>(Object.entries(PEER_SHAPES)).get(shape)
  if (!found) throw new RangeError(`--shape ${shape}: choose from ${Object.keys(PEER_SHAPES).join(', ')}`)
  return found
}

export function benchSize(name: string): BenchSize {
  const found = SIZES.find(each => each.name === name)
  if (!found) throw new RangeError(`--size ${name}: choose from ${SIZES.map(each => each.name).join(', ')}`)
  return found
}
