import type { RevenueShare } from '@pc/domain/agreement/revenue-share.ts'
import type { Version } from '@pc/domain/agreement/terms-history.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'

export interface RuleRow {
  readonly id: bigint
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a rule says from a month on. */
export interface RuleTerms extends RevenueShare {
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
}
export interface RuleVersion extends Version<RuleTerms> {
  readonly createdAt: Date
}

const COLUMNS = ['id', 'agreementId', 'publisherId', 'mediumId', 'revision', 'createdAt', 'updatedAt'] as const

/** The rules of each publisher, by agreement. */
export async function readRulesOfPublishers(
  reader: Reader,
  publisherIds: readonly bigint[],
): Promise<Map<bigint, RuleRow[]>> {
  const rules = new Map<bigint, RuleRow[]>(publisherIds.map(id => [id, []]))
  if (publisherIds.length === 0) return rules
  const rows = await reader
    .selectFrom('agreementPublisherRules')
    .select(COLUMNS)
    .where('publisherId', 'in', publisherIds)
    .orderBy('agreementId')
    .execute()
  for (const row of rows) rules.get(row.publisherId)?.push(row)
  return rules
}

/** Every version of each rule, oldest first. */
export async function readRuleHistories(
  reader: Reader,
  ruleIds: readonly bigint[],
): Promise<Map<bigint, RuleVersion[]>> {
  const histories = new Map<bigint, RuleVersion[]>()
  if (ruleIds.length === 0) return histories
  const rows = await reader
    .selectFrom('agreementPublisherRuleHistory')
    .selectAll()
    .where('ruleId', 'in', ruleIds)
    .orderBy('validFromMonth')
    .execute()
  for (const row of rows) {
    if (row.ruleId === null || row.createdAt === null) continue // a view's columns are nullable for the compiler only
    const history = histories.get(row.ruleId) ?? []
    histories.set(row.ruleId, history)
    history.push({
      validFromMonth: row.validFromMonth as YearMonth,
      createdAt: row.createdAt,
      value: {
        fixedRevenueYen: row.fixedRevenueYen ?? 0n,
        minimumRevenueYen: row.minimumRevenueYen ?? 0n,
        ownAdsRateUnits: row.paymentRate ?? 0,
        sspRateUnits: row.sspPaymentRate ?? 0,
        videoSspRateUnits: row.videoSspPaymentRate ?? 0,
        liveSspRateUnits: row.liveSspPaymentRate ?? 0,
        isTargetForSspAllocation: row.isTargetForSspAllocation ?? false,
        isTargetForVideoSspAllocation: row.isTargetForVideoSspAllocation ?? false,
        isTargetForLiveSspAllocation: row.isTargetForLiveSspAllocation ?? false,
      },
    })
  }
  return histories
}

/** The columns of `terms`, as both tables name them. */
export function ruleColumns(terms: RuleTerms) {
  return {
    fixedRevenueYen: terms.fixedRevenueYen,
    minimumRevenueYen: terms.minimumRevenueYen,
    paymentRate: terms.ownAdsRateUnits,
    sspPaymentRate: terms.sspRateUnits,
    videoSspPaymentRate: terms.videoSspRateUnits,
    liveSspPaymentRate: terms.liveSspRateUnits,
    isTargetForSspAllocation: terms.isTargetForSspAllocation,
    isTargetForVideoSspAllocation: terms.isTargetForVideoSspAllocation,
    isTargetForLiveSspAllocation: terms.isTargetForLiveSspAllocation,
  }
}

/** Makes `terms` hold from `month` on; the first version is in the rule's own row. */
export async function writeRuleTerms(
  tx: Transaction,
  ruleId: bigint,
  first: RuleVersion,
  month: YearMonth,
  terms: RuleTerms,
): Promise<void> {
  const columns = ruleColumns(terms)
  if (month > first.validFromMonth) {
    await tx
      .insertInto('agreementPublisherRuleVersions')
      .values({ ruleId, validFromMonth: month, ...columns })
      .onConflict(conflict => conflict.columns(['ruleId', 'validFromMonth']).doUpdateSet(columns))
      .execute()
    return
  }
  if (month < first.validFromMonth) {
    await tx
      .insertInto('agreementPublisherRuleVersions')
      .values({ ruleId, validFromMonth: first.validFromMonth, ...ruleColumns(first.value) })
      .execute()
  }
  await tx
    .updateTable('agreementPublisherRules')
    .set({ ...columns, validFromMonth: month })
    .where('id', '=', ruleId)
    .execute()
}
