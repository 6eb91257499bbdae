import type { RevenueShare } from '@pc/domain/agreement/revenue-share.ts'
import type { Version } from '@pc/domain/agreement/terms-history.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { countOf } from '@pc/platform/postgres/count-of.ts'
import type { Reader, Transaction } from '@pc/platform/postgres/database.ts'
import { updateRows } from '@pc/platform/postgres/update-rows.ts'
import { type RawBuilder, sql } from 'kysely'

export interface RuleRow {
  readonly id: bigint
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly revision: number
}

/** The terms of a rule, which apply from a month on. */
export interface RuleTerms extends RevenueShare {
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
}
export interface TermsVersion extends Version<RuleTerms> {
  readonly createdAt: Date
}

const COLUMNS = ['id', 'agreementId', 'publisherId', 'mediumId', 'revision'] as const
const TERMS_COLUMNS = [
  'fixedRevenueYen',
  'minimumRevenueYen',
  'paymentRate',
  'sspPaymentRate',
  'videoSspPaymentRate',
  'liveSspPaymentRate',
  'isTargetForSspAllocation',
  'isTargetForVideoSspAllocation',
  'isTargetForLiveSspAllocation',
] as const
const VERSION_COLUMNS = ['ruleId', 'validFromMonth', 'createdAt', ...TERMS_COLUMNS] as const

/** SQL subquery: the number of rules of unterminated agreements. `offset 0` makes it check row by row and stop at `atMost`. */
export function liveRuleCount(today: Day, atMost: number): RawBuilder<bigint> {
  return countOf(
    sql`agreement_publisher_rules r
      where exists (select from agreements a where a.id = r.agreement_id and not app.is_terminated(a.terminated_at, ${today}::date) offset 0)`,
    atMost,
  )
}

/** The rules of each publisher, ordered by agreement. */
export async function readRulesOfPublishers(
  reader: Reader,
  publisherIds: readonly bigint[],
): Promise<Map<bigint, RuleRow[]>> {
  const rules = new Map<bigint, RuleRow[]>(publisherIds.map(id => [id, []]))
  if (publisherIds.length === 0) return rules
  const rows = await reader
    .selectFrom('agreementPublisherRules')
    .select(COLUMNS)
    .where('publisherId', '=', sql<bigint>`any(${publisherIds}::bigint[])`)
    .orderBy('agreementId')
    .execute()
  for (const row of rows) rules.get(row.publisherId)?.push(row)
  return rules
}

/** Every version of each rule, oldest first. */
export async function readRuleHistories(
  reader: Reader,
  ruleIds: readonly bigint[],
): Promise<Map<bigint, TermsVersion[]>> {
  return ruleIds.length === 0 ? new Map() : historiesOf(reader, sql<boolean>`rule_id = any(${ruleIds}::bigint[])`)
}

/** As {@link readRuleHistories} for all rules of the publishers, when their ids are not known yet. */
export async function readHistoriesOfPublishers(
  reader: Reader,
  publisherIds: readonly bigint[],
): Promise<Map<bigint, TermsVersion[]>> {
  if (publisherIds.length === 0) return new Map()
  return historiesOf(
    reader,
    sql<boolean>`rule_id in (
      select r.id from agreement_publisher_rules r where r.publisher_id = any(${publisherIds}::bigint[]))`,
  )
}

async function historiesOf(reader: Reader, isRequested: RawBuilder<boolean>): Promise<Map<bigint, TermsVersion[]>> {
  const histories = new Map<bigint, TermsVersion[]>()
  const rows = await reader
    .selectFrom('agreementPublisherRuleHistory')
    .select(VERSION_COLUMNS)
    .where(isRequested)
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

/** The columns of `terms`, which are named alike in the tables of rules and of versions. */
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

export interface NewRuleTerms {
  readonly ruleId: bigint
  /** The first version, which is stored in the rule's own row. */
  readonly first: TermsVersion
  readonly month: YearMonth
  readonly terms: RuleTerms
}

/** Stores `terms` from `month` on; each rule may appear once. The first version is in the rule's row, later ones in a table. */
export async function writeRuleTerms(tx: Transaction, all: readonly NewRuleTerms[]): Promise<void> {
  const versions = all.flatMap(({ ruleId, first, month, terms }) => {
    if (month > first.validFromMonth) return [{ ruleId, validFromMonth: month, ...ruleColumns(terms) }]
    // Terms that begin earlier take the rule's row: the version that was first moves to the table.
    return month < first.validFromMonth
      ? [{ ruleId, validFromMonth: first.validFromMonth, ...ruleColumns(first.value) }]
      : []
  })
  if (versions.length > 0) {
    await tx
      .insertInto('agreementPublisherRuleVersions')
      .values(versions)
      .onConflict(conflict =>
        conflict
          .columns(['ruleId', 'validFromMonth'])
          .doUpdateSet(eb => Object.fromEntries(TERMS_COLUMNS.map(name => [name, eb.ref(`excluded.${name}`)]))),
      )
      .execute()
  }
  const firsts = all.filter(({ first, month }) => month <= first.validFromMonth)
  await updateRows(
    tx,
    'agreementPublisherRules',
    ['validFromMonth', ...TERMS_COLUMNS],
    firsts.map(({ ruleId: id, month: validFromMonth, terms }) => ({ id, validFromMonth, ...ruleColumns(terms) })),
  )
}
