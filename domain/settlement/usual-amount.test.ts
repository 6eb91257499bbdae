import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUnusual, medianYen, UNUSUAL_AGREEMENT, UNUSUAL_MEDIUM } from './usual-amount.ts'

const USUAL = [100_000n, 90_000n, 110_000n]

test.each([
  // More than three times the usual amount, and at least 100,000 yen away.
  [300_000n, USUAL, false],
  [300_001n, USUAL, true],
  [130_000n, [40_000n, 40_000n, 40_000n], false],
  // Less than a third.
  [400_000n, [1_200_000n, 1_200_000n, 1_200_000n], false],
  [399_999n, [1_200_000n, 1_200_000n, 1_200_000n], true],
  // Nothing where there usually is something: by 99,999 and by 100,000 yen.
  [0n, [99_999n, 99_999n, 99_999n], false],
  [0n, [100_000n, 100_000n, 100_000n], true],
  [-50_000n, USUAL, true],
  // A usual return.
  [-1_100_000n, [-1_000_000n, -1_000_000n, -1_000_000n], false],
  [-3_000_001n, [-1_000_000n, -1_000_000n, -1_000_000n], true],
  [-300_000n, [-1_000_000n, -1_000_000n, -1_000_000n], true],
  // The usual amount is 0.
  [99_999n, [0n, 0n, 0n], false],
  [100_000n, [0n, 0n, 0n], true],
  // Two months are too few.
  [9_000_000n, [100_000n, 100_000n], false],
  // One odd month in the history does not hide the next.
  [900_000n, [...USUAL, 900_000n], true],
])('%s yen after %s', (amount, history, unusual) => {
  expect(isUnusual(amount, history, UNUSUAL_AGREEMENT)).toBe(unusual)
})

test('the total of a medium is judged by half of it and twice', () => {
  const history = [10_000_000n, 10_000_000n, 10_000_000n]
  expect(
    [20_000_000n, 20_000_001n, 5_000_000n, 4_999_999n].map(yen => isUnusual(yen, history, UNUSUAL_MEDIUM)),
  ).toEqual([false, true, false, true])
})

test('the median is an amount that there was, with as many above as below it', () => {
  expect(medianYen([3n, 1n, 2n])).toBe(2n)
  expect(medianYen([4n, 1n, 3n, 2n])).toBe(2n)
  fc.assert(
    fc.property(fc.array(fc.bigInt(-(10n ** 12n), 10n ** 12n), { minLength: 1, maxLength: 30 }), amounts => {
      const median = medianYen(amounts)
      expect(amounts).toContain(median)
      expect(amounts.filter(each => each < median).length).toBeLessThanOrEqual(amounts.length / 2)
      expect(amounts.filter(each => each > median).length).toBeLessThanOrEqual(amounts.length / 2)
    }),
  )
})

test('months that vary by two fifths around anything are usual', () => {
  const months = fc
    .tuple(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.array(fc.integer({ min: 60, max: 140 }), { minLength: 4, maxLength: 7 }),
    )
    .map(([base, shares]) => shares.map(share => (BigInt(base) * BigInt(share)) / 100n))
  fc.assert(
    fc.property(months, ([amount = 0n, ...history]) => !isUnusual(amount, history, UNUSUAL_AGREEMENT)),
    { numRuns: 10_000 },
  )
})
