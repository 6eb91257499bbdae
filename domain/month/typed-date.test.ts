import { expect, test } from 'vitest'
import { typedDay, typedMonth } from './typed-date.ts'

test.each<[string, string | undefined]>([
  ['2026-11-30', '2026-11-30'],
  ['２０２６／１１／３０', '2026-11-30'],
  ['2026/1/5', '2026-01-05'],
  ['20260105', '2026-01-05'],
  ['2026年1月5日', '2026-01-05'],
  [' 2026.01.05 ', '2026-01-05'],
  ['2026/2/30', undefined],
  ['2026/11', undefined],
  ['', undefined],
])('typed %j is %s', (text, value) => expect(typedDay(text)).toBe(value))

test.each<[string, number | undefined]>([
  ['2026-11', 202611],
  ['２０２６／１１', 202611],
  ['2026/1', 202601],
  ['202601', 202601],
  ['2026年1月', 202601],
  [' 2026.01 ', 202601],
  ['2026/13', undefined],
  ['2026/0', undefined],
  ['0000/1', undefined],
  ['2026/11/30', undefined],
  ['20261', undefined],
  ['', undefined],
])('typed %j is the month %s', (text, value) => expect(typedMonth(text)).toBe(value))
