import { day } from '@pc/domain/month/day.ts'
import { dayText, dayTextWithWeekday } from '@pc/domain/month/day-text.ja.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatChange,
  formatCompact,
  formatDuration,
  formatInstantDay,
  formatInteger,
  formatRateUnits,
  formatShare,
  formatShortDay,
  formatTenths,
} from './format.ts'

describe('figures', () => {
  test('have thousands separators, and no value is not zero', () => {
    expect([1234567, 0, -1234, null].map(formatInteger)).toEqual(['1,234,567', '0', '−1,234', '—'])
  })

  test('are grouped as the formatter of the browser does it', () => {
    const whole = new Intl.NumberFormat('ja-JP', { maximumFractionDigits: 0 })
    const tenth = new Intl.NumberFormat('ja-JP', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    fc.assert(
      fc.property(fc.maxSafeInteger(), value => {
        expect(formatInteger(value)).toBe(whole.format(value).replace('-', '−'))
      }),
    )
    fc.assert(
      fc.property(fc.integer(), tenths => {
        expect(formatTenths(tenths)).toBe(tenth.format(tenths / 10).replace('-', '−'))
      }),
    )
  })

  test('show rates as percentages with one decimal, rounded down', () => {
    expect([100, 1234, 1239, 9999, 0].map(formatRateUnits)).toEqual(['1.0%', '12.3%', '12.3%', '99.9%', '0.0%'])
  })

  test('divide counts without the error of floating point', () => {
    expect(formatShare(29, 100)).toBe('29.0%')
    expect(formatShare(1, 3)).toBe('33.3%')
    expect(formatShare(5, 0)).toBe('—')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), (part, whole) => {
        const tenths = Math.round(Number.parseFloat(formatShare(part, whole).replaceAll(',', '')) * 10)
        expect(BigInt(tenths) * BigInt(whole) <= BigInt(part) * 1000n).toBe(true)
        expect(BigInt(tenths + 1) * BigInt(whole) > BigInt(part) * 1000n).toBe(true)
      }),
    )
  })

  test('say how much they changed, with a sign', () => {
    expect(formatChange(1124, 1000)).toEqual({ direction: 'up', text: '+12.4%' })
    expect(formatChange(969, 1000)).toEqual({ direction: 'down', text: '−3.1%' })
    expect(formatChange(1000, 1000)).toEqual({ direction: 'none', text: '±0.0%' })
    expect(formatChange(5, 0)).toBeUndefined()
  })

  test('are short on an axis', () => {
    expect([0, 9999, 250_000, 123_456_789, 2e12].map(formatCompact)).toEqual(['0', '9,999', '25万', '1.2億', '2兆'])
    expect([-9999, -250_000].map(formatCompact)).toEqual(['−9,999', '−25万'])
  })
})

describe('times', () => {
  test('are written in Japanese', () => {
    expect(dayText(day('2026-11-08'))).toBe('2026年11月8日')
    expect(formatShortDay(day('2026-01-08'))).toBe('01/08')
    expect(dayTextWithWeekday(day('2026-11-08'))).toBe('2026年11月8日（日）')
  })

  test('are those of Tokyo', () => {
    expect(formatInstantDay('2026-11-07T15:00:00Z')).toBe('2026年11月8日')
    expect(formatInstantDay('2026-11-07T14:59:59.999Z')).toBe('2026年11月7日')
  })

  test('are mm:ss, or h:mm:ss from an hour', () => {
    expect([0, 65, 3599, 3600, 36_061].map(formatDuration)).toEqual(['00:00', '01:05', '59:59', '1:00:00', '10:01:01'])
  })
})
