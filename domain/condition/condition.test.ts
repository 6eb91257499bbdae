import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, day as dayValue } from '../month/day.ts'
import { addMonths, EARLIEST_MONTH, yearMonth } from '../month/year-month.ts'
import { defineCondition } from './condition.ts'
import { chosenRange, defaultRange, rangeEnd } from './default-range.ts'
import { day, flag, id, ids, month, oneOf, page, text } from './params.ts'

const condition = defineCondition({
  from: day(),
  to: day(),
  month: month(),
  granularity: oneOf(['daily', 'weekly', 'monthly']),
  mediumId: id(),
  publisherIds: ids(),
  name: text(),
  isTerminated: flag(),
  page: page(50),
})

const anyId = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }).map(String)
const anyDay = fc.option(
  fc.integer({ min: 0, max: 20_000 }).map(n => addDays(dayValue('2020-12-01'), n)),
  { nil: undefined },
)
const anyCondition = fc.record({
  from: anyDay,
  to: anyDay,
  month: fc.option(
    fc.integer({ min: 0, max: 600 }).map(n => addMonths(EARLIEST_MONTH, n)),
    { nil: undefined },
  ),
  granularity: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
  mediumId: fc.option(anyId, { nil: undefined }),
  publisherIds: fc.array(anyId, { maxLength: 20 }),
  name: fc.string({ unit: 'binary', maxLength: 250 }),
  isTerminated: fc.boolean(),
  page: fc.integer({ min: 1, max: 999_999 }),
})

/** Days whose calendars would reach beyond the year 9999. */
const TOO_LATE = ['from=2100-01-01', 'to=9999-12-31', 'month=2100-01', 'month=9999-12']

describe('condition', () => {
  test('reads and writes one readable address', () => {
    const value = condition.parse('month=2026-10&mediumId=12')
    expect(value).toEqual({ ...condition.defaults, month: yearMonth(2026, 10), mediumId: '12' })
    expect(condition.format(value)).toBe('month=2026-10&mediumId=12')
  })

  test('gives every value back that it wrote', () => {
    fc.assert(
      fc.property(anyCondition, value => {
        const tidy = condition.parse(condition.format(value))
        expect(condition.parse(condition.format(tidy))).toEqual(tidy)
        expect(tidy).toEqual({
          ...value,
          name: tidy.name,
          publisherIds: [...new Set(value.publisherIds)].sort((a, b) => Number(BigInt(a) - BigInt(b)) || 0),
        })
      }),
    )
  })

  test('has one address for one condition', () => {
    fc.assert(
      fc.property(anyCondition, value => {
        const address = condition.format(value)
        expect(condition.format(condition.parse(address))).toBe(address)
        const shuffled = address?.split('&').reverse().join('&')
        expect(condition.format(condition.parse(shuffled))).toBe(address)
      }),
    )
  })

  test('reads any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), raw => {
        const value = condition.parse(raw)
        expect(condition.parse(condition.format(value))).toEqual(value)
      }),
    )
    for (const raw of [
      '',
      '&&&',
      '%',
      '%E0%A4%A',
      '=1',
      'page=0',
      'page=-1',
      'from=2020-11-30',
      'granularity=hourly',
      ...TOO_LATE,
    ])
      expect(condition.parse(raw)).toEqual(condition.defaults)
  })

  test('survives the encoding of an address', () => {
    fc.assert(
      fc.property(anyCondition, value => {
        const address = condition.format(value) ?? ''
        expect(decodeURIComponent(encodeURIComponent(address))).toBe(address)
        expect(address).not.toMatch(/[/?#%]/)
      }),
    )
  })

  test('leaves defaults out of the address', () => {
    expect(condition.format(condition.defaults)).toBeUndefined()
    expect(condition.format({ ...condition.defaults, page: 2 })).toBe('page=2')
  })

  test('gives the rows of its page', () => {
    expect(condition.pageVariables(condition.parse('publisherIds=3,1,3&page=3&name=a'))).toEqual({
      limit: 50,
      offset: 100,
    })
  })
})

describe('default range', () => {
  test('is the seven days before yesterday', () => {
    expect(defaultRange(dayValue('2026-11-20'))).toEqual({ from: '2026-11-12', to: '2026-11-18' })
  })

  test('does not reach before the earliest day', () => {
    expect(defaultRange(dayValue('2020-12-05'))).toEqual({ from: '2020-12-01', to: '2020-12-03' })
    expect(defaultRange(dayValue('2020-12-01'))).toEqual({ from: '2020-12-01', to: '2020-12-01' })
  })

  test('gives way to chosen days, in order', () => {
    const today = dayValue('2026-11-20')
    const chosen = { from: dayValue('2026-10-31'), to: dayValue('2026-10-01') }
    expect(chosenRange(chosen, today)).toEqual({ from: '2026-10-01', to: '2026-10-31' })
    expect(chosenRange({ from: undefined, to: undefined }, today)).toEqual(defaultRange(today))
  })

  test('ends where it begins when its end is missing or lies before', () => {
    expect(rangeEnd(202_610, 202_612)).toBe(202_612)
    expect(rangeEnd(202_610, undefined)).toBe(202_610)
    expect(rangeEnd(202_610, 202_601)).toBe(202_610)
    expect(rangeEnd(undefined, 202_601)).toBe(202_601)
  })
})

test('an address names no more ids than a set may have', () => {
  expect(ids(2).parse('30,4,100')).toEqual(['4', '30'])
})
