import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { type LockedMedia, readLockedMedia } from '@pc/platform/postgres/media-lock.ts'
import { lastFinalizedMonths } from '@pc/platform/postgres/month-lock.ts'
import { sql } from 'kysely'
import type { RuleInput } from './publisher-input.ts'
import { type RuleRow, readRuleHistories, readRulesOfPublishers, type TermsVersion } from './publisher-rule-store.ts'

/** A rule to create or change. */
export interface RuleSubmission {
  readonly publisherId: bigint
  readonly input: RuleInput
  /** The path of the input in the arguments, for refusals. */
  readonly path: readonly (string | number)[]
}

export interface RuleAgreement {
  readonly id: bigint
  readonly mediumId: bigint
  readonly organizationId: bigint
  readonly validFromMonth: number
  readonly terminatedAt: Date | null
}
interface OtherRule {
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly name: string
  readonly terminatedAt: Date | null
  readonly agreementFrom: number
  readonly ruleFrom: number
}
/** Everything that the checks of rules need, read in advance for all of them. */
export interface RuleSurroundings {
  readonly clock: Clock
  readonly organizations: ReadonlyMap<bigint, bigint>
  readonly agreements: ReadonlyMap<bigint, RuleAgreement>
  readonly media: LockedMedia
  readonly lastFinalized: ReadonlyMap<bigint, YearMonth | null>
  /** Existing rules by {@link ruleKey}, locked. */
  readonly rules: ReadonlyMap<string, RuleRow>
  readonly histories: ReadonlyMap<bigint, readonly TermsVersion[]>
  readonly others: ReadonlyMap<bigint, readonly OtherRule[]>
}

export async function readRuleSurroundings(
  tx: Transaction,
  clock: Clock,
  submissions: readonly RuleSubmission[],
): Promise<RuleSurroundings> {
  const publisherIds = submissions.map(({ publisherId }) => publisherId)
  const agreementIds = submissions.map(({ input }) => input.agreementId)
  const publishers = await tx
    .selectFrom('publishers')
    .select(['id', 'organizationId'])
    .where('id', '=', sql<bigint>`any(${publisherIds}::bigint[])`)
    .execute()
  // A shared lock, so that no agreement is terminated meanwhile.
  const agreements = await tx
    .selectFrom('agreements')
    .select(['id', 'mediumId', 'organizationId', 'validFromMonth', 'terminatedAt'])
    .where('id', '=', sql<bigint>`any(${agreementIds}::bigint[])`)
    .orderBy('id')
    .forShare()
    .execute()
  const lastFinalized = await lastFinalizedMonths(
    tx,
    agreements.map(({ mediumId }) => mediumId),
  )
  const wanted = new Set(submissions.map(({ publisherId, input }) => ruleKey(publisherId, input.agreementId)))
  const current = [...(await readRulesOfPublishers(tx, publisherIds)).values()]
    .flat()
    .filter(rule => wanted.has(ruleKey(rule.publisherId, rule.agreementId)))
  const rules = await lockRules(tx, current)
  const isAnyNew = rules.length < submissions.length
  return {
    clock,
    organizations: new Map(publishers.map(({ id, organizationId }) => [id, organizationId])),
    agreements: new Map(agreements.map(agreement => [agreement.id, agreement])),
    media: await readLockedMedia(tx, isAnyNew ? agreements.map(({ mediumId }) => mediumId) : []),
    lastFinalized,
    rules: new Map(rules.map(rule => [ruleKey(rule.publisherId, rule.agreementId), rule])),
    histories: await readRuleHistories(
      tx,
      rules.map(({ id }) => id),
    ),
    others: await readOthers(tx, publisherIds),
  }
}

export const ruleKey = (publisherId: bigint, agreementId: bigint) => `${publisherId} ${agreementId}`

async function lockRules(tx: Transaction, rules: readonly RuleRow[]): Promise<readonly RuleRow[]> {
  if (rules.length === 0) return []
  const ids = rules.map(({ id }) => id)
  const locked = await tx
    .selectFrom('agreementPublisherRules')
    .select(['id', 'revision'])
    .where('id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const revisions = new Map(locked.map(({ id, revision }) => [id, revision]))
  return rules.map(rule => ({ ...rule, revision: revisions.get(rule.id) ?? rule.revision }))
}

async function readOthers(
  tx: Transaction,
  publisherIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly OtherRule[]>> {
  const others = await tx
    .selectFrom('agreementPublisherRules as r')
    .innerJoin('agreements as a', 'a.id', 'r.agreementId')
    .select(['r.agreementId', 'r.publisherId', 'a.mediumId', 'a.name', 'a.terminatedAt'])
    .select(['a.validFromMonth as agreementFrom', 'r.validFromMonth as ruleFrom'])
    .where('r.publisherId', '=', sql<bigint>`any(${publisherIds}::bigint[])`)
    .orderBy('r.agreementId')
    .execute()
  return Map.groupBy(others, other => other.publisherId)
}
