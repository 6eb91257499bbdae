import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumBy } from '../money/yen.ts'
import { randomMonth } from './random-month.ts'
import { sampleAgreement, sampleMonth, sampleRule, settled } from './sample-month.ts'
import { monthDifference } from './what-if.ts'

const month = (rate: number, threshold: bigint) =>
  settled(
    sampleMonth(202606, {
      settings: { payoutThresholdYen: threshold, businessDayShift: 'previous', rules: 'returns_per_rate' },
      agreements: [
        sampleAgreement(1n, [sampleRule(1n, 10_000n, { share: { ownAdsRateUnits: rate } })]),
        sampleAgreement(2n, [sampleRule(2n, 900n)]),
        sampleAgreement(3n, [sampleRule(3n, 50_000n)]),
      ],
    }),
  )

test('a changed rate and threshold: who is affected, the largest first', () => {
  const difference = monthDifference(month(4_500, 1n), month(5_000, 1_000n))
  expect(difference.payees).toMatchObject([
    {
      agreementId: 2n,
      revenueChangeYen: 0n,
      paymentChangeYen: -900n,
      before: { outcome: 'scheduled' },
      after: { outcome: 'carried_over' },
    },
    { agreementId: 1n, revenueChangeYen: 500n, paymentChangeYen: 500n },
  ])
  expect(difference).toMatchObject({
    revenueChangeYen: 500n,
    paymentChangeYen: -400n,
    paymentIncludingTaxChangeYen: -440n,
    retainedChangeYen: 0n,
  })
})

test('no change, no rows; the rows always sum to the totals', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (seedA, seedB) => {
      const [a, b] = [settled(randomMonth(seedA)), settled(randomMonth(seedB))]
      expect(monthDifference(a, a).payees).toEqual([])
      const difference = monthDifference(a, b)
      const paid = (each: typeof a) => sumBy(each.payments, payment => payment.paymentYen)
      expect(difference.paymentChangeYen).toBe(paid(b) - paid(a))
      expect(monthDifference(b, a).paymentChangeYen).toBe(-difference.paymentChangeYen)
    }),
  )
})
