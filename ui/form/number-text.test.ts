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
