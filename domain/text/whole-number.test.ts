import { expect, test } from 'vitest'
import { readWholeNumber } from './whole-number.ts'

test.each([
  ['33334', 33334n],
  ['33,334', 33334n],
  [' -1,234,567 ', -1234567n],
  ['0', 0n],
  ['１２，３４５', 12345n],
  ['－２００００', -20000n],
  ['−20,000', -20000n],
  ['▲20000', -20000n],
  ['△２０，０００', -20000n],
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
  '▲-5',
  '5▲',
  '１．５',
  '（1,000）',
  '9'.repeat(31),
])('%j is not', text => expect(readWholeNumber(text)).toBeUndefined())
