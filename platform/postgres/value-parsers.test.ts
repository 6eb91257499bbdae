import pg from 'pg'
import { expect, test } from 'vitest'
import { valueParsers } from './value-parsers.ts'

const { TIMESTAMPTZ } = pg.types.builtins
const ours = valueParsers.getTypeParser(TIMESTAMPTZ) as (text: string) => unknown
const theirs = pg.types.getTypeParser(TIMESTAMPTZ)

test.each([
  '2026-11-01 09:30:00+09',
  '2026-11-01 00:00:00.1+09',
  '2026-11-01 23:59:59.999999+09',
  '2024-02-29 12:00:00.123456+09',
  '2026-01-01 08:59:59.12+09',
  '1969-12-31 23:59:59.999999+09',
  '1000-01-01 00:00:00+09',
  '0001-01-01 00:00:00+09',
  '9999-12-31 23:59:59.999+09',
  '10000-01-01 00:00:00+09',
  '1800-01-01 00:00:00+09:18:59',
  '0044-03-15 12:00:00+09 BC',
  '2026-11-01 00:30:00+00',
  '2026-11-01 00:30:00.5-03:30',
  'infinity',
  '-infinity',
])('the instant %s is the same as the driver reads', text => {
  expect(ours(text)).toEqual(theirs(text))
})
