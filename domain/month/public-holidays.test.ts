import { expect, test } from 'vitest'
import { addDays, type Day, day } from './day.ts'
import { publicHolidayName } from './public-holidays.ts'
import { sampleHolidayCalendar } from './sample-holidays.ts'

test('every day is what the file of the Cabinet Office says', () => {
  const { holidays, firstYear, lastYear } = sampleHolidayCalendar()
  const last = day(`${lastYear}-12-31`)
  for (let value = day(`${Math.max(firstYear, 2021)}-01-01`); value <= last; value = addDays(value, 1))
    expect([value, publicHolidayName(value)]).toEqual([value, holidays.get(value)])
})

test.each<[string, string | undefined]>([
  ['2026-09-22', '休日'],
  ['2025-05-06', '休日'],
  ['2021-07-23', 'スポーツの日'],
  ['2021-10-11', undefined],
  ['2026-11-30', undefined],
])('%s: %s', (value, name) => expect(publicHolidayName(value as Day)).toBe(name))
