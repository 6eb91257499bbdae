import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupedNumberText, isBlockedKey, plainNumberText, readNumberText, tidyNumberText } from './number-text.ts'

describe('number text', () => {
  test('blocks e, minus, plus and period, also in full width', () => {
    for (const key of [...'eE+-.', ...'ｅ－＋．−']) expect(isBlockedKey(key, 'integer')).toBe(true)
    for (const key of ['1', 'Enter', 'Backspace', 'Escape', 'End']) expect(isBlockedKey(key, 'integer')).toBe(false)
    expect(isBlockedKey('.', 'rate')).toBe(false)
    expect(isBlockedKey('-', 'rate')).toBe(true)
  })

  test('empty and non-numeric texts are undefined', () => {
    for (const text of ['', ' ', '円', 'abc', '.', '−']) {
      expect(readNumberText(text, 'integer')).toBeUndefined()
      expect(readNumberText(text, 'rate')).toBeUndefined()
    }
  })

  test('reads full width, separators and units', () => {
    expect(readNumberText('１，２３４円', 'integer')).toBe(1234)
    expect(readNumberText('¥12,000', 'integer')).toBe(12000)
    expect(readNumberText('７０．５％', 'rate')).toBe(7050)
    expect(readNumberText('0.07', 'rate')).toBe(7)
    expect(tidyNumberText('1.2.3', 'rate')).toBe('1.23')
  })

  test.each([
    '-5',
    '−5',
    '▲1,000',
    '△ 1,000',
    '(1,000)',
    '¥-500',
    '-¥500',
    '1.5',
    '１．５',
    '1,234.50',
    '1.234.567',
    '1e5',
  ])('a positive integer is not made of %j', text => {
    expect(tidyNumberText(text, 'integer')).toBeUndefined()
    expect(readNumberText(text, 'integer')).toBeUndefined()
  })

  test.each([
    ['1200.00', 1200],
    ['1,200.', 1200],
    ['1,200円（税込）', 1200],
    ['令和: 7', 7],
  ])('%j is an integer', (text, value) => expect(readNumberText(text, 'integer')).toBe(value))

  test('a rate is not below zero', () => {
    expect(tidyNumberText('-5', 'rate')).toBeUndefined()
    expect(readNumberText('▲70.5%', 'rate')).toBeUndefined()
  })

  test('account books write figures below zero with signs of their own', () => {
    for (const text of ['▲1,000', '△1,000', '(1,000)', '-¥1,000', '−1,000'])
      expect(readNumberText(text, 'signed')).toBe(-1000)
    expect(readNumberText('-1.5', 'signed')).toBeUndefined()
  })

  test('an integer that may be negative keeps its sign', () => {
    expect(isBlockedKey('-', 'signed')).toBe(false)
    expect(readNumberText('－１０', 'signed')).toBe(-10)
    expect(readNumberText('1-0', 'signed')).toBe(10)
    expect(readNumberText('-', 'signed')).toBeUndefined()
    expect(groupedNumberText(-1000, 'signed')).toBe('-1,000')
  })

  test('writes what it reads back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), units => {
        expect(readNumberText(plainNumberText(units, 'rate'), 'rate')).toBe(units)
        expect(readNumberText(groupedNumberText(units, 'integer'), 'integer')).toBe(units)
      }),
    )
    expect(groupedNumberText(1234567, 'integer')).toBe('1,234,567')
    expect(plainNumberText(7050, 'rate')).toBe('70.5')
    expect(plainNumberText(null, 'integer')).toBe('')
  })
})
