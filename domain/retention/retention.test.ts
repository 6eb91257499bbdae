import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, day } from '../month/day.ts'
import { checkHold } from './legal-hold.ts'
import { keptSince, RETENTION_RULES } from './retention-rules.ts'

test('what is over is older than its months, on every day of the calendar', () => {
  expect(keptSince(day('2026-03-31'), 1)).toBe('2026-02-28')
  expect(keptSince(day('2028-03-31'), 1)).toBe('2028-02-29')
  expect(keptSince(day('2026-11-21'), 13)).toBe('2025-10-21')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 1, max: 120 }), (offset, months) => {
      const today = addDays(day('2032-01-01'), offset)
      const since = keptSince(today, months)
      expect(since < today).toBe(true)
      // The limit never moves back, so a row that is kept today and was not yesterday cannot occur.
      expect(keptSince(addDays(today, 1), months) >= since).toBe(true)
      expect(Number(since.slice(8))).toBeLessThanOrEqual(Number(today.slice(8)))
    }),
  )
})

test('every kind is in the list once, with a reason', () => {
  expect(new Set(RETENTION_RULES.map(rule => rule.id)).size).toBe(RETENTION_RULES.length)
  for (const rule of RETENTION_RULES) expect(rule.why, rule.id).not.toBe('')
})

test('a hold covers something, in order, for a reason', () => {
  const hold = { organizationId: 1n, fromMonth: null, toMonth: null, reason: '訴訟' }
  expect(checkHold(hold)).toEqual([])
  expect(checkHold({ ...hold, organizationId: null })).toMatchObject([{ code: 'legal-hold/covers-nothing' }])
  const months = { fromMonth: 202605, toMonth: 202604 } as never
  expect(checkHold({ ...hold, ...(months as object) })).toMatchObject([{ code: 'legal-hold/months-wrong' }])
  expect(checkHold({ ...hold, fromMonth: 202605 as never })).toMatchObject([{ code: 'legal-hold/months-wrong' }])
  expect(checkHold({ ...hold, reason: '' })).toMatchObject([{ code: 'legal-hold/reason-missing' }])
})
