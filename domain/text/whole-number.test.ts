import { expect, test } from 'vitest'
import { readWholeNumber } from './whole-number.ts'

test.each([
  ['33334', 33334n],
  ['33,334', 33334n],
  [' -1,234,567 ', -1234567n],
  ['0', 0n],
])('%j is a whole number', (text, value) => expect(readWholeNumber(text)).toBe(value))

test.each([
  '',
  '-',
  '1,2',
  '33,33',
  ',334',
  '1,2345',
  '33 334',
  '1.5',
  '33.334',
  '1e5',
  '+5',
  '１２３',
  '（1,000）',
  '9'.repeat(31),
])('%j is not', text => expect(readWholeNumber(text)).toBeUndefined())
