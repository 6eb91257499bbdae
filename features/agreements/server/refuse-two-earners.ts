import { bothEarn, type EarningSpan } from '@pc/domain/agreement/agreement-terms.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface AgreementSpan {
  readonly agreementFrom: number
  readonly terminatedAt: Date | null
}
/** The span of an agreement before a change, and after it. */
export interface ChangedSpan {
  readonly agreementId: bigint
  readonly before: AgreementSpan
  readonly after: AgreementSpan
  readonly path: readonly (string | number)[]
}
interface SharedPublisher extends AgreementSpan {
  readonly agreementId: bigint
  readonly publisher: string
  readonly ruleFrom: number
  readonly ownRuleFrom: number
  readonly otherId: bigint
  readonly other: string
}

/**
 * Refuses spans in which a publisher of an agreement would also earn by another agreement of the medium. An overlap that
 * existed before is allowed, so that it can be repaired step by step.
 */
export async function refuseTwoEarners(
  tx: Transaction,
  changes: readonly ChangedSpan[],
): Promise<readonly Refusal<'agreement/publisher-twice'>[]> {
  if (changes.length === 0) return []
  const changed = new Map(changes.map(one => [one.agreementId, one]))
  const { rows } = await sql<SharedPublisher>`
    select r.agreement_id, p.name as publisher, r.valid_from_month as own_rule_from, a.id as other_id, a.name as other,
      a.valid_from_month as agreement_from, o.valid_from_month as rule_from, a.terminated_at
    from agreement_publisher_rules r
    join agreement_publisher_rules o on o.publisher_id = r.publisher_id and o.medium_id = r.medium_id
      and o.agreement_id <> r.agreement_id
    join agreements a on a.id = o.agreement_id
    join publishers p on p.id = r.publisher_id
    where r.agreement_id = any(${[...changed.keys()]}::bigint[]) order by r.agreement_id, r.publisher_id, a.id`.execute(
    tx,
  )
  return rows.flatMap(row => {
    const own = changed.get(row.agreementId)
    if (!own) return []
    const { publisher, other, ruleFrom, ownRuleFrom } = row
    // The other agreement may be changed by the same request.
    const isRefused =
      bothEarn(spanOf(own.after, ownRuleFrom), spanOf(changed.get(row.otherId)?.after ?? row, ruleFrom)) &&
      !bothEarn(spanOf(own.before, ownRuleFrom), spanOf(row, ruleFrom))
    const path = [...own.path, 'terminatedAt']
    return isRefused ? [refusal('agreement/publisher-twice', path, { publisher, agreement: other })] : []
  })
}

function spanOf({ agreementFrom, terminatedAt }: AgreementSpan, ruleFrom: number): EarningSpan {
  return { agreementFrom, ruleFrom, terminatedOn: terminatedAt && dayAt(terminatedAt.getTime()) }
}
