import { type CooperativeSteps, runSync } from '../cooperative.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { sumBy } from './yen.ts'

export interface Claim<Id> {
  readonly id: Id
  /** Not negative; a claim of weight 0 receives nothing. */
  readonly weight: bigint
}

export type AllocationRefusal = Refusal<'allocation/no-eligible-weight'>

/** One claim's result: `quotaYen` is ⌊total × weight ÷ all weights⌋, `extraYen` (0 or 1) its part of the remaining yen. */
export interface Portion<Id> {
  readonly id: Id
  readonly weight: bigint
  readonly quotaYen: bigint
  readonly extraYen: bigint
  readonly amountYen: bigint
}

/**
 * Splits `totalYen` (not negative) over the claims in proportion to their weights, by largest remainder: every claim
 * gets ⌊total × weight ÷ all weights⌋, and the remaining yen go, one each, to the largest remainders, ties to the bigger
 * weight, then to the smaller id. Portions have the order of the claims, sum to `totalYen` exactly, and do not depend on
 * that order.
 * Weights that sum to 0 are refused (`allocation/no-eligible-weight`).
 */
export function allocate<Id>(
  totalYen: bigint,
  claims: readonly Claim<Id>[],
  compareIds: (a: Id, b: Id) => number,
): Result<readonly Portion<Id>[], AllocationRefusal> {
  return runSync(allocateSteps(totalYen, claims, compareIds))
}

/** {@link allocate} as a generator that can be paused, for tens of thousands of claims. */
export function* allocateSteps<Id>(
  totalYen: bigint,
  claims: readonly Claim<Id>[],
  compareIds: (a: Id, b: Id) => number,
): CooperativeSteps<Result<readonly Portion<Id>[], AllocationRefusal>> {
  if (totalYen < 0n) throw new RangeError(`a total is not negative: ${totalYen}`)
  for (const claim of claims) {
    if (claim.weight < 0n) throw new RangeError(`a weight is not negative: ${claim.weight}`)
  }
  const weightSum = sumBy(claims, claim => claim.weight)
  if (weightSum === 0n) return refused(refusal('allocation/no-eligible-weight'))

  const quotas = claims.map((claim, position) => {
    const shared = totalYen * claim.weight
    const quotaYen = shared / weightSum
    return { position, claim, quotaYen, remainder: shared - quotaYen * weightSum }
  })
  yield
  const leftOverYen = Number(totalYen - sumBy(quotas, quota => quota.quotaYen))
  const ranked = quotas.toSorted(
    (a, b) =>
      compareBigints(b.remainder, a.remainder) ||
      compareBigints(b.claim.weight, a.claim.weight) ||
      comparedIds(a.claim.id, b.claim.id, compareIds),
  )
  yield
  const receivesExtra = new Set(ranked.slice(0, leftOverYen).map(quota => quota.position))
  return ok(
    quotas.map(({ claim, position, quotaYen }) => {
      const extraYen = receivesExtra.has(position) ? 1n : 0n
      return { id: claim.id, weight: claim.weight, quotaYen, extraYen, amountYen: quotaYen + extraYen }
    }),
  )
}

/** Like {@link allocate}, but weights that are all zero count as equal. There must be at least one claim. */
export function allocateOrEqually<Id>(
  totalYen: bigint,
  claims: readonly Claim<Id>[],
  compareIds: (a: Id, b: Id) => number,
): readonly Portion<Id>[] {
  const allZero = claims.every(claim => claim.weight === 0n)
  const result = allocate(totalYen, allZero ? claims.map(({ id }) => ({ id, weight: 1n })) : claims, compareIds)
  if (!result.ok) throw new RangeError('nobody to allocate to')
  return result.value
}

/** Smaller numbers first. */
export function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function comparedIds<Id>(a: Id, b: Id, compareIds: (a: Id, b: Id) => number): number {
  const order = compareIds(a, b)
  // Two claims with the same id would make the result depend on their order.
  if (order === 0) throw new RangeError('two claims with the same id')
  return order
}
