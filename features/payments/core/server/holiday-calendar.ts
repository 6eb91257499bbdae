import type { Day } from '@pc/domain/month/day.ts'
import { type BusinessDayShift, lastYearOfDueDates } from '@pc/domain/month/due-date.ts'
import type { HolidayCalendar } from '@pc/domain/month/holiday-calendar.ts'
import { addMonths, type YearMonth, yearOf } from '@pc/domain/month/year-month.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type RawBuilder, sql } from 'kysely'

/** The holidays of all years of the last import, by day. Without an import no year is covered. */
export function readHolidayCalendar(tx: Transaction): Promise<HolidayCalendar> {
  return readYears(tx, undefined)
}

/**
 * The years in which payments of the month can be due; other years would only make the snapshot longer. The calendar
 * goes into the hash of the month, so neither its years nor the order of its days may change.
 */
export function readHolidaysOfMonth(tx: Transaction, month: YearMonth): Promise<HolidayCalendar> {
  return readYears(tx, { from: yearOf(month), to: yearOf(addMonths(month, 3)) })
}

/** A subquery: 1 when the last import of holidays covers every possible due day of the month, otherwise 0. */
export function knownDueDates(month: YearMonth): RawBuilder<bigint> {
  const last = (shift: BusinessDayShift) => lastYearOfDueDates(month, shift)
  return sql<bigint>`(select count(*)
    from (select first_year, last_year from holiday_imports order by id desc limit 1) k,
      (select business_day_shift from payment_settings where valid_from_month <= ${month}
        order by valid_from_month desc limit 1) s
    where k.first_year <= ${yearOf(month)}
      and k.last_year >= case s.business_day_shift when 'next' then ${last('next')}::int else ${last('previous')}::int end)`
}

async function readYears(
  tx: Transaction,
  years: { readonly from: number; readonly to: number } | undefined,
): Promise<HolidayCalendar> {
  const known = await tx
    .selectFrom('holidayImports')
    .select(['firstYear', 'lastYear'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const firstYear = Math.max(known?.firstYear ?? 0, years?.from ?? 0)
  const lastYear = Math.min(known?.lastYear ?? 0, years?.to ?? Number.POSITIVE_INFINITY)
  const all = tx.selectFrom('holidays').select(['day', 'name']).orderBy('day')
  const ofYears = years ? all.where(sql<boolean>`extract(year from day) between ${firstYear} and ${lastYear}`) : all
  const rows = await ofYears.execute()
  return { firstYear, lastYear, holidays: new Map(rows.map(row => [row.day as Day, row.name])) }
}
