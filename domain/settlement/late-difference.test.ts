import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lateDifferences } from './late-difference.ts'
import { randomMonth } from './random-month.ts'
import { ruleKeyText } from './rule-map.ts'
import { sampleAgreement, sampleMonth, sampleRule, settled } from './sample-month.ts'
import type { MonthInput } from './settlement-input.ts'

/** 50 % of own ads unless the rule says otherwise. */
const share = { ownAdsRateUnits: 5_000 }
const yen = (amount: bigint) => amount * 1_000_000n
const input = sampleMonth(202606, {
  agreements: [
    sampleAgreement(1n, [
      sampleRule(1n, 0n, { ownAdsMicroYen: yen(20_000n), share }),
      sampleRule(2n, 0n, { ownAdsMicroYen: yen(8_000n), share }),
    ]),
    sampleAgreement(2n, [sampleRule(3n, 0n, { ownAdsMicroYen: yen(6_000n), share })]),
  ],
})
const month = { input, settled: settled(input) }
const today = (changes: Readonly<Record<string, bigint>> = {}) =>
  new Map(Object.entries({ '1/1': 20_000n, '1/2': 8_000n, '2/3': 6_000n, ...changes }).map(([key, n]) => [key, yen(n)]))
const found = (figures: ReadonlyMap<string, bigint>, booked: ReadonlyMap<string, bigint> = new Map()) => {
  const result = lateDifferences(month, figures, booked)
  if (!result.ok) throw new Error(JSON.stringify(result.refusals))
  return result.value
}

test('the figures of the close change nothing', () => {
  expect(found(today())).toEqual([])
})

test('more and less are listed by rule with the month that they are of, the rest not', () => {
  expect(found(today({ '1/2': 9_000n, '2/3': 5_000n }))).toEqual([
    { agreementId: 1n, publisherId: 2n, amountYen: 500n, originMonth: 202606 },
    { agreementId: 2n, publisherId: 3n, amountYen: -500n, originMonth: 202606 },
  ])
})

test('a rule without figures today loses what it had', () => {
  const figures = today()
  figures.delete('1/1')
  expect(found(figures)).toEqual([{ agreementId: 1n, publisherId: 1n, amountYen: -10_000n, originMonth: 202606 }])
})

test('what was booked before is not booked again, and is taken back when the figures are as before', () => {
  const booked = new Map([['1/2', 500n]])
  expect(found(today({ '1/2': 9_000n }), booked)).toEqual([])
  expect(found(today({ '1/2': 9_200n }), booked)).toMatchObject([{ publisherId: 2n, amountYen: 100n }])
  expect(found(today(), booked)).toMatchObject([{ publisherId: 2n, amountYen: -500n }])
})

test('what the close paid nobody at all is late as a whole', () => {
  const { payments, ...rest } = month.settled
  const without = { ...rest, payments: payments.filter(({ agreementId }) => agreementId !== 2n) }
  expect(lateDifferences({ input, settled: without }, today(), new Map())).toMatchObject({
    ok: true,
    value: [{ agreementId: 2n, publisherId: 3n, amountYen: 3_000n, originMonth: 202606 }],
  })
})

test('terms that cannot be settled are refused, not guessed', () => {
  const broken: MonthInput = { ...input, agreements: [...input.agreements, input.agreements[0]!] }
  expect(lateDifferences({ ...month, input: broken }, today(), new Map())).toMatchObject({ ok: false })
})

test('random months: the same figures differ in nothing, and none at all take away no more than there was', () => {
  fc.assert(
    fc.property(fc.integer(), seed => {
      const random = randomMonth(seed)
      const closed = { input: random, settled: settled(random) }
      const figures = new Map(
        random.agreements.flatMap(agreement =>
          agreement.rules.map(
            rule => [ruleKeyText({ ...rule, agreementId: agreement.agreementId }), rule.ownAdsMicroYen] as const,
          ),
        ),
      )
      expect(lateDifferences(closed, figures, new Map())).toEqual({ ok: true, value: [] })
    }),
    { numRuns: 100 },
  )
})
