import { NO_SHARE } from '@pc/domain/agreement/revenue-share.ts'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { mergeBuckets } from '@pc/domain/settlement/generated-bucket.ts'
import type { GeneratedBucket, RuleInput } from '@pc/domain/settlement/settlement-input.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { runCooperatively } from '@pc/platform/run-cooperatively.ts'
import { sql } from 'kysely'
import type { MonthKey } from './month-key.ts'
import { readCountedOpenings } from './month-opening-balances.ts'

interface RuleSqlRow {
  readonly id: bigint
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly mediumId: bigint
  readonly fixedRevenueYen: bigint
  readonly minimumRevenueYen: bigint
  readonly paymentRate: number
  readonly sspPaymentRate: number
  readonly videoSspPaymentRate: number
  readonly liveSspPaymentRate: number
  readonly isTargetForSspAllocation: boolean
  readonly isTargetForVideoSspAllocation: boolean
  readonly isTargetForLiveSspAllocation: boolean
  readonly isInForce: boolean
  readonly isForeign: boolean
}

export interface BookedRule {
  readonly rule: RuleInput
  readonly isInForce: boolean
  /** The publisher is of another organisation than the agreement: an earlier version accepted such rules. */
  readonly isForeign: boolean
}

/**
 * The rules of the medium by agreement, in the version of the month, with what they are still owed.
 * Tested by `features/payments/core/server/foreign-rule.test.ts`.
 */
export async function readRules(tx: Transaction, key: MonthKey): Promise<ReadonlyMap<bigint, readonly BookedRule[]>> {
  const { mediumId, month } = key
  const carried = withOpenings(await readCarried(tx, key), await readCountedOpenings(tx, key))
  const { rows } = await sql<RuleSqlRow>`
    select r.id, r.agreement_id, r.publisher_id, r.medium_id, h.fixed_revenue_yen, h.minimum_revenue_yen, h.payment_rate,
      h.ssp_payment_rate, h.video_ssp_payment_rate, h.live_ssp_payment_rate, h.is_target_for_ssp_allocation,
      h.is_target_for_video_ssp_allocation, h.is_target_for_live_ssp_allocation, h.valid_from_month <= ${month} as is_in_force,
      p.organization_id <> a.organization_id as is_foreign
    from agreement_publisher_rules r
    join agreements a on a.id = r.agreement_id
    join publishers p on p.id = r.publisher_id
    join (select distinct on (v.rule_id) v.* from agreement_publisher_rule_history v
      where v.rule_id in (select o.id from agreement_publisher_rules o join agreements b on b.id = o.agreement_id
        where b.medium_id = ${mediumId})
      order by v.rule_id, (v.valid_from_month <= ${month}) desc,
        case when v.valid_from_month <= ${month} then -v.valid_from_month else v.valid_from_month end) h on h.rule_id = r.id
    where a.medium_id = ${mediumId} order by r.agreement_id, r.publisher_id`.execute(tx)
  return runCooperatively(ruleSteps(key, rows, carried))
}

