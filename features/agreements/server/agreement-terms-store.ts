import type { AgreementTerms, FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import type { MinimumRevenueType } from '@pc/domain/agreement/minimum-revenue.ts'
import type { Version } from '@pc/domain/agreement/terms-history.ts'
import type { PaymentTiming } from '@pc/domain/month/due-date.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'
import { updateRows } from '@pc/platform/postgres/update-rows.ts'
import { sql } from 'kysely'

export interface TermsVersion extends Version<AgreementTerms> {
  readonly createdAt: Date
}

const COLUMNS = [
  'agreementId',
  'validFromMonth',
  'createdAt',
  'feePaidBy',
  'paymentTiming',
  'minimumRevenueType',
  'fixedRevenueYen',
  'minimumRevenueYen',
  'payoutThresholdYen',
] as const

/**
 * Every version of the terms of each agreement, oldest first.
 * Tested by `features/agreements/server/agreement-pages.test.ts`.
 */
export async function readTermsHistories(
  reader: Reader,
  agreementIds: readonly bigint[],
): Promise<Map<bigint, TermsVersion[]>> {
  const histories = new Map<bigint, TermsVersion[]>()
  if (agreementIds.length === 0) return histories
  const rows = await reader
    .selectFrom('agreementTermsHistory')
    .select(COLUMNS)
    .where('agreementId', '=', sql<bigint>`any(${agreementIds}::bigint[])`)
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

export interface NewTerms {
  readonly agreementId: bigint
  /** The version in the agreement's own row. */
  readonly first: TermsVersion
  readonly month: YearMonth
  readonly terms: AgreementTerms
}

/**
 * Stores `terms` as the version from `month` on; at most one per agreement. The first version stands in the agreement's
 * own row, so an earlier month replaces it there and turns the former first version into a later one.
 */
export async function writeTerms(tx: Transaction, all: readonly NewTerms[]): Promise<void> {
  const versions = all.flatMap(({ agreementId, first, month, terms }) => {
    if (month > first.validFromMonth) return [{ agreementId, validFromMonth: month, ...terms }]
    return month < first.validFromMonth ? [{ agreementId, validFromMonth: first.validFromMonth, ...first.value }] : []
  })
  if (versions.length > 0) {
    await tx
      .insertInto('agreementTermsVersions')
      .values(versions)
      .onConflict(conflict =>
        conflict
          .columns(['agreementId', 'validFromMonth'])
          .doUpdateSet(eb => Object.fromEntries(TERMS_COLUMNS.map(name => [name, eb.ref(`excluded.${name}`)]))),
      )
      .execute()
  }
  const firsts = all.filter(({ first, month }) => month <= first.validFromMonth)
  await updateRows(
    tx,
    'agreements',
    ['validFromMonth', ...TERMS_COLUMNS],
    firsts.map(({ agreementId: id, month: validFromMonth, terms }) => ({ id, validFromMonth, ...terms })),
  )
}

const TERMS_COLUMNS = [
  'feePaidBy',
  'paymentTiming',
  'minimumRevenueType',
  'fixedRevenueYen',
  'minimumRevenueYen',
  'payoutThresholdYen',
] as const
