import { isTargetOf, poolRateUnits } from '../agreement/revenue-share.ts'
import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { type AllocationRefusal, allocateSteps, compareBigints } from '../money/allocate.ts'
import { applyRate } from '../money/rate.ts'
import { sumBy } from '../money/yen.ts'
import { ok, type Result } from '../result.ts'
import { type RuleKey, RuleMap } from './rule-map.ts'
import type { PoolJobInput, RuleInput } from './settlement-input.ts'
import type { PoolShare, SettledPool } from './settlement-result.ts'

/** A rule that may take part in pools, because its agreement earns in the month. */
export interface PoolCandidate {
  readonly agreementId: bigint
  readonly rule: RuleInput
}

export interface AllocatedPool {
  readonly pool: SettledPool
  readonly shares: readonly { readonly key: RuleKey; readonly share: PoolShare }[]
}

/** Ties in a pool go to the smaller publisher id, then to the smaller agreement id. */
function compareRuleKeys(a: RuleKey, b: RuleKey): number {
  return compareBigints(a.publisherId, b.publisherId) || compareBigints(a.agreementId, b.agreementId)
}

/**
 * Splits a pool over the target rules by largest remainder, then applies each rule's rate. Rules that are not a target
 * are not in the denominator. Each rule's share is rounded down on its own, and what that leaves stays with the platform
 * (`retainedYen`). Without an eligible rule the job is refused (`dividend/no-eligible-weight`).
 * Tested by `domain/payment/manual-operation.test.ts`.
 */
export function allocatePool(
  job: PoolJobInput,
  candidates: readonly PoolCandidate[],
): Result<AllocatedPool, AllocationRefusal> {
  return runSync(allocatePoolSteps(job, candidates))
}

/** {@link allocatePool} as a generator that can be paused, for tens of thousands of rules. */
export function* allocatePoolSteps(
  job: PoolJobInput,
  candidates: readonly PoolCandidate[],
): CooperativeSteps<Result<AllocatedPool, AllocationRefusal>> {
  const weights = new RuleMap<bigint>()
  for (const weight of job.weights) weights.set(weight, weight.weight)
  yield
  const targets = candidates
    .filter(({ rule }) => isTargetOf(rule.share, job.kind))
    .map(({ agreementId, rule }) => {
      const key: RuleKey = { agreementId, publisherId: rule.publisherId }
      return { id: key, rule, weight: weights.get(key) ?? 0n }
    })
    .filter(target => target.weight > 0n)
  yield
  const allocation = yield* allocateSteps(job.poolYen, targets, compareRuleKeys)
  if (!allocation.ok) return allocation
  yield

  const shares = allocation.value.map((portion, index) => {
    const rateUnits = poolRateUnits(targets[index]!.rule.share, job.kind)
    const shareYen = applyRate(portion.amountYen, rateUnits)
    const share: PoolShare = {
      jobId: job.jobId,
      kind: job.kind,
      method: job.method,
      weight: portion.weight,
      quotaYen: portion.quotaYen,
      extraYen: portion.extraYen,
      allocatedYen: portion.amountYen,
      rateUnits,
      shareYen,
      // What is discarded is split as well, so that it can be explained, but nobody is paid it.
      bookedYen: job.method === 'payment' ? shareYen : 0n,
    }
    return { key: portion.id, share }
  })
  yield
  const bookedYen = sumBy(shares, ({ share }) => share.bookedYen)
  const pool: SettledPool = {
    jobId: job.jobId,
    kind: job.kind,
    method: job.method,
    poolYen: job.poolYen,
    allocatedYen: sumBy(shares, ({ share }) => share.allocatedYen),
    sharedYen: sumBy(shares, ({ share }) => share.shareYen),
    bookedYen,
    retainedYen: job.poolYen - bookedYen,
  }
  return ok({ pool, shares })
}
