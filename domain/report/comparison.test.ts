import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DayRange } from '../condition/default-range.ts'
import { addDays, day, dayOfWeek, dayParts } from '../month/day.ts'
import { COMPARISONS, comparableRange, comparedRange } from './comparison.ts'
import { GRANULARITIES } from './granularity.ts'
import { averagePlayTime, averageWatch97p, effectiveRate, revenuePerMille } from './metric.ts'
import { daysOf, periodsOf } from './period.ts'

const someRange = fc
  .nat(2500)
  .map(offset => addDays(day('2022-06-01'), offset))
  .chain(from => fc.nat(400).map((length): DayRange => ({ from, to: addDays(from, length) })))

describe('what a range is compared with', () => {
  test('parts side by side are compared with parts side by side, and together with what the whole is compared with', () => {
    fc.assert(
      fc.property(fc.constantFrom(...COMPARISONS), fc.constantFrom(...GRANULARITIES), someRange, (kind, by, range) => {
        const whole = comparedRange(kind, range)
        const parts = periodsOf(by, range).flatMap(({ covered }) => comparedRange(kind, range, covered) ?? [])
        if (!whole) return
        expect(parts[0]?.from).toBe(whole.from)
        expect(parts.at(-1)?.to).toBe(whole.to)
        for (const [index, part] of parts.slice(1).entries()) expect(part.from).toBe(addDays(parts[index]!.to, 1))
      }),
    )
  })

  test('the days before: as many, without overlap; with the same weekdays: the nearest whole weeks', () => {
    fc.assert(
      fc.property(someRange, range => {
        const before = comparedRange('previous_period', range)!
        expect(addDays(before.to, 1)).toBe(range.from)
        const isWhole = dayParts(range.from).date === 1 && dayParts(addDays(range.to, 1)).date === 1
        if (isWhole) expect(dayParts(before.from).date).toBe(1)
        else expect(daysOf(before)).toBe(daysOf(range))
        const weekdays = comparedRange('same_weekdays', range)!
        expect([daysOf(weekdays), dayOfWeek(weekdays.from)]).toEqual([daysOf(range), dayOfWeek(range.from)])
        expect(weekdays.to < range.from && addDays(weekdays.to, 7) >= range.from).toBe(true)
      }),
    )
  })

  test('before whole months: as many whole months, whatever their lengths', () => {
    const before = (from: string, to: string, part?: string) => {
      const range = { from: day(from), to: day(to) }
      return comparedRange('previous_period', range, part ? { from: day(part), to: day(part) } : range)
    }
    expect(before('2026-10-01', '2026-10-31')).toEqual({ from: '2026-09-01', to: '2026-09-30' })
    expect(before('2026-02-01', '2026-02-28')).toEqual({ from: '2026-01-01', to: '2026-01-31' })
    expect(before('2026-01-01', '2026-03-31')).toEqual({ from: '2025-10-01', to: '2025-12-31' })
    expect(before('2026-10-01', '2026-10-31', '2026-10-30')).toEqual({ from: '2026-09-30', to: '2026-09-30' })
    expect(before('2026-10-01', '2026-10-31', '2026-10-31')).toBeUndefined()
    expect(before('2026-02-01', '2026-02-28', '2026-02-28')).toEqual({ from: '2026-01-28', to: '2026-01-31' })
    expect(before('2020-12-01', '2020-12-31')).toBeUndefined()
  })

  test('one year before: the same date; a month to its end is compared to its end', () => {
    const back = (from: string, to = from) => comparedRange('same_month_last_year', { from: day(from), to: day(to) })
    expect(back('2026-10-01', '2026-10-31')).toEqual({ from: '2025-10-01', to: '2025-10-31' })
    expect(back('2025-02-01', '2025-02-28')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
    expect(back('2024-02-01', '2024-02-29')).toEqual({ from: '2023-02-01', to: '2023-02-28' })
    expect(back('2024-02-29')).toBeUndefined()
    expect(back('2025-12-31', '2026-01-01')).toEqual({ from: '2024-12-31', to: '2025-01-01' })
    fc.assert(
      fc.property(someRange, ({ from }) => {
        const compared = back(from)
        if (compared) expect(dayParts(compared.from)).toEqual({ ...dayParts(from), year: dayParts(from).year - 1 })
      }),
    )
  })

  test('days before the product knows any are compared with nothing', () => {
    expect(comparedRange('previous_period', { from: day('2020-12-03'), to: day('2020-12-04') })).toEqual({
      from: '2020-12-01',
      to: '2020-12-02',
    })
    expect(comparedRange('previous_period', { from: day('2020-12-03'), to: day('2020-12-05') })).toBeUndefined()
    expect(comparedRange('same_month_last_year', { from: day('2021-11-01'), to: day('2021-11-30') })).toBeUndefined()
  })
})

describe('what known days are compared with', () => {
  const known: DayRange = { from: day('2025-10-01'), to: day('2026-11-20') }
  const november: DayRange = { from: day('2026-11-01'), to: day('2026-11-30') }

  test('of a month that has only begun to arrive, as many days of the days before', () => {
    expect(comparableRange('previous_period', november, known)).toEqual({ from: '2026-10-01', to: '2026-10-20' })
    expect(comparableRange('same_weekdays', november, known)).toEqual({ from: '2026-09-27', to: '2026-10-16' })
    expect(comparableRange('same_month_last_year', november, known)).toEqual({ from: '2025-11-01', to: '2025-11-20' })
  })

  test('nothing where a day before the first known one would be among them, where nothing has arrived, or nothing is known', () => {
    const year: DayRange = { from: day('2025-10-01'), to: day('2026-09-30') }
    expect(comparableRange('same_month_last_year', year, known)).toBeUndefined()
    expect(
      comparableRange('previous_period', { from: day('2025-10-05'), to: day('2025-10-09') }, known),
    ).toBeUndefined()
    expect(
      comparableRange('previous_period', { from: day('2026-11-21'), to: day('2026-11-30') }, known),
    ).toBeUndefined()
    expect(comparableRange('previous_period', november, undefined)).toBeUndefined()
  })

  test('what is wholly known is compared as ever, and parts side by side are compared with parts side by side', () => {
    const until = { from: known.from, to: day('2030-12-31') }
    fc.assert(
      fc.property(fc.constantFrom(...COMPARISONS), fc.constantFrom(...GRANULARITIES), someRange, (kind, by, range) => {
        const compared = comparedRange(kind, range)
        expect(comparableRange(kind, range, until)).toEqual(
          compared && compared.from >= until.from ? compared : undefined,
        )
        const whole = comparableRange(kind, range, known)
        if (!whole) return
        const parts = periodsOf(by, range).flatMap(({ covered }) => comparableRange(kind, range, known, covered) ?? [])
        expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([whole.from, whole.to])
        for (const [index, part] of parts.slice(1).entries()) expect(part.from).toBe(addDays(parts[index]!.to, 1))
      }),
    )
  })
})

test('ratios of nothing are nothing; money per 1,000 impressions comes from the exact amount', () => {
  expect([revenuePerMille(5n, 0n), effectiveRate(5n, 0n), averagePlayTime(5n, 0n), averageWatch97p(5n, 0n)]).toEqual(
    Array.from({ length: 4 }, () => null),
  )
  expect(revenuePerMille(1_500_000n, 1_000n)).toBe(1.5)
  expect(effectiveRate(450n, 1_000n)).toBe(0.45)
  expect(averagePlayTime(93_500n, 10n)).toBe(9.35)
  expect(averageWatch97p(1n, 4n)).toBe(0.25)
})
