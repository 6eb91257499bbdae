import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import { shownYen } from '../report/shown-yen.ts'
import { randomMonth } from '../settlement/random-month.ts'
import {
  paymentOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from '../settlement/sample-month.ts'
import type { SettledPublisherPayment } from '../settlement/settlement-result.ts'
import { BRIDGE_STEPS, type BridgeFacts, estimateErrorRange, estimateToFinal } from './bridge.ts'

const enteredOn = day('2026-07-03')
const factsOf = (
  publisher: SettledPublisherPayment,
  then: Pick<BridgeFacts, 'shownMicroYen' | 'adsThenYen' | 'poolThenYen'>,
): BridgeFacts => ({
  ...publisher,
  ...then,
  pools: publisher.poolShares.map(share => ({ ...share, enteredOn })),
  adjustments: publisher.adjustments.map(row => ({ ...row, enteredOn, rows: 1 })),
})
const amountsOf = (facts: BridgeFacts) => estimateToFinal(facts).map(step => step.amountYen)

describe('estimate to final', () => {
  test('seven steps that sum exactly, and lines that sum to every step, whatever was shown', () => {
    const yen = fc.bigInt({ min: 0n, max: 1_000_000n })
    const micro = fc.bigInt({ min: -1_000_000_000_000n, max: 1_000_000_000_000n })
    fc.assert(
      fc.property(fc.integer(), micro, yen, yen, (seed, shownMicroYen, adsThenYen, poolThenYen) => {
        for (const publisher of settled(randomMonth(seed)).payments.flatMap(each => each.publishers)) {
          const steps = estimateToFinal(factsOf(publisher, { shownMicroYen, adsThenYen, poolThenYen }))
          expect(steps.map(step => step.name)).toEqual(BRIDGE_STEPS)
          expect(sumBy(steps.slice(0, 6), step => step.amountYen)).toBe(steps[6]!.amountYen)
          expect(steps[0]!.amountYen).toBe(shownYen(shownMicroYen))
          expect(steps[5]!.levelYen).toBe(steps[6]!.levelYen)
          expect(steps[6]!.amountYen).toBe(publisher.revenueYen + publisher.manualAdjustmentRevenueYen)
          for (const step of steps) {
            expect(sumBy(step.lines, line => line.amountYen)).toBe(step.amountYen)
            expect(step.lines.map(line => line.label)).not.toContain('内訳のない差額')
            expect(step.lines.every(line => line.amountYen !== 0n)).toBe(true)
          }
        }
      }),
    )
  })

  const publisher = paymentOf(
    settled(
      sampleMonth(202606, {
        agreements: [
          sampleAgreement(1n, [sampleRule(1n, 20_000n, { minimumRevenueYen: 25_000n })], {
            terms: { minimumRevenueType: 'by_publisher' },
          }),
        ],
        adjustments: [
          sampleAdjustment(1n, 1n, -3_000n, { reason: 'invalid_traffic' }),
          sampleAdjustment(1n, 1n, 500n, { line: 2 }),
        ],
      }),
    ),
    1n,
  ).publishers[0]!
  // Shown: 19,000.7 yen of own ads and 700 yen of pools; at the final rate own ads are 18,990 yen.
  const facts = factsOf(publisher, { shownMicroYen: 19_700_700_000n, adsThenYen: 18_990n, poolThenYen: 700n })

  test('figures', () => {
    expect(amountsOf(facts)).toEqual([19_700n, 1_000n, -3_000n, -700n, 5_000n, 500n, 22_500n])
    expect(estimateToFinal(facts)[1]!.lines).toEqual([
      { label: '速報のあとに届いた統計', amountYen: 1_010n },
      { label: '支払率と端数の差', amountYen: -10n },
    ])
  })

  test('what no line names is a line of its own', () => {
    const steps = estimateToFinal({ ...facts, adjustments: facts.adjustments.slice(0, 1) })
    expect(steps[5]!.lines).toEqual([{ label: '内訳のない差額', amountYen: 500n }])
  })
})

test('the range of the last six months, or none', () => {
  expect(estimateErrorRange([])).toBeNull()
  const history = [999n, -5n, 3n, 8n, -2n, 0n, 1n].map(error => ({ estimateYen: 100n, finalYen: 100n + error }))
  expect(estimateErrorRange(history)).toEqual({ lowestYen: -5n, highestYen: 8n, months: 6 })
})
