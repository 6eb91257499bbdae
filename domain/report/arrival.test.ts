import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, day } from '../month/day.ts'
import { isAwaited, knownRange, missingDays } from './arrival.ts'
import { COMPARISONS, comparableRange, comparedRange, withoutTheirDays } from './comparison.ts'

const november = { from: day('2026-11-01'), to: day('2026-11-30') }
const medium = (mediumId: bigint, first: string, last: string) => ({ mediumId, first: day(first), last: day(last) })

test('missing are the days after the last one of a medium, until all of them; who has been silent for a week is not awaited', () => {
  const media = [
    medium(1n, '2025-10-01', '2026-11-19'),
    medium(2n, '2026-11-05', '2026-11-18'),
    medium(3n, '2025-10-01', '2026-11-12'),
    medium(4n, '2025-10-01', '2026-11-13'),
  ]
  expect(knownRange(media)).toEqual({ from: '2025-10-01', to: '2026-11-19' })
  const missing = [
    { mediumId: 2n, from: '2026-11-19', to: '2026-11-19' },
    { mediumId: 4n, from: '2026-11-14', to: '2026-11-19' },
  ]
  expect(missingDays(media, november)).toEqual(missing)
  expect(missingDays(media, { from: day('2026-11-16'), to: day('2026-11-18') })).toEqual([
    { mediumId: 4n, from: '2026-11-16', to: '2026-11-18' },
  ])
  expect(missingDays(media, { from: day('2026-11-01'), to: day('2026-11-13') })).toEqual([])
  expect(isAwaited(day('2026-11-12'), day('2026-11-19'))).toBe(false)
  expect([knownRange([]), missingDays([], november)]).toEqual([undefined, []])
  expect(withoutTheirDays('previous_period', november, missingDays(media, november))).toEqual([
    { mediumId: 2n, from: '2026-10-19', to: '2026-10-19' },
    { mediumId: 4n, from: '2026-10-14', to: '2026-10-19' },
  ])
})

test('each medium is compared by the days that it has: day by day, and all of them together', () => {
  const eachDay = ({ from, to }: { readonly from: Day; readonly to: Day }) => {
    const days: Day[] = []
    for (let each = from; each <= to; each = addDays(each, 1)) days.push(each)
    return days
  }
  const range = fc
    .nat(2000)
    .map(offset => addDays(day('2022-06-01'), offset))
    .chain(from => fc.nat(60).map(length => ({ from, to: addDays(from, length) })))
  const lags = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom(...COMPARISONS), range, lags, fc.nat(80), (kind, requested, late, offset) => {
      const lastOfAll = addDays(requested.from, offset)
      const media = late.map((lag, index) => ({
        mediumId: BigInt(index),
        first: day('2020-12-01'),
        last: addDays(lastOfAll, -lag + Math.min(...late)),
      }))
      const left = withoutTheirDays(kind, requested, missingDays(media, requested))
      const compared = comparableRange(kind, requested, knownRange(media))
      for (const { mediumId, last } of media) {
        const isLeft = (each: Day) => left.some(one => one.mediumId === mediumId && each >= one.from && each <= one.to)
        const own = (compared ? eachDay(compared) : []).filter(each => !isLeft(each))
        const counted = isAwaited(last, lastOfAll) ? last : lastOfAll
        const expected = eachDay(requested)
          .filter(each => each <= counted)
          .flatMap(each => comparedRange(kind, requested, { from: each, to: each }) ?? [])
        if (compared) expect(own).toEqual(expected.flatMap(eachDay))
      }
    }),
  )
})
