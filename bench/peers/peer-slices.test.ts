import { expect, test } from 'vitest'
import {
  isMet,
  type PeerLine,
  printPeerHead,
  printPeerLine,
  processorRatio,
  ratioOf,
  type Slice,
} from './peer-slices.ts'

const slice = (milliseconds: readonly number[], serverMs = 10, postgresMs = 5): Slice => ({
  milliseconds,
  elapsedMs: milliseconds.reduce((sum, each) => sum + each, 0),
  serverMs,
  postgresMs,
  mainMs: serverMs / 2,
})
const line = (ours: readonly Slice[], theirs: readonly Slice[], more: Partial<PeerLine> = {}): PeerLine => ({
  work: 'one record',
  peer: 'a peer',
  unit: 'time',
  goal: 1.2,
  ours,
  theirs,
  loads: ours.map((_, place) => place + 1),
  ...more,
})

test('the ratio is the median of the pairs, so a pair that met a busy machine changes nothing', () => {
  const ours = [slice([1, 1, 1]), slice([50, 60, 70]), slice([2, 2, 100])]
  const theirs = [slice([1, 1, 1]), slice([1, 1, 1]), slice([2, 2, 2])]
  expect(ratioOf(line(ours, theirs))).toBe(1)
  expect(isMet(line(ours, theirs))).toBe(true)
})

test('a rate counts the requests of the whole slice, and is met from its goal upwards', () => {
  const ours = { ...slice([4, 4, 4, 4]), elapsedMs: 4 }
  const theirs = { ...slice([4, 4, 4, 4]), elapsedMs: 8 }
  const rates = line([ours], [theirs], { unit: 'rate', goal: 2 })
  expect(ratioOf(rates)).toBe(2)
  expect(isMet(rates)).toBe(true)
  expect(isMet({ ...rates, goal: 2.1 })).toBe(false)
})

test('processor time is that of all slices and of PostgreSQL too, for one request', () => {
  const ours = [slice([1, 1], 30, 10), slice([1, 1], 10, 10)]
  expect(processorRatio(line(ours, [slice([1, 1], 4, 6), slice([1, 1], 4, 6)]))).toBe(3)
})

test('a line has a cell under each head; what is not known is a dash', () => {
  const printed = printPeerLine(line([slice([2])], [slice([1])]))
  expect(printed).toMatch(
    /^one record +a peer +2\.00 ms +1\.00 ms +2\.00 × +≤ 1\.2 × +missed +15\.0 \(10\.0 \+ 5\.00\) +15\.0 \(10\.0 \+ 5\.00\) +1\.00 × +5\.00 +1\.0$/,
  )
  expect(printed.indexOf('a peer')).toBe(printPeerHead().indexOf('peer'))
  expect(printPeerLine(line([slice([2], Number.NaN)], [slice([1])]))).toContain('– (– + 5.00)')
})
