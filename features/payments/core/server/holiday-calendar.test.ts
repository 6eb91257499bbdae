import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'
import { readHolidayCalendar, readHolidaysOfMonth } from './holiday-calendar.ts'

const { database, drop } = await testDatabase()
afterAll(drop)
const month = 202611 as YearMonth
const read = <T>(work: Parameters<typeof database.inScope<T>>[1]) => database.inScope(SYSTEM, work)

test('without an import no year is covered; a month says from which year on it asks', async () => {
  expect(await read(readHolidayCalendar)).toEqual({ firstYear: 0, lastYear: 0, holidays: new Map() })
  expect(await read(tx => readHolidaysOfMonth(tx, month))).toEqual({
    firstYear: 2026,
    lastYear: 0,
    holidays: new Map(),
  })
})

test('all years of the last import, and of a month those in which it can be due, by day', async () => {
  const days = ['2028-01-01', '2025-12-31', '2026-11-03', '2027-01-01', '2026-01-01', '2027-12-31'] as const
  await read(async tx => {
    await tx
      .insertInto('holidays')
      .values(days.map(day => ({ day, name: `${day}の祝日` }) as never))
      .execute()
    for (const lastYear of [2026, 2028]) {
      const kept = { firstYear: 2025, lastYear, sourceName: 'x.csv', contentSha256: '0' }
      await tx.insertInto('holidayImports').values(kept).execute()
    }
  })
  const all = await read(readHolidayCalendar)
  expect([all.firstYear, all.lastYear, [...all.holidays.keys()]]).toEqual([2025, 2028, days.toSorted()])
  expect(all.holidays.get('2026-11-03' as never)).toBe('2026-11-03の祝日')
  const ofMonth = await read(tx => readHolidaysOfMonth(tx, month))
  const within = ['2026-01-01', '2026-11-03', '2027-01-01', '2027-12-31']
  expect([ofMonth.firstYear, ofMonth.lastYear, [...ofMonth.holidays.keys()]]).toEqual([2026, 2027, within])
})
