import type { AgreementTerms, FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { MinimumRevenueType } from '@pc/domain/agreement/minimum-revenue.ts'
import type { Version } from '@pc/domain/agreement/terms-history.ts'
import type { PaymentTiming } from '@pc/domain/month/due-date.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'

export interface TermsVersion extends Version<AgreementTerms> {
  readonly createdAt: Date
}

/** Every version of the terms of each agreement, oldest first. */
export async function readTermsHistories(
  reader: Reader,
  agreementIds: readonly bigint[],
): Promise<Map<bigint, TermsVersion[]>> {
  const histories = new Map<bigint, TermsVersion[]>()
  if (agreementIds.length === 0) return histories
  const rows = await reader
    .selectFrom('agreementTermsHistory')
    .selectAll()
    .where('agreementId', 'in', agreementIds)
    .orderBy('validFromMonth')
    .execute()
  for (const row of rows) {
    if (row.agreementId === null || row.createdAt === null) continue // a view's columns are nullable for the compiler only
    const history = histories.get(row.agreementId) ?? []
    histories.set(row.agreementId, history)
    history.push({
      validFromMonth: row.validFromMonth as YearMonth,
      createdAt: row.createdAt,
      value: {
        feePaidBy: row.feePaidBy as FeePayer,
        paymentTiming: row.paymentTiming as PaymentTiming,
        minimumRevenueType: row.minimumRevenueType as MinimumRevenueType,
        fixedRevenueYen: row.fixedRevenueYen ?? 0n,
        minimumRevenueYen: row.minimumRevenueYen ?? 0n,
        payoutThresholdYen: row.payoutThresholdYen,
      },
    })
  }
  return histories
}

/**
 * Makes `terms` hold from `month` on. The first version is in the agreement's own row: one from before it moves the
 * agreement's beginning there.
 */
export async function writeTerms(
  reader: Reader,
  agreementId: bigint,
  month: YearMonth,
  terms: AgreementTerms,
): Promise<void> {
  const first = await reader
    .selectFrom('agreements')
    .select(['validFromMonth', ...TERMS_COLUMNS])
    .where('id', '=', agreementId)
    .executeTakeFirstOrThrow()
  if (month > first.validFromMonth) {
    await reader
      .insertInto('agreementTermsVersions')
      .values({ agreementId, validFromMonth: month, ...terms })
      .onConflict(conflict => conflict.columns(['agreementId', 'validFromMonth']).doUpdateSet(terms))
      .execute()
    return
  }
  if (month < first.validFromMonth) {
    await reader
      .insertInto('agreementTermsVersions')
      .values({ agreementId, ...first })
      .execute()
  }
  await reader
    .updateTable('agreements')
    .set({ ...terms, validFromMonth: month })
    .where('id', '=', agreementId)
    .execute()
}

const TERMS_COLUMNS = [
  'feePaidBy',
  'paymentTiming',
  'minimumRevenueType',
  'fixedRevenueYen',
  'minimumRevenueYen',
  'payoutThresholdYen',
] as const
