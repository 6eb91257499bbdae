import { timesOf } from '../run-times.ts'

/** Measurements of one side until the other's turn. */
export interface Slice {
  /** Duration of each request in milliseconds. */
  readonly milliseconds: readonly number[]
  /** From the first request until the last answer. */
  readonly elapsedMs: number
  /** Processor time of the slice; NaN where the system does not tell. */
  readonly serverMs: number
  readonly postgresMs: number
  /** Processor time of the server's main thread. */
  readonly mainMs: number
}

/** `time`: milliseconds per request, lower is better. `rate`: requests per second, higher is better. */
export type Unit = 'time' | 'rate'

export interface PeerLine {
  readonly work: string
  readonly peer: string
  readonly unit: Unit
  /** Limit of the ratio ours / theirs: at most (`time`) or at least (`rate`). */
  readonly goal: number
  /** Slices in turn: ours[0], theirs[0], ours[1], … */
  readonly ours: readonly Slice[]
  readonly theirs: readonly Slice[]
  /** Load average of each pair of slices. */
  readonly loads: readonly number[]
}

const median = (values: readonly number[]) => timesOf(values).p50

/** The median request of a slice, or its requests per second. */
function figureOf(slice: Slice, unit: Unit): number {
  return unit === 'time' ? median(slice.milliseconds) : (slice.milliseconds.length * 1_000) / slice.elapsedMs
}

/** Median of the pairs' ratios, because both slices of a pair ran under the same conditions. */
export function ratioOf({ ours, theirs, unit }: PeerLine): number {
  return median(ours.map((slice, place) => figureOf(slice, unit) / figureOf(theirs[place]!, unit)))
}

export function isMet(line: PeerLine): boolean {
  return line.unit === 'time' ? ratioOf(line) <= line.goal : ratioOf(line) >= line.goal
}

type Part = 'serverMs' | 'postgresMs' | 'mainMs'

/** Processor time per request, summed over all slices because the kernel's clock is too coarse for one request. */
function perRequest(slices: readonly Slice[], parts: readonly Part[]): number {
  const requests = slices.reduce((sum, slice) => sum + slice.milliseconds.length, 0)
  return slices.reduce((sum, slice) => sum + parts.reduce((all, part) => all + slice[part], 0), 0) / requests
}

export function processorRatio({ ours, theirs }: PeerLine): number {
  return perRequest(ours, ['serverMs', 'postgresMs']) / perRequest(theirs, ['serverMs', 'postgresMs'])
}

const COLUMNS = [
  ['work', 34],
  ['peer', 12],
  ['ours', 9],
  ['theirs', 9],
  ['ratio', 7],
  ['goal', 8],
  ['', 6],
  ['CPU ours', 19],
  ['CPU theirs', 19],
  ['ratio', 7],
  ['main', 6],
  ['load', 5],
] as const
const TEXTS = 2

function row(cells: readonly string[]): string {
  const padded = cells.map((cell, place) => {
    const [, width] = COLUMNS[place]!
    return place < TEXTS ? cell.padEnd(width) : cell.padStart(width)
  })
  return padded.join(' ').trimEnd()
}

/** Lines are printed as soon as they are ready, so column widths are fixed. */
export function printPeerHead(): string {
  return row(COLUMNS.map(([name]) => name))
}

const figure = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0))
const times = (ratio: number) => (Number.isNaN(ratio) ? '–' : `${ratio.toFixed(2)} ×`)

export function printPeerLine(line: PeerLine): string {
  const { work, peer, unit, goal, ours, theirs, loads } = line
  const middle = (slices: readonly Slice[]) =>
    `${figure(median(slices.map(slice => figureOf(slice, unit))))}${unit === 'time' ? ' ms' : '/s'}`
  const processor = (slices: readonly Slice[]) => {
    const [all, postgres] = [perRequest(slices, ['serverMs', 'postgresMs']), perRequest(slices, ['postgresMs'])]
    return `${figure(all)} (${figure(all - postgres)} + ${figure(postgres)})`
  }
  return row([
    work,
    peer,
    middle(ours),
    middle(theirs),
    times(ratioOf(line)),
    `${unit === 'time' ? '≤' : '≥'} ${goal} ×`,
    isMet(line) ? 'met' : 'missed',
    processor(ours),
    processor(theirs),
    times(processorRatio(line)),
    figure(perRequest(ours, ['mainMs'])),
    median(loads).toFixed(1),
  ])
}
