import type { BusinessDayShift } from '@pc/domain/month/due-date.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'

/** What the payer's settings add to the terms of every agreement. */
export interface PlatformTerms {
  readonly businessDayShift: BusinessDayShift
  /** Of agreements that have none of their own. */
  readonly payoutThresholdYen: bigint
}

/** Those of a revenue month. */
export async function readPlatformTerms(reader: Reader, month: YearMonth): Promise<PlatformTerms> {
  const { businessDayShift, payoutThresholdYen } = await reader
    .selectFrom('paymentSettings')
    .select(['businessDayShift', 'payoutThresholdYen'])
    .where('validFromMonth', '<=', month)
    .orderBy('validFromMonth', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { businessDayShift: businessDayShift as BusinessDayShift, payoutThresholdYen }
}
