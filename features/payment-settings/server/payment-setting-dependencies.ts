import type { HolidayCalendar, HolidayCalendarRefusal } from '@pc/domain/month/holiday-calendar.ts'
import type { Result } from '@pc/domain/result.ts'
import type { Actor } from '@pc/platform/audit/record-change.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'

export interface PaymentSettingDependencies {
  readonly database: Database
  readonly clock: Clock
  /** Of the payments, which count days by the calendar. */
  readonly importHolidays: (
    tx: Transaction,
    file: { readonly name: string; readonly content: Uint8Array },
    actor: Actor,
  ) => Promise<Result<HolidayCalendar, HolidayCalendarRefusal>>
}
