import { addDays, type Day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { dateTicks } from './date-ticks.ts'

const days = (from: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const key = addDays(from as Day, index)
    return { key, tick: `${Number(key.slice(5, 7))}/${Number(key.slice(8))}` }
  })
const texts = (points: ReturnType<typeof days>, room: number) => dateTicks(points, room).map(({ text }) => text)

test('a few days have a date each, as far as there is room', () => {
  expect(texts(days('2026-11-13', 7), 10)).toEqual(['11/13', '11/14', '11/15', '11/16', '11/17', '11/18', '11/19'])
  expect(texts(days('2026-11-13', 7), 4)).toEqual(['11/13', '11/15', '11/17', '11/19'])
})

test('a year of days is read by its months, the first one of a year with its year', () => {
  expect(texts(days('2025-11-20', 120), 10)).toEqual(['12月', '2026年1月', '2月', '3月'])
  expect(dateTicks(days('2025-11-20', 120), 10)[0]?.index).toBe(11)
  expect(texts(days('2025-11-20', 365), 6)).toEqual(['12月', '2026年2月', '4月', '6月', '8月', '10月'])
})

test('a year that begins with its January says so at once', () => {
  expect(texts(days('2026-01-01', 90), 10)).toEqual(['2026年1月', '2月', '3月'])
})

test('ten years of days never read as ten Decembers', () => {
  expect(texts(days('2020-12-01', 3_650), 10).slice(0, 3)).toEqual(['12月', '2021年12月', '2022年12月'])
})

test('other points keep their own words', () => {
  const hours = Array.from({ length: 96 }, (_, index) => ({ key: `h${index}`, tick: `${index % 24}時` }))
  expect(dateTicks(hours, 4).map(({ text }) => text)).toEqual(['0時', '0時', '0時', '0時'])
  expect(dateTicks([], 4)).toEqual([])
})
