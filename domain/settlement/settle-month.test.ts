import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumBy } from '../money/yen.ts'
import { day } from '../month/day.ts'
import type { YearMonth } from '../month/year-month.ts'
import { canonicalText } from '../payment/canonical-text.ts'
import { conservationViolations, type OpeningBalance } from './carry-invariants.ts'
import { followingMonth, randomMonth, randomSource } from './random-month.ts'
import {
  carriedInto,
  paymentOf,
  publisherOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from './sample-month.ts'
import { settleMonth } from './settle-month.ts'
import type { MonthInput } from './settlement-input.ts'
import { settlementViolations } from './settlement-invariants.ts'
import type { SettledMonth, SettledPayment } from './settlement-result.ts'

const seeds = fc.integer()

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) deepFreeze(each)
  }
  return value
}

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = randomSource(seed)
  return values
    .map(value => ({ value, key: random.below(1_000_000) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}

/** The opening balances that the books would have on record. */
function openingsOf({ agreements }: MonthInput): readonly OpeningBalance[] {
  return agreements.flatMap(({ agreementId, rules }) =>
    rules.flatMap(({ publisherId, opening = [] }) =>
      opening.map(({ generatedMonth, amountYen }) => ({
        agreementId,
        publisherId,
        originMonth: generatedMonth,
        amountYen,
      })),
    ),
  )
}

function shuffledInput(input: MonthInput, seed: number): MonthInput {
  return {
    ...input,
    agreements: shuffled(input.agreements, seed).map(agreement => ({
      ...agreement,
      rules: shuffled(agreement.rules, seed).map(rule => ({ ...rule, carried: shuffled(rule.carried, seed) })),
      accounts: shuffled(agreement.accounts, seed),
      qualifiedMonths: shuffled(agreement.qualifiedMonths, seed),
    })),
    poolJobs: shuffled(input.poolJobs, seed).map(job => ({ ...job, weights: shuffled(job.weights, seed) })),
    adjustments: shuffled(input.adjustments, seed),
    taxTable: shuffled(input.taxTable, seed),
    deductionTable: shuffled(input.deductionTable, seed),
  }
}

describe('random months', () => {
  test('I1 to I14 and I23 hold over sequences of months, and no yen is lost (I4, I5)', () => {
    fc.assert(
      fc.property(seeds, seed => {
        let input: MonthInput | null = deepFreeze(randomMonth(seed))
        let before: SettledMonth = { ...settled({ ...input!, agreements: [], poolJobs: [], adjustments: [] }) }
        const openings = openingsOf(input!)
        const histories = new Map<bigint, SettledPayment[]>()
        for (let step = 1; input && step <= 5; step += 1) {
          const month: SettledMonth = settled(input)
          expect(settlementViolations(month, input, before, step === 1 ? openings : [])).toEqual([])
          for (const payment of month.payments) {
            histories.set(payment.agreementId, [...(histories.get(payment.agreementId) ?? []), payment])
          }
          before = month
          input = followingMonth(seed + step, input, month)
        }
        for (const [agreementId, history] of histories) {
          const own = openings.filter(balance => balance.agreementId === agreementId)
          const openingYen = sumBy(own, balance => balance.amountYen)
          expect(conservationViolations(history, openingYen)).toEqual([])
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('an opening balance settles like the same balance of a month before', () => {
    const withoutOpenings = (input: MonthInput): MonthInput => ({
      ...input,
      agreements: input.agreements.map(agreement => ({
        ...agreement,
        rules: agreement.rules.map(({ opening: _opening, ...rule }) => rule),
      })),
    })
    let compared = 0
    fc.assert(
      fc.property(seeds, seed => {
        const input = randomMonth(seed)
        if (openingsOf(input).length > 0) compared += 1
        expect(canonicalText(settled(input))).toBe(canonicalText(settled(withoutOpenings(input))))
      }),
      { numRuns: 300 },
    )
    expect(compared).toBeGreaterThan(50)
  })

  test('I16: computing again, or from rows in another order, gives the same bytes', () => {
    fc.assert(
      fc.property(seeds, seed => {
        const input = randomMonth(seed)
        const text = canonicalText(settled(input))
        expect(canonicalText(settled(input))).toBe(text)
        expect(canonicalText(settled(shuffledInput(input, seed)))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  test('the generator reaches every outcome', () => {
    const seen = new Set<string>()
    for (let seed = 0; seed < 300; seed += 1) {
      let input: MonthInput | null = randomMonth(seed)
      for (let step = 0; input && step < 3; step += 1) {
        const month = settled(input)
        for (const payment of month.payments) {
          seen.add(payment.outcome).add(payment.reason?.code ?? 'paid')
          if (payment.taxLines.length > 1) seen.add('two rates')
          if (payment.paidBuckets.some(bucket => bucket.nonDeductibleTaxYen > 0n)) seen.add('cost')
          if (payment.isTerminated && payment.paymentYen > 0n) seen.add('remainder paid')
          if (payment.publishers.some(each => each.paymentYen < 0n)) seen.add('netted publisher')
          if (payment.agreementTopUpYen > 0n) seen.add('top-up by agreement')
          if (payment.publishers.some(each => each.topUpOfRuleYen > 0n)) seen.add('top-up by rule')
          if (
            payment.publishers.some(each =>
              each.adjustments.some(row => row.method === 'discard' && row.appliedYen !== -row.amountYen),
            )
          )
            seen.add('discard stopped at 0')
        }
        if (month.pools.some(pool => pool.method === 'discard')) seen.add('discarded pool')
        if (month.warnings.length > 0) seen.add('warning')
        input = followingMonth(seed + step + 1, input, month)
      }
    }
    expect([...seen].toSorted()).toEqual(
      [
        'scheduled',
        'carried_over',
        'held',
        'paid',
        'NON_POSITIVE_BALANCE',
        'PAYMENT_DISABLED',
        'NO_BANK_ACCOUNT',
        'BELOW_THRESHOLD',
        'two rates',
        'cost',
        'remainder paid',
        'netted publisher',
        'top-up by agreement',
        'top-up by rule',
        'discard stopped at 0',
        'discarded pool',
        'warning',
      ].toSorted(),
    )
  })
})

describe('cases beside the worked examples', () => {
  test('an agreement without publishers with no balance of its own settles at 0', () => {
    const month = settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [])] }))
    expect(paymentOf(month, 1n)).toMatchObject({ revenueYen: 0n, paymentYen: 0n, publishers: [] })
  })

  test('a balance of months with different tax rates: one floor per rate', () => {
    const taxTable = [
      { validFromMonth: 202001 as YearMonth, ratePercent: 10 },
      { validFromMonth: 202607 as YearMonth, ratePercent: 8 },
    ]
    const terms = { payoutThresholdYen: 3_000n }
    const rules = [sampleRule(1n, 1_239n)]
    const june = paymentOf(
      settled(sampleMonth(202606, { taxTable, agreements: [sampleAgreement(1n, rules, { terms })] })),
      1n,
    )
    const july = paymentOf(
      settled(
        sampleMonth(202607, {
          taxTable,
          agreements: [sampleAgreement(1n, carriedInto([sampleRule(1n, 2_119n)], june), { terms })],
        }),
      ),
      1n,
    )
    expect(july.taxLines).toEqual([
      { ratePercent: 10, amountYen: 1_239n, taxYen: 123n },
      { ratePercent: 8, amountYen: 2_119n, taxYen: 169n },
    ])
    expect(july).toMatchObject({
      paymentYen: 3_358n,
      paymentTaxYen: 292n,
      paymentIncludingTaxYen: 3_650n,
      taxRatePercent: 8,
    })
  })

  test('a non-qualified issuer over two deduction periods: 80 % for September, 70 % for October 2026', () => {
    const terms = { payoutThresholdYen: 3_000n }
    const september = paymentOf(
      settled(sampleMonth(202609, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1_005n)], { terms })] })),
      1n,
    )
    const october = paymentOf(
      settled(
        sampleMonth(202610, {
          agreements: [sampleAgreement(1n, carriedInto([sampleRule(1n, 2_010n)], september), { terms })],
        }),
      ),
      1n,
    )
    // 3,015 × 10 % = 301; LR over 1,005 : 2,010 → 100.33 and 200.67 → 100 and 201.
    expect(october.paymentTaxYen).toBe(301n)
    expect(
      october.paidBuckets.map(each => [
        each.generatedMonth,
        each.taxYen,
        each.deductiblePercent,
        each.deductibleTaxYen,
        each.nonDeductibleTaxYen,
      ]),
    ).toEqual([
      [202609, 100n, 80, 80n, 20n],
      [202610, 201n, 70, 140n, 61n],
    ])
  })

  test('a terminated agreement: the month of termination counts whole, the remainder is paid whatever the threshold, then nothing accrues', () => {
    const terms = { payoutThresholdYen: 100_000n, fixedRevenueYen: 500n }
    const terminatedOn = day('2026-06-02')
    const rules = [sampleRule(1n, 700n)]
    const june = paymentOf(
      settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, rules, { terms, terminatedOn })] })),
      1n,
    )
    expect(june).toMatchObject({
      revenueYen: 1_200n,
      paymentYen: 1_200n,
      outcome: 'scheduled',
      isActive: true,
      isTerminated: true,
    })
    // No warning for a publisher without own ads, nor for an agreement that continues.
    const agreements = [
      sampleAgreement(1n, [...rules, sampleRule(2n, 0n)], { terms, terminatedOn }),
      sampleAgreement(3n, [sampleRule(3n, 50n)]),
    ]
    const month = settled(sampleMonth(202607, { agreements }))
    expect(paymentOf(month, 1n)).toMatchObject({
      revenueYen: 0n,
      paymentYen: 0n,
      isActive: false,
      reason: { code: 'NON_POSITIVE_BALANCE' },
    })
    expect(month.warnings).toEqual([
      { code: 'OWN_ADS_AFTER_TERMINATION', agreementId: 1n, publisherId: 1n, ownAdsMicroYen: 700_000_000n },
    ])
  })

  test('a remainder can be discarded by csv, never below 0', () => {
    const carried = [{ generatedMonth: 202605 as YearMonth, amountYen: 900n }]
    const agreements = [sampleAgreement(1n, [sampleRule(1n, 0n, { carried })], { isPaymentDisabled: true })]
    const adjustments = [sampleAdjustment(1n, 1n, 5_000n, { method: 'discard' })]
    const payment = paymentOf(settled(sampleMonth(202606, { agreements, adjustments })), 1n)
    expect(payment).toMatchObject({
      manualAdjustmentRevenueYen: -900n,
      cumulativeRevenueYen: 0n,
      carriedOverToNextYen: 0n,
    })
    expect(publisherOf(payment, 1n).nextCarried).toEqual([])
  })

  test('usedFromMonth switches accounts in mid-carry: the account of the pay month counts', () => {
    const accounts = [
      { bankAccountId: 1n, usedFromMonth: 202601 as YearMonth },
      { bankAccountId: 2n, usedFromMonth: 202608 as YearMonth },
    ]
    const accountOf = (month: number) =>
      paymentOf(
        settled(sampleMonth(month, { agreements: [sampleAgreement(1n, [sampleRule(1n, 100n)], { accounts })] })),
        1n,
      ).bankAccountId
    expect(accountOf(202606)).toBe(1n)
    expect(accountOf(202607)).toBe(2n)
    const early = sampleAgreement(1n, [sampleRule(1n, 100n)], {
      accounts: [{ bankAccountId: 1n, usedFromMonth: 202609 as YearMonth }],
    })
    expect(paymentOf(settled(sampleMonth(202606, { agreements: [early] })), 1n)).toMatchObject({
      outcome: 'held',
      reason: { code: 'NO_BANK_ACCOUNT' },
      bankAccountId: null,
    })
  })

  test('the order of reasons: balance, disabled, account, termination, threshold', () => {
    const reasonOf = (yen: bigint, parts: Parameters<typeof sampleAgreement>[2]) =>
      paymentOf(settled(sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, yen)], parts)] })), 1n)
        .reason?.code
    expect(reasonOf(0n, { isPaymentDisabled: true, accounts: [] })).toBe('NON_POSITIVE_BALANCE')
    expect(reasonOf(1n, { isPaymentDisabled: true, accounts: [] })).toBe('PAYMENT_DISABLED')
    expect(reasonOf(1n, { accounts: [], terminatedOn: day('2026-06-30') })).toBe('NO_BANK_ACCOUNT')
    expect(reasonOf(1n, { terms: { payoutThresholdYen: 2n } })).toBe('BELOW_THRESHOLD')
    expect(reasonOf(2n, { terms: { payoutThresholdYen: 2n } })).toBeUndefined()
    expect(reasonOf(1n, { terms: { payoutThresholdYen: 2n }, terminatedOn: day('2026-06-30') })).toBeUndefined()
    expect(reasonOf(1n, { terms: { payoutThresholdYen: 2n }, terminatedOn: day('2026-07-01') })).toBe('BELOW_THRESHOLD')
  })

  test('a publisher in debt is netted against the others of its agreement', () => {
    const agreements = [sampleAgreement(1n, [sampleRule(1n, 10_000n), sampleRule(2n, 0n)])]
    const month = settled(sampleMonth(202606, { agreements, adjustments: [sampleAdjustment(1n, 2n, -4_000n)] }))
    const payment = paymentOf(month, 1n)
    expect(payment).toMatchObject({ paymentYen: 6_000n, paymentTaxYen: 600n, carriedOverToNextYen: 0n })
    expect(payment.publishers.map(each => [each.paymentYen, each.referenceTaxYen])).toEqual([
      [10_000n, 600n],
      [-4_000n, 0n],
    ])
  })

  test('a correction is taxed and deducted as the month that it corrects', () => {
    const adjustments = [sampleAdjustment(1n, 1n, 5_000n, { originMonth: 202609 as YearMonth, reason: 'correction' })]
    const payment = paymentOf(
      settled(sampleMonth(202610, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1_000n)])], adjustments })),
      1n,
    )
    expect(payment.paidBuckets.map(each => [each.generatedMonth, each.amountYen, each.deductiblePercent])).toEqual([
      [202609, 5_000n, 80],
      [202610, 1_000n, 70],
    ])
  })

  test('an agreement fee without any variable revenue is split equally', () => {
    const agreements = [
      sampleAgreement(1n, [sampleRule(1n, 0n), sampleRule(2n, 0n), sampleRule(3n, 0n)], {
        terms: { fixedRevenueYen: 100n },
      }),
    ]
    const payment = paymentOf(settled(sampleMonth(202606, { agreements })), 1n)
    expect(payment.publishers.map(each => each.revenueYen)).toEqual([34n, 33n, 33n])
  })

  test('a discarded pool is recorded and not paid', () => {
    const share = { sspRateUnits: 5_000, isTargetForSspAllocation: true }
    const poolJobs = [
      {
        jobId: 1n,
        kind: 'ssp' as const,
        method: 'discard' as const,
        poolYen: 1_000n,
        weights: [{ agreementId: 1n, publisherId: 1n, weight: 1n }],
      },
    ]
    const month = settled(
      sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 0n, { share })])], poolJobs }),
    )
    expect(paymentOf(month, 1n)).toMatchObject({ sspRevenueYen: 0n, revenueYen: 0n })
    expect(month.pools).toMatchObject([{ sharedYen: 500n, bookedYen: 0n, retainedYen: 1_000n }])
  })
})

