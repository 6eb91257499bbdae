import type { HolidayCalendar, HolidayCalendarRefusal } from '@pc/domain/month/holiday-calendar.ts'
import type { Result } from '@pc/domain/result.ts'
import type { Actor } from '@pc/platform/audit/record-change.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'

export interface PaymentSettingDependencies {
  readonly database: Database
  readonly clock: Clock
  /** Imports the holiday calendar; implemented by `features/payments`, which counts business days by it. */
  readonly importHolidays: (
    tx: Transaction,
    file: { readonly name: string; readonly content: Uint8Array },
    actor: Actor,
  ) => Promise<Result<HolidayCalendar, HolidayCalendarRefusal>>
}
