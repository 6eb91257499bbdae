import { expect, test } from 'vitest'
import { day } from './day.ts'
import { typedDay, typedMonth, typedTime } from './typed-date.ts'
import { yearMonth } from './year-month.ts'

const TODAY = day('2026-12-31')
const NOW = yearMonth(2026, 12)

test.each<[string, string | undefined]>([
  ['2026-11-30', '2026-11-30'],
  ['２０２６／１１／３０', '2026-11-30'],
  ['2026/1/5', '2026-01-05'],
  ['20260105', '2026-01-05'],
  ['2026年1月5日', '2026-01-05'],
  [' 2026.01.05 ', '2026-01-05'],
  [' 明日', '2027-01-01'],
  ['昨日', '2026-12-30'],
  ['constructor', undefined],
  ['2026/2/30', undefined],
  ['2026/11', undefined],
  ['', undefined],
])('typed %j is %s', (text, value) => expect(typedDay(text, TODAY)).toBe(value))

test.each<[string, number | undefined]>([
  ['2026-11', 202611],
  ['２０２６／１１', 202611],
  ['2026/1', 202601],
  ['202601', 202601],
  ['2026年1月', 202601],
  [' 2026.01 ', 202601],
  ['来月', 202701],
  ['先月', 202611],
  ['来月末', undefined],
  ['2026/13', undefined],
  ['2026/0', undefined],
  ['0000/1', undefined],
  ['2026/11/30', undefined],
  ['20261', undefined],
  ['', undefined],
])('typed %j is the month %s', (text, value) => expect(typedMonth(text, NOW)).toBe(value))

test.each<[string, string | undefined]>([
  ['9:30', '09:30'],
  ['０９：３０', '09:30'],
  ['0930', '09:30'],
  ['9時30分', '09:30'],
  ['9時', '09:00'],
  ['23:59', '23:59'],
  ['', '00:00'],
  ['9:', undefined],
  ['24:00', undefined],
  ['12:60', undefined],
  ['朝', undefined],
])('typed %j is the time %s', (text, value) => expect(typedTime(text)).toBe(value))