function* ruleSteps(
  { mediumId }: MonthKey,
  rows: readonly RuleSqlRow[],
  carried: Map<string, CarriedBalance>,
): CooperativeSteps<ReadonlyMap<bigint, readonly BookedRule[]>> {
  const rules = new Map<bigint, BookedRule[]>()
  for (const row of rows) {
    const name = `${row.agreementId}/${row.publisherId}`
    const balance = carried.get(name)
    carried.delete(name)
    if (!row.isInForce && !balance) continue
    const { isInForce, isForeign } = row
    push(rules, row.agreementId, { rule: ruleOf(row, balance), isInForce, isForeign })
    yield
  }
  // A rule that was deleted while its publisher has a balance keeps a row until the balance is paid.
  for (const { agreementId, publisherId, ruleId, ...balance } of carried.values()) {
    const rule: RuleInput = {
      ruleId,
      mediumId,
      publisherId,
      fixedRevenueYen: 0n,
      minimumRevenueYen: 0n,
      share: NO_SHARE,
      ownAdsMicroYen: 0n,
      ...balance,
    }
    push(rules, agreementId, { rule, isInForce: false, isForeign: false })
  }
  return rules
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function ruleOf(row: RuleSqlRow, balance: CarriedBalance | undefined): RuleInput {
  const isInForce = row.isInForce
  return {
    ruleId: row.id,
    mediumId: row.mediumId,
    publisherId: row.publisherId,
    fixedRevenueYen: isInForce ? row.fixedRevenueYen : 0n,
    minimumRevenueYen: isInForce ? row.minimumRevenueYen : 0n,
    share: {
      ownAdsRateUnits: row.paymentRate,
      sspRateUnits: row.sspPaymentRate,
      videoSspRateUnits: row.videoSspPaymentRate,
      liveSspRateUnits: row.liveSspPaymentRate,
      isTargetForSspAllocation: isInForce && row.isTargetForSspAllocation,
      isTargetForVideoSspAllocation: isInForce && row.isTargetForVideoSspAllocation,
      isTargetForLiveSspAllocation: isInForce && row.isTargetForLiveSspAllocation,
    },
    ownAdsMicroYen: 0n,
    carried: balance?.carried ?? [],
    ...(balance?.opening ? { opening: balance.opening } : {}),
  }
}

interface CarriedBalance extends Pick<RuleInput, 'carried' | 'opening'> {
  readonly agreementId: bigint
  readonly publisherId: bigint
  readonly ruleId: bigint
}

/** An opening balance is carried like what the month before left over. */
function withOpenings(
  carried: Map<string, CarriedBalance>,
  openings: Awaited<ReturnType<typeof readCountedOpenings>>,
): Map<string, CarriedBalance> {
  const byRule = Map.groupBy(openings, ({ agreementId, publisherId }) => `${agreementId}/${publisherId}`)
  for (const [key, [first, ...others]] of byRule) {
    const { agreementId, publisherId, ruleId } = first!
    const opening = [first!, ...others].map(each => ({ generatedMonth: each.originMonth, amountYen: each.amountYen }))
    const merged = mergeBuckets([...(carried.get(key)?.carried ?? []), ...opening])
    carried.set(key, { agreementId, publisherId, ruleId, carried: merged, opening })
  }
  return carried
}

/** What the last earlier month with payments leaves over. While that month is a draft, the amounts can still change. */
async function readCarried(tx: Transaction, { mediumId, month }: MonthKey): Promise<Map<string, CarriedBalance>> {
  const rows = await tx
    .selectFrom('monthlyCarriedBuckets as b')
    .innerJoin('monthlyPublisherPayments as p', 'p.id', 'b.monthlyPublisherPaymentId')
    .select(['p.agreementId', 'p.publisherId', 'p.ruleId', 'b.generatedMonth', 'b.nextYen'])
    .where('b.mediumId', '=', mediumId)
    .where('b.month', '=', eb =>
      eb
        .selectFrom('monthlyPayments as q')
        .where('q.mediumId', '=', mediumId)
        .where('q.month', '<', month)
        .select(q => q.fn.max('q.month').as('month')),
    )
    .where('b.nextYen', '<>', 0n)
    .orderBy('p.agreementId')
    .orderBy('p.publisherId')
    .orderBy('b.generatedMonth')
    .execute()
  const carried = new Map<string, CarriedBalance & { readonly carried: GeneratedBucket[] }>()
  for (const { agreementId, publisherId, ruleId, generatedMonth, nextYen } of rows) {
    const key = `${agreementId}/${publisherId}`
    const balance = carried.get(key) ?? { agreementId, publisherId, ruleId, carried: [] }
    balance.carried.push({ generatedMonth: generatedMonth as YearMonth, amountYen: nextYen })
    carried.set(key, balance)
  }
  return carried
}
