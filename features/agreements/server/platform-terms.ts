import type { History } from '@pc/domain/agreement/terms-history.ts'
import type { BusinessDayShift } from '@pc/domain/month/due-date.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { paymentSettingsOf } from '@pc/platform/postgres/payment-settings.ts'

/** What the payer's settings add to the terms of every agreement. */
export interface PlatformTerms {
  readonly businessDayShift: BusinessDayShift
  /** Applies to agreements without a threshold of their own. */
  readonly payoutThresholdYen: bigint
}

/** All versions; each holds for revenue months from its first one on. */
export async function readPlatformTermsHistory(reader: Reader): Promise<History<PlatformTerms>> {
  const rows = await reader
    .selectFrom('paymentSettings')
    .select(['validFromMonth', 'businessDayShift', 'payoutThresholdYen'])
    .orderBy('validFromMonth')
    .execute()
  return rows.map(({ validFromMonth, businessDayShift, payoutThresholdYen }) => ({
    validFromMonth: validFromMonth as YearMonth,
    value: { businessDayShift: businessDayShift as BusinessDayShift, payoutThresholdYen },
  }))
}

/** The terms in force in a revenue month. */
export async function readPlatformTerms(reader: Reader, month: YearMonth): Promise<PlatformTerms> {
  const { businessDayShift, payoutThresholdYen } = await paymentSettingsOf(reader, month).executeTakeFirstOrThrow()
  return { businessDayShift: businessDayShift as BusinessDayShift, payoutThresholdYen }
}
