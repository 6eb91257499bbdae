import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { areWeekdaysComparable, type ComparedDay, deliveredKey, type MediumDay, missingMembers } from './day-members.ts'

/** Days from one on, each with the day so many days before it. */
const compared = (from: string, length: number, daysBefore: number): ComparedDay[] =>
  Array.from({ length }, (_, at) => {
    const date = addDays(day(from), at)
    const earlier = addDays(date, -daysBefore)
    return { date, before: { from: earlier, to: earlier } }
  })

test('weekdays are compared where both sides have the same ones, or each of them often', () => {
  expect(areWeekdaysComparable(compared('2026-11-10', 1, 1))).toBe(false)
  expect(areWeekdaysComparable(compared('2026-11-10', 3, 3))).toBe(false)
  expect(areWeekdaysComparable(compared('2026-11-10', 1, 7))).toBe(true)
  expect(areWeekdaysComparable(compared('2026-11-01', 7, 7))).toBe(true)
  expect(areWeekdaysComparable(compared('2026-11-01', 30, 31))).toBe(true)
})

test.each([
  ['two days between deliveries', ['2026-11-09', '2026-11-12'], 2],
  ['a pause that began long before the range', ['2026-10-20', '2026-11-12'], 0],
])('%s', (_, [last = '', next = ''], days) => {
  const range = compared('2026-11-10', 2, 28)
  const before = range.map(
    ({ before }): MediumDay => ({ mediumId: 1n, date: before!.from, sums: { articleClicks: 5n } }),
  )
  const delivered = new Set(
    [...before.map(({ date }) => date), day(last), day(next)].map(date => deliveredKey(1n, date as Day)),
  )
  const media = [{ mediumId: 1n, first: day('2026-01-01'), last: day('2026-11-20') }]
  const missing = missingMembers({ now: [], before }, range, delivered, media)
  expect(missing.flatMap(member => member.days)).toHaveLength(days)
})
