import type { BusinessDayShift } from '@pc/domain/month/due-date.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { paymentSettingsOf } from '@pc/platform/postgres/payment-settings.ts'

/** What the payer's settings add to the terms of every agreement. */
export interface PlatformTerms {
  readonly businessDayShift: BusinessDayShift
  /** Of agreements that have none of their own. */
  readonly payoutThresholdYen: bigint
}

/** The terms in force in a revenue month. */
export async function readPlatformTerms(reader: Reader, month: YearMonth): Promise<PlatformTerms> {
  const { businessDayShift, payoutThresholdYen } = await paymentSettingsOf(reader, month).executeTakeFirstOrThrow()
  return { businessDayShift: businessDayShift as BusinessDayShift, payoutThresholdYen }
}
