import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { expect, test } from 'vitest'
import { demoHolidaysCsv } from './demo-holidays.ts'

test('the generated calendar is the one written by hand', () => {
  expect(demoHolidaysCsv(2026, 2027)).toBe(SAMPLE_HOLIDAYS_CSV)
})