describe('input that cannot be settled is refused, naming the row', () => {
  const agreement = sampleAgreement(1n, [sampleRule(1n, 100n)])
  const job = { jobId: 7n, kind: 'ssp' as const, method: 'payment' as const, poolYen: 10n, weights: [] }
  const cases: [string, MonthInput][] = [
    ['payment/agreement-twice', sampleMonth(202606, { agreements: [agreement, agreement] })],
    [
      'payment/publisher-twice',
      sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1n), sampleRule(1n, 2n)])] }),
    ],
    [
      'payment/medium-differs',
      sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1n, { mediumId: 2n })])] }),
    ],
    ['payment/medium-differs', sampleMonth(202606, { agreements: [{ ...sampleAgreement(1n, []), mediumId: 2n }] })],
    [
      'payment/agreement-without-publishers',
      sampleMonth(202606, { agreements: [sampleAgreement(1n, [], { terms: { fixedRevenueYen: 1n } })] }),
    ],
    ['payment/own-ads-negative', sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, -1n)])] })],
    [
      'payment/amount-negative',
      sampleMonth(202606, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1n, { fixedRevenueYen: -1n })])] }),
    ],
    [
      'payment/amount-negative',
      sampleMonth(202606, { agreements: [sampleAgreement(1n, [], { terms: { minimumRevenueYen: -1n } })] }),
    ],
    [
      'payment/rate-out-of-range',
      sampleMonth(202606, {
        agreements: [sampleAgreement(1n, [sampleRule(1n, 1n, { share: { sspRateUnits: 10_001 } })])],
      }),
    ],
    [
      'payment/month-before-carry',
      sampleMonth(202606, {
        agreements: [
          sampleAgreement(1n, [
            sampleRule(1n, 1n, { carried: [{ generatedMonth: 202606 as YearMonth, amountYen: 1n }] }),
          ]),
        ],
      }),
    ],
    [
      'payment/accounts-ambiguous',
      sampleMonth(202606, {
        agreements: [
          sampleAgreement(1n, [], {
            accounts: [1n, 2n].map(bankAccountId => ({ bankAccountId, usedFromMonth: 202601 as YearMonth })),
          }),
        ],
      }),
    ],
    [
      'payment/adjustment-without-rule',
      sampleMonth(202606, { agreements: [agreement], adjustments: [sampleAdjustment(1n, 2n, 1n)] }),
    ],
    [
      'payment/adjustment-twice',
      sampleMonth(202606, {
        agreements: [agreement],
        adjustments: [sampleAdjustment(1n, 1n, 1n), sampleAdjustment(1n, 1n, 1n)],
      }),
    ],
    [
      'payment/discard-negative',
      sampleMonth(202606, {
        agreements: [agreement],
        adjustments: [sampleAdjustment(1n, 1n, -1n, { method: 'discard' })],
      }),
    ],
    [
      'payment/origin-month-later',
      sampleMonth(202606, {
        agreements: [agreement],
        adjustments: [sampleAdjustment(1n, 1n, 1n, { originMonth: 202607 as YearMonth })],
      }),
    ],
    [
      'payment/origin-month-without-rate',
      sampleMonth(202606, {
        agreements: [agreement],
        adjustments: [sampleAdjustment(1n, 1n, 1n, { originMonth: 198903 as YearMonth })],
      }),
    ],
    [
      'payment/carried-month-without-rate',
      sampleMonth(202606, {
        agreements: [
          sampleAgreement(1n, [
            sampleRule(1n, 1n, { carried: [{ generatedMonth: 198903 as YearMonth, amountYen: 1n }] }),
          ]),
        ],
      }),
    ],
    ['payment/month-without-rate', sampleMonth(202606, { taxTable: [] })],
    ['payment/month-without-rate', sampleMonth(202606, { deductionTable: [] })],
    ['payment/pool-negative', sampleMonth(202606, { poolJobs: [{ ...job, poolYen: -1n }] })],
    ['payment/job-twice', sampleMonth(202606, { poolJobs: [job, job] })],
    [
      'payment/pool-weight-negative',
      sampleMonth(202606, { poolJobs: [{ ...job, weights: [{ agreementId: 1n, publisherId: 1n, weight: -1n }] }] }),
    ],
    [
      'payment/pool-weight-twice',
      sampleMonth(202606, {
        poolJobs: [
          {
            ...job,
            weights: [
              { agreementId: 1n, publisherId: 1n, weight: 1n },
              { agreementId: 1n, publisherId: 1n, weight: 1n },
            ],
          },
        ],
      }),
    ],
    ['payment/holidays-missing', sampleMonth(202712, { agreements: [agreement] })],
  ]
  test.each(cases)('%s', (code, input) => {
    const result = settleMonth(input)
    expect(result.ok ? [] : result.refusals.map(each => each.code)).toContain(code)
  })
})

