import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocate, allocateOrEqually, type Claim, compareBigints } from './allocate.ts'
import { sumBy } from './yen.ts'

function amounts(totalYen: bigint, claims: readonly Claim<bigint>[]): bigint[] {
  const result = allocate(totalYen, claims, compareBigints)
  if (!result.ok) throw new Error(result.refusals[0]!.code)
  return result.value.map(portion => portion.amountYen)
}
const claimsOf = (...weights: bigint[]) => weights.map((weight, index) => ({ id: BigInt(index + 101), weight }))

const randomClaims = fc
  .uniqueArray(fc.tuple(fc.bigInt({ min: 1n, max: 500n }), fc.bigInt({ min: 0n, max: 40n })), {
    minLength: 1,
    maxLength: 30,
    selector: ([id]) => id,
  })
  .map(pairs => pairs.map(([id, weight]) => ({ id, weight })))
  .filter(claims => claims.some(claim => claim.weight > 0n))
const totals = fc.oneof(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: 10n ** 15n }))

describe('allocate by largest remainder', () => {
  test('E2', () => {
    expect(amounts(1_000_001n, claimsOf(33_334n, 33_333n, 33_333n))).toEqual([333_341n, 333_330n, 333_330n])
    expect(amounts(100n, claimsOf(1n, 1n, 1n))).toEqual([34n, 33n, 33n])
  })

  test('a tie goes to the bigger weight before the smaller id', () => {
    // 10 over 1 : 3 → quotas 2.5 and 7.5: equal remainders.
    expect(amounts(10n, claimsOf(1n, 3n))).toEqual([2n, 8n])
  })

  test('is exact, fair within one yen, and gives nothing to weight 0', () => {
    fc.assert(
      fc.property(totals, randomClaims, (total, claims) => {
        const parts = amounts(total, claims)
        const weightSum = sumBy(claims, claim => claim.weight)
        expect(sumBy(parts, part => part)).toBe(total)
        claims.forEach((claim, index) => {
          const quota = (total * claim.weight) / weightSum
          expect(parts[index]! >= quota && parts[index]! <= quota + 1n).toBe(true)
          if ((total * claim.weight) % weightSum === 0n) expect(parts[index]).toBe(quota)
        })
      }),
      { numRuns: 2000 },
    )
  })

  test('the left-over yen follow remainder, weight, id', () => {
    fc.assert(
      fc.property(totals, randomClaims, (total, claims) => {
        const result = allocate(total, claims, compareBigints)
        if (!result.ok) throw new Error('refused')
        const weightSum = sumBy(claims, claim => claim.weight)
        const remainder = (claim: Claim<bigint>) => (total * claim.weight) % weightSum
        for (const winner of result.value.filter(portion => portion.extraYen === 1n)) {
          for (const loser of result.value.filter(portion => portion.extraYen === 0n)) {
            const order =
              compareBigints(remainder(loser), remainder(winner)) ||
              compareBigints(loser.weight, winner.weight) ||
              compareBigints(winner.id, loser.id)
            expect(order).toBeLessThan(0)
          }
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('does not depend on the order of the claims', () => {
    fc.assert(
      fc.property(
        totals,
        randomClaims.chain(claims =>
          fc.tuple(
            fc.constant(claims),
            fc.shuffledSubarray(claims, { minLength: claims.length, maxLength: claims.length }),
          ),
        ),
        (total, [claims, shuffled]) => {
          const byId = (list: readonly Claim<bigint>[]) =>
            list.map((claim, index) => [claim.id, amounts(total, list)[index]!] as const).toSorted()
          expect(byId(shuffled)).toEqual(byId(claims))
        },
      ),
    )
  })

  test('nobody eligible is refused; all zero can count as equal', () => {
    for (const claims of [[], claimsOf(0n, 0n)]) {
      const result = allocate(500n, claims, compareBigints)
      expect(!result.ok && result.refusals[0]!.code).toBe('allocation/no-eligible-weight')
    }
    expect(allocateOrEqually(5n, claimsOf(0n, 0n), compareBigints).map(portion => portion.amountYen)).toEqual([3n, 2n])
    // The only weight above zero takes all.
    expect(allocateOrEqually(5n, claimsOf(0n, 1n), compareBigints).map(portion => portion.amountYen)).toEqual([0n, 5n])
    expect(() => allocateOrEqually(5n, [], compareBigints)).toThrow(RangeError)
  })

  test('negative input and equal ids on a tie are faults', () => {
    expect(() => allocate(-1n, claimsOf(1n), compareBigints)).toThrow(RangeError)
    expect(() => allocate(-1n, claimsOf(0n), compareBigints)).toThrow(RangeError)
    expect(() => allocate(1n, claimsOf(-1n, 2n), compareBigints)).toThrow(RangeError)
    expect(() => allocate(0n, claimsOf(-1n, 2n), compareBigints)).toThrow(RangeError)
    const twins = [
      { id: 1n, weight: 1n },
      { id: 1n, weight: 1n },
    ]
    expect(() => allocate(1n, twins, compareBigints)).toThrow(RangeError)
  })
})
