import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, day } from '../month/day.ts'
import { firstDayOf, type YearMonth, yearMonth } from '../month/year-month.ts'
import {
  checkMedium,
  checkMediumNumber,
  isRetired,
  MEDIUM_BOUNDS,
  mediumNumberOf,
  NEW_MEDIUM,
  plainMedium,
  retiredMedium,
} from './medium.ts'

const GOOD = { ...NEW_MEDIUM, name: 'ニュース', code: 'news' }
const codes = (change: object) =>
  checkMedium({ ...GOOD, ...change }, ['param']).map(one => `${one.code} ${one.path.join('.')}`)

test.each([
  [{ name: '' }, 'medium/name-missing param.name'],
  [{ name: 'あ'.repeat(101) }, 'medium/name-too-long param.name'],
  [{ name: 'ニュ\u202Eース' }, 'name/hidden-characters param.name'],
  [{ code: 'ニュース' }, 'medium/code-form param.code'],
  [{ code: '-news' }, 'medium/code-form param.code'],
  [{ code: 'news_' }, 'medium/code-form param.code'],
  [{ code: 'a b' }, 'medium/code-form param.code'],
  [{ code: 'a\n' }, 'medium/code-form param.code'],
  [{ code: 'n'.repeat(31) }, 'medium/code-form param.code'],
  [{ displayOrder: -1 }, 'medium/order-out-of-range param.displayOrder'],
  [{ displayOrder: 10_000 }, 'medium/order-out-of-range param.displayOrder'],
  [{ displayOrder: 1.5 }, 'medium/order-out-of-range param.displayOrder'],
  [{ retiredOn: day('1999-12-31') }, 'medium/retired-out-of-range param.retiredOn'],
  [{ retiredOn: day('2100-01-01') }, 'medium/retired-out-of-range param.retiredOn'],
])('%j is refused at its field', (change, expected) => expect(codes(change)).toEqual([expected]))

test('the largest and the smallest are taken', () => {
  expect(
    codes({ name: '𠮟'.repeat(100), code: 'n'.repeat(30), displayOrder: 9_999, retiredOn: day('2099-12-31') }),
  ).toEqual([])
  expect(codes({ name: 'a', code: '1', displayOrder: 0, retiredOn: day('2000-01-01') })).toEqual([])
  expect(codes({ code: '' })).toEqual([])
})

test('a number is 1 … fifteen digits, and every one of them is exact in JavaScript', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), number => {
      expect(mediumNumberOf(String(number))).toBe(number >= 0n && String(number).length <= 15 ? number : 0n)
      const isTaken = checkMediumNumber(number, ['param', 'id']).length === 0
      expect(isTaken).toBe(number >= 1n && number <= MEDIUM_BOUNDS.number)
      if (isTaken) expect(BigInt(Number(number))).toBe(number)
    }),
  )
})

test('what people type in full width or capitals becomes the plain code; doing it twice changes nothing', () => {
  expect(plainMedium({ name: ' ニュース ', code: ' ＮＥＷＳ－１ ' })).toEqual({ name: 'ニュース', code: 'news-1' })
  fc.assert(
    fc.property(fc.record({ name: fc.string(), code: fc.string({ unit: 'binary' }) }), content => {
      const once = plainMedium(content)
      if (codes(once).length === 0) expect(plainMedium(once)).toEqual(once)
    }),
  )
})

test('retired from a day: nothing is registered on it or later, nothing starts in a month that begins on it or later', () => {
  const days = fc.integer({ min: -800, max: 800 }).map(count => addDays(day('2026-07-01'), count))
  const months = fc
    .tuple(fc.integer({ min: 2025, max: 2028 }), fc.integer({ min: 1, max: 12 }))
    .map(([y, m]) => yearMonth(y, m))
  const at = { medium: ['mediumId'], firstMonth: ['validFromMonth'] }
  const ask = (retiredOn: Day | null, today: Day, firstMonth: YearMonth) =>
    retiredMedium({ name: 'm', retiredOn }, { today, firstMonth }, at).map(one => one.path[0])
  fc.assert(
    fc.property(days, days, months, (retiredOn, today, firstMonth) => {
      expect(ask(null, today, firstMonth)).toEqual([])
      const expected = today >= retiredOn ? ['mediumId'] : firstDayOf(firstMonth) >= retiredOn ? ['validFromMonth'] : []
      expect(ask(retiredOn, today, firstMonth)).toEqual(expected)
      expect(isRetired({ retiredOn }, today)).toBe(today >= retiredOn)
    }),
  )
  // In the middle of a month: until the day comes, an agreement may still begin with that month.
  expect(ask(day('2026-07-15'), day('2026-07-14'), yearMonth(2026, 7))).toEqual([])
  expect(ask(day('2026-07-15'), day('2026-07-14'), yearMonth(2026, 8))).toEqual(['validFromMonth'])
})