test('a month of the first version is not refused for a month without a rate that its revenue sets off', () => {
  const input = sampleMonth(202606, {
    agreements: [sampleAgreement(1n, [sampleRule(1n, 1_000n)])],
    adjustments: [sampleAdjustment(1n, 1n, -400n, { originMonth: 198001 as YearMonth })],
  })
  const first = settled({ ...input, settings: { payoutThresholdYen: 1n, businessDayShift: 'previous' } })
  expect(paymentOf(first, 1n)).toMatchObject({ paymentYen: 600n, paymentTaxYen: 60n })
  expect(settleMonth(input)).toMatchObject({ refusals: [{ code: 'payment/origin-month-without-rate' }] })
})

test('a month of the first version names the rows whose month has no rate where it would be paid', () => {
  const settings = { payoutThresholdYen: 1n, businessDayShift: 'previous' } as const
  const early = 198001 as YearMonth
  const refusalsOf = (parts: Parameters<typeof sampleMonth>[1]) => {
    const result = settleMonth({ ...sampleMonth(202606, parts), settings })
    return result.ok ? [] : result.refusals.map(({ code, data }) => ({ code, ...data }))
  }
  const earned = sampleAgreement(1n, [sampleRule(1n, 1_000n)])
  const rows = [sampleAdjustment(1n, 1n, 400n, { originMonth: early, jobId: 7n, line: 3 })]
  expect(refusalsOf({ agreements: [earned], adjustments: rows })).toEqual([
    { code: 'payment/origin-month-without-rate', jobId: '7', line: 3, month: '1980-01' },
  ])
  const carrying = sampleAgreement(2n, [sampleRule(5n, 1n, { carried: [{ generatedMonth: early, amountYen: 1n }] })])
  expect(refusalsOf({ agreements: [carrying] })).toEqual([
    { code: 'payment/carried-month-without-rate', agreementId: '2', publisherId: '5', month: '1980-01' },
  ])
  expect(refusalsOf({ agreements: [earned], taxTable: [] })).toMatchObject([{ code: 'payment/month-without-rate' }])
  expect(refusalsOf({ agreements: [earned], deductionTable: [] })).toMatchObject([
    { code: 'payment/month-without-rate', month: '2026-06' },
  ])
})

test('holidays are only needed where a due date falls', () => {
  expect(settleMonth(sampleMonth(202711, { agreements: [sampleAgreement(1n, [sampleRule(1n, 1n)])] })).ok).toBe(true)
  const later = sampleAgreement(1n, [sampleRule(1n, 1n)], { terms: { paymentTiming: 'two_months_later' } })
  expect(settleMonth(sampleMonth(202711, { agreements: [later] })).ok).toBe(false)
})

test('the paid months of every payment sum to it, whatever the clawbacks', () => {
  fc.assert(
    fc.property(seeds, seed => {
      for (const payment of settled(randomMonth(seed)).payments) {
        expect(sumBy(payment.paidBuckets, bucket => bucket.amountYen)).toBe(payment.paymentYen)
      }
    }),
  )
})
