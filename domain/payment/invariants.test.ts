import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accrualEntry, payableEntry } from '../journal/close-journal.ts'
import { day } from '../month/day.ts'
import { addMonths, type YearMonth } from '../month/year-month.ts'
import { conservationViolations, type OpeningBalance } from '../settlement/carry-invariants.ts'
import { followingMonth, randomMonth } from '../settlement/random-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule, settled } from '../settlement/sample-month.ts'
import type { GeneratedBucket, MonthInput } from '../settlement/settlement-input.ts'
import { registrationViolations, settlementViolations } from '../settlement/settlement-invariants.ts'
import type { SettledMonth, SettledPayment, SettledPublisherPayment } from '../settlement/settlement-result.ts'
import type { Invariant, Violation } from '../settlement/violation.ts'
import {
  bankFileViolations,
  chainViolations,
  closingViolations,
  exposureViolations,
  journalViolations,
  ownAdsViolations,
  type RecordWithState,
  recomputationViolations,
  resetViolations,
  type TransferWithState,
  totalsViolations,
  transferViolations,
} from './books-invariants.ts'
import { csvEntries, poolEntries, resetEntries } from './manual-operation.ts'
import type { TransferState } from './payment-states.ts'
import { paymentTotals } from './payment-totals.ts'

/** A month with every kind of entry, settled correctly; each test then corrupts one figure. */
function fullMonth(): { readonly input: MonthInput; readonly before: SettledMonth; readonly month: SettledMonth } {
  const share = { ownAdsRateUnits: 5_000, sspRateUnits: 4_000, isTargetForSspAllocation: true }
  const terms = { minimumRevenueType: 'by_agreement' as const, minimumRevenueYen: 200_000n, fixedRevenueYen: 30_000n }
  const agreements = [
    sampleAgreement(
      1n,
      [
        sampleRule(11n, 100_001n, { share }),
        sampleRule(12n, 50_001n, { share: { ...share, isTargetForSspAllocation: false } }),
      ],
      { terms },
    ),
    sampleAgreement(2n, [sampleRule(21n, 10_001n, { minimumRevenueYen: 9_000n, share })], {
      terms: { minimumRevenueType: 'by_publisher' },
    }),
    sampleAgreement(3n, [sampleRule(31n, 4_001n, { share })], { terms: { payoutThresholdYen: 50_000n } }),
    sampleAgreement(4n, [sampleRule(41n, 4_001n, { share })], { isPaymentDisabled: true }),
    sampleAgreement(5n, [sampleRule(51n, 4_001n, { share })], { accounts: [] }),
  ]
  const first = sampleMonth(202605, { agreements })
  const before = settled(first)
  const next = agreements.map(agreement => ({
    ...agreement,
    rules: agreement.rules.map(rule => ({
      ...rule,
      carried: before.payments
        .flatMap(payment => payment.publishers)
        .find(each => each.publisherId === rule.publisherId)!.nextCarried,
    })),
  }))
  const input = sampleMonth(202606, {
    agreements: next,
    poolJobs: [
      {
        jobId: 1n,
        kind: 'ssp',
        method: 'payment',
        poolYen: 9_999n,
        weights: [11n, 21n, 31n].map(publisherId => ({
          agreementId: publisherId / 10n,
          publisherId,
          weight: publisherId,
        })),
      },
    ],
    adjustments: [sampleAdjustment(2n, 21n, 777n)],
  })
  return { input, before, month: settled(input) }
}

const FULL = fullMonth()

function corrupted(agreementId: bigint, change: (payment: SettledPayment) => SettledPayment): SettledMonth {
  return {
    ...FULL.month,
    payments: FULL.month.payments.map(each => (each.agreementId === agreementId ? change(each) : each)),
  }
}
function corruptedPublisher(
  agreementId: bigint,
  change: (publisher: SettledPublisherPayment) => SettledPublisherPayment,
): SettledMonth {
  return corrupted(agreementId, payment => ({
    ...payment,
    publishers: payment.publishers.map((each, index) => (index === 0 ? change(each) : each)),
  }))
}
function found(violations: readonly Violation[]): Invariant[] {
  return [...new Set(violations.map(violation => violation.invariant))]
}
const check = (month: SettledMonth) => settlementViolations(month, FULL.input, FULL.before)

describe('every corruption of a settled month is found and names its row', () => {
  test('the untouched month is clean', () => {
    expect(check(FULL.month)).toEqual([])
    expect(recomputationViolations(FULL.input, FULL.month)).toEqual([])
  })

  const cases: [Invariant, bigint, SettledMonth][] = [
    ['I1', 1n, corrupted(1n, each => ({ ...each, adsRevenueYen: each.adsRevenueYen + 1n }))],
    ['I1', 1n, corruptedPublisher(1n, each => ({ ...each, sspRevenueYen: each.sspRevenueYen - 1n }))],
    [
      'I2',
      1n,
      corruptedPublisher(1n, each => ({
        ...each,
        adsRevenueYen: each.adsRevenueYen + 1n,
        revenueYen: each.revenueYen + 1n,
      })),
    ],
    ['I2', 1n, corrupted(1n, each => ({ ...each, publishers: each.publishers.slice(1) }))],
    ['I2', 2n, corruptedPublisher(2n, each => ({ ...each, adjustments: [] }))],
    ['I3', 2n, corrupted(2n, each => ({ ...each, manualAdjustmentRevenueYen: each.manualAdjustmentRevenueYen + 1n }))],
    [
      'I4',
      3n,
      corrupted(3n, each => ({
        ...each,
        carriedOverRevenueYen: each.carriedOverRevenueYen + 1n,
        cumulativeRevenueYen: each.cumulativeRevenueYen + 1n,
      })),
    ],
    ['I4', 3n, corruptedPublisher(3n, each => ({ ...each, nextCarried: [] }))],
    ['I6', 1n, corrupted(1n, each => ({ ...each, paymentYen: -each.paymentYen }))],
    ['I6', 1n, corruptedPublisher(1n, each => ({ ...each, paymentYen: each.paymentYen - 1n }))],
    ['I6', 3n, corrupted(3n, each => ({ ...each, reason: null }))],
    [
      'I7',
      4n,
      corrupted(4n, each => ({ ...each, outcome: 'scheduled', reason: null, paymentYen: each.cumulativeRevenueYen })),
    ],
    [
      'I7',
      5n,
      corrupted(5n, each => ({ ...each, outcome: 'scheduled', reason: null, paymentYen: each.cumulativeRevenueYen })),
    ],
    ['I7', 1n, corrupted(1n, each => ({ ...each, bankAccountId: 1n }))],
    [
      'I10',
      1n,
      corrupted(1n, each => ({
        ...each,
        minimumTopUpRevenueYen: each.minimumTopUpRevenueYen - 1n,
        revenueYen: each.revenueYen - 1n,
      })),
    ],
    ['I10', 3n, corrupted(3n, each => ({ ...each, minimumTopUpRevenueYen: 1n }))],
    [
      'I11',
      2n,
      corruptedPublisher(2n, each => ({
        ...each,
        topUpOfRuleYen: each.topUpOfRuleYen - 1n,
        revenueYen: each.revenueYen - 1n,
      })),
    ],
    [
      'I11',
      2n,
      corruptedPublisher(2n, each => ({
        ...each,
        topUpOfRuleYen: each.topUpOfRuleYen + 1n,
        revenueYen: each.revenueYen + 1n,
      })),
    ],
    ['I12', 1n, corrupted(1n, each => ({ ...each, paymentTaxYen: each.paymentTaxYen + 1n }))],
    [
      'I12',
      1n,
      corrupted(1n, each => ({
        ...each,
        taxLines: each.taxLines.map(line => ({ ...line, taxYen: line.taxYen + 1n })),
      })),
    ],
    ['I12', 1n, corrupted(1n, each => ({ ...each, paymentIncludingTaxYen: each.paymentIncludingTaxYen - 1n }))],
    [
      'I13',
      1n,
      corrupted(1n, each => ({
        ...each,
        paidBuckets: each.paidBuckets.map(bucket => ({ ...bucket, deductibleTaxYen: bucket.deductibleTaxYen + 1n })),
      })),
    ],
    [
      'I13',
      1n,
      corrupted(1n, each => ({
        ...each,
        paidBuckets: each.paidBuckets.map(bucket => ({
          ...bucket,
          taxYen: bucket.taxYen + 1n,
          nonDeductibleTaxYen: bucket.nonDeductibleTaxYen + 1n,
        })),
      })),
    ],
    ['I14', 1n, corrupted(1n, each => ({ ...each, paidBuckets: [] }))],
    ['I14', 3n, corruptedPublisher(3n, each => ({ ...each, openBuckets: each.openBuckets.slice(1) }))],
    ['I23', 1n, corrupted(1n, each => ({ ...each, dueOn: day('2026-07-20') }))],
    ['I23', 1n, corrupted(1n, each => ({ ...each, dueOn: day('2026-08-03') }))],
  ]
  test.each(cases)('%s in agreement %s', (invariant, agreementId, month) => {
    const violations = check(month)
    expect(found(violations)).toContain(invariant)
    expect(violations.some(each => each.invariant === invariant && each.row.startsWith(`契約 ${agreementId}`))).toBe(
      true,
    )
    expect(found(recomputationViolations(FULL.input, month))).toEqual(['I16'])
  })

  test('I12 to I14: returns at the wrong rate, deduction, month or by another version', () => {
    const carried = [
      { generatedMonth: 201909 as YearMonth, amountYen: 20_000n },
      { generatedMonth: 202607 as YearMonth, amountYen: 1_005n },
    ]
    const input = sampleMonth(202610, {
      agreements: [sampleAgreement(1n, [sampleRule(101n, 100_005n, { carried })])],
      adjustments: [
        sampleAdjustment(1n, 101n, -25_000n, { originMonth: 202608 as YearMonth }),
        sampleAdjustment(1n, 101n, 300n, { line: 2, method: 'discard' }),
      ],
    })
    const month = settled(input)
    const changed = (change: (payment: SettledPayment) => SettledPayment) =>
      found(settlementViolations({ ...month, payments: month.payments.map(change) }, input, null))
    const changedBuckets = (change: (bucket: SettledPayment['paidBuckets'][number]) => object) =>
      changed(each => ({
        ...each,
        paidBuckets: each.paidBuckets.map(bucket => ({ ...bucket, ...change(bucket) })),
      }))
    expect(changedBuckets(() => ({}))).toEqual([])
    const isReturn = (bucket: { readonly amountYen: bigint }) => bucket.amountYen < 0n
    // Given back at October's 70 % instead of August's 80 %.
    expect(
      changedBuckets(bucket =>
        isReturn(bucket) ? { deductiblePercent: 70, deductibleTaxYen: -1_750n, nonDeductibleTaxYen: -750n } : {},
      ),
    ).toEqual(['I13'])
    // A yen of tax moved from a month with the larger fraction to another.
    const moved = new Map([
      [202607, -1n],
      [202610, 1n],
    ])
    expect(
      changedBuckets(({ generatedMonth, taxYen, nonDeductibleTaxYen }) => ({
        taxYen: taxYen + (moved.get(generatedMonth) ?? 0n),
        nonDeductibleTaxYen: nonDeductibleTaxYen + (moved.get(generatedMonth) ?? 0n),
      })),
    ).toContain('I13')
    // Taxed at the wrong rate.
    expect(changedBuckets(bucket => (bucket.ratePercent === 8 ? { ratePercent: 10 } : {}))).toContain('I14')
    // The discard of 300 is taken from the current month instead of the oldest one.
    const shifted = new Map([
      [201909, 300n],
      [202610, -300n],
    ])
    expect(
      changed(each => ({
        ...each,
        publishers: each.publishers.map(publisher => ({
          ...publisher,
          openBuckets: publisher.openBuckets.map(bucket => ({
            ...bucket,
            amountYen: bucket.amountYen + (shifted.get(bucket.generatedMonth) ?? 0n),
          })),
        })),
      })),
    ).toContain('I14')
    const { rules: _rules, ...settings } = input.settings
    expect(found(settlementViolations(settled({ ...input, settings }), input, null))).toContain('I14')
    // Carried over although it could be paid.
    expect(
      changed(each => ({
        ...each,
        ...{ outcome: 'carried_over', reason: { code: 'NON_POSITIVE_TOTAL' } },
      })),
    ).toContain('I12')
  })

  test('I4: an opening balance is carried as it is on record', () => {
    const opening = [{ generatedMonth: 201909 as YearMonth, amountYen: 250n }]
    const monthWith = (carriedYen: bigint) =>
      sampleMonth(202607, {
        agreements: [
          sampleAgreement(1n, [
            sampleRule(101n, 10n, { carried: [{ ...opening[0]!, amountYen: carriedYen }], opening }),
          ]),
        ],
      })
    const recorded = { agreementId: 1n, publisherId: 101n, originMonth: 201909 as YearMonth, amountYen: 250n }
    const of = (input: MonthInput, ...openings: OpeningBalance[]) =>
      settlementViolations(settled(input), input, { payments: [] }, openings).map(each => each.invariant)
    expect(of(monthWith(250n), recorded)).toEqual([])
    expect(of(monthWith(250n))).toEqual(['I4'])
    expect(of(monthWith(250n), { ...recorded, amountYen: 251n })).toEqual(['I4', 'I4'])
    expect(of(monthWith(250n), { ...recorded, originMonth: 201910 as YearMonth })).toEqual(['I4'])
    expect(of(monthWith(250n), recorded, { ...recorded, agreementId: 2n })).toEqual(['I4'])
    // Recorded, but not carried.
    expect(of(monthWith(249n), recorded)).toEqual(['I4', 'I4'])
  })

  test('I4: what is carried keeps its months, also where the sum is right', () => {
    const moved = (buckets: readonly GeneratedBucket[]) =>
      buckets.flatMap(bucket => [
        { ...bucket, amountYen: bucket.amountYen - 1n },
        { generatedMonth: 202604 as YearMonth, amountYen: 1n },
      ])
    const input = {
      ...FULL.input,
      agreements: FULL.input.agreements.map(agreement =>
        agreement.agreementId === 3n
          ? { ...agreement, rules: agreement.rules.map(rule => ({ ...rule, carried: moved(rule.carried) })) }
          : agreement,
      ),
    }
    expect(settlementViolations(settled(input), input, FULL.before)).toEqual([
      { invariant: 'I4', row: expect.stringContaining('31'), detail: expect.stringMatching(/^20260[45]分の前月繰越/) },
    ])
  })

  test('I4: an agreement with a balance cannot vanish with its input', () => {
    const without = <T extends { readonly agreementId: bigint }>(rows: readonly T[]) =>
      rows.filter(row => row.agreementId !== 3n)
    const input = { ...FULL.input, agreements: without(FULL.input.agreements), poolJobs: [] }
    const violations = settlementViolations(settled(input), input, FULL.before)
    expect(violations).toEqual([{ invariant: 'I4', row: '契約 3', detail: '残高のある契約の行がなくなっています。' }])
  })

  test('I5 over a history', () => {
    const history = [FULL.before, FULL.month].map(month => month.payments.find(each => each.agreementId === 3n)!)
    expect(conservationViolations(history)).toEqual([])
    const lost = [history[0]!, { ...history[1]!, carriedOverToNextYen: history[1]!.carriedOverToNextYen - 1n }]
    expect(found(conservationViolations(lost))).toEqual(['I5'])
  })

  test('I8 and I9', () => {
    const pool = FULL.month.pools[0]!
    expect(found(check({ ...FULL.month, pools: [{ ...pool, retainedYen: pool.retainedYen + 1n }] }))).toEqual(['I8'])
    expect(found(check({ ...FULL.month, pools: [] }))).toEqual(['I8'])
    const share = FULL.month.payments[0]!.publishers[0]!.poolShares[0]!
    const more = corruptedPublisher(1n, each => ({
      ...each,
      poolShares: [{ ...share, allocatedYen: share.allocatedYen + 1n }],
    }))
    expect(found(check(more))).toEqual(['I8'])
    const notTarget = corrupted(1n, each => ({
      ...each,
      publishers: each.publishers.map(publisher =>
        publisher.publisherId === 12n ? { ...publisher, poolShares: [share] } : publisher,
      ),
    }))
    expect(found(check(notTarget))).toContain('I9')
  })
})

describe('invariants around the settlement', () => {
  test('I15: a job and its reset leave the books as they were; run again, only the new job counts', () => {
    const candidates = FULL.input.agreements.flatMap(({ agreementId, rules }) =>
      rules.map(rule => ({ agreementId, rule })),
    )
    const run = poolEntries(FULL.input.poolJobs[0]!, candidates)
    if (!run.ok) throw new Error('refused')
    const csv = csvEntries([sampleAdjustment(2n, 21n, 777n, { jobId: 2n })])
    const entries = [...run.value, ...csv]
    const reset = resetEntries(3n, entries)
    expect(reset).toHaveLength(entries.length)
    expect(resetViolations([...entries, ...reset], [1n, 2n])).toEqual([])
    expect(resetEntries(4n, [...entries, ...reset])).toEqual([])
    const again = run.value.map(entry => ({ ...entry, jobId: 5n }))
    expect(resetEntries(6n, [...entries, ...reset, ...again])).toHaveLength(again.length)

    expect(found(resetViolations([...entries, ...reset.slice(1)], [1n, 2n]))).toEqual(['I15'])
    expect(
      found(
        resetViolations([...entries, ...reset.map(entry => ({ ...entry, amountYen: entry.amountYen + 1n }))], [1n, 2n]),
      ),
    ).toEqual(['I15'])
    expect(found(resetViolations([...entries, ...reset], [1n]))).toEqual(['I15'])
  })

  test('I17', () => {
    const broken = { mediumId: 1n, month: 202606 as YearMonth, kind: 'content-altered' as const, agreementId: 3n }
    expect(chainViolations([broken])).toMatchObject([{ invariant: 'I17', row: '媒体 1 / 202606 / 契約 3' }])
    expect(chainViolations([])).toEqual([])
  })

  test('I18', () => {
    const month = (
      value: number,
      state: 'open' | 'finalized',
      jobStatuses: readonly ('success' | 'running' | 'failed' | 'pending')[] = [],
    ) => ({ mediumId: 1n, month: value as YearMonth, state, jobStatuses })
    expect(
      closingViolations([month(202606, 'finalized', ['success', 'failed']), month(202607, 'open', ['running'])]),
    ).toEqual([])
    expect(found(closingViolations([month(202606, 'finalized', ['running'])]))).toEqual(['I18'])
    expect(found(closingViolations([month(202607, 'finalized'), month(202606, 'open')]))).toEqual(['I18'])
    expect(found(closingViolations([month(202605, 'finalized'), month(202607, 'finalized')]))).toEqual(['I18'])
    expect(closingViolations([month(202606, 'open'), { ...month(202607, 'finalized'), mediumId: 2n }])).toEqual([])
  })

  test('I19: the records of a transfer', () => {
    const part = {
      ...{ monthlyPaymentId: 7n, paymentYen: 1_000n, paymentIncludingTaxYen: 1_100n },
      ...{ withholdingYen: 0n, feeBorneByPayeeYen: 0n, transferAmountYen: 1_100n },
    }
    const sent = (state: TransferState, ...records: readonly Partial<RecordWithState>[]): TransferWithState => {
      const standing = records.map(
        (each, index): RecordWithState => ({
          ...{ number: index + 1, replaces: null, amountYen: index === 1 ? 100n : 1_000n, feeYen: 330n, state: 'paid' },
          ...each,
        }),
      )
      return {
        ...part,
        ...{ transferId: 1n, state, bankAccountId: 1n, dueOn: day('2026-07-31'), feeYen: 660n, parts: [part] },
        ...{ payeeResidence: 'resident', nonResidentRate: null, hasTreatyForm: false },
        ...{ feePaidBy: 'product', payeeKind: 'company', records: standing.slice(0, 2), recordStates: standing },
      }
    }
    const isFound = (transfer: TransferWithState) =>
      found(transferViolations([transfer], transfer.state === 'returned' ? [] : [7n]))
    const again = { replaces: 2, amountYen: 100n }
    for (const healthy of [
      sent('paid', {}, {}),
      sent('exported', {}, { state: 'returned' }),
      sent('exported', { state: 'exported' }, { state: 'exported' }),
      sent('exported', {}, { state: 'returned' }, { ...again, state: 'cancelled' }, { ...again, state: 'planned' }),
      sent('paid', {}, { state: 'returned' }, again),
      sent('returned', { state: 'returned' }, { state: 'returned' }),
    ]) {
      expect(isFound(healthy)).toEqual([])
    }
    for (const damaged of [
      sent('exported', {}, {}),
      sent('paid', {}, { state: 'returned' }),
      sent('returned', {}, { state: 'returned' }),
      sent('exported', { state: 'returned' }, { state: 'returned' }),
      sent('paid', { amountYen: 999n }, {}),
      sent('paid', { feeYen: 1n }, {}),
      sent('paid', {}),
      // Sent again although it was paid, with another amount, and twice.
      sent('paid', {}, {}, again),
      sent('exported', {}, { state: 'returned' }, { ...again, amountYen: 99n }),
      sent('exported', {}, { state: 'returned' }, { ...again, state: 'exported' }, { ...again, state: 'exported' }),
    ]) {
      expect([...new Set(isFound(damaged))]).toEqual(['I19'])
    }
  })

  test('I19', () => {
    const part = {
      monthlyPaymentId: 7n,
      paymentYen: 1_000n,
      paymentIncludingTaxYen: 1_100n,
      withholdingYen: 102n,
      feeBorneByPayeeYen: 0n,
      transferAmountYen: 998n,
    }
    const transfer: TransferWithState = {
      ...part,
      transferId: 1n,
      state: 'planned',
      bankAccountId: 1n,
      dueOn: day('2026-07-31'),
      feePaidBy: 'product',
      payeeKind: 'individual',
      ...{ payeeResidence: 'resident', nonResidentRate: null, hasTreatyForm: false },
      feeYen: 660n,
      parts: [part],
      records: [{ amountYen: 998n, feeYen: 660n }],
    }
    expect(transferViolations([transfer], [7n])).toEqual([])
    expect(
      transferViolations(
        [
          { ...transfer, state: 'returned' },
          { ...transfer, transferId: 2n },
        ],
        [7n],
      ),
    ).toEqual([])
    const isFound = (transfers: readonly TransferWithState[], ids: readonly bigint[]) =>
      found(transferViolations(transfers, ids))
    expect(isFound([{ ...transfer, transferAmountYen: 999n }], [7n])).toEqual(['I19'])
    expect(isFound([transfer, { ...transfer, transferId: 2n }], [7n])).toEqual(['I19'])
    expect(isFound([transfer], [7n, 8n])).toEqual(['I19'])
    expect(isFound([transfer], [])).toEqual(['I19'])
    expect(isFound([{ ...transfer, feePaidBy: 'publisher' }], [7n])).toEqual(['I19'])
    expect(isFound([{ ...transfer, parts: [{ ...part, withholdingYen: 101n }] }], [7n])).toEqual(['I19'])
    expect(isFound([{ ...transfer, records: [{ amountYen: 997n, feeYen: 660n }] }], [7n])).toEqual(['I19'])
    expect(isFound([{ ...transfer, records: [{ amountYen: 998n, feeYen: 661n }] }], [7n])).toEqual(['I19'])
    const inFile = [{ amountYen: 998n }]
    expect(bankFileViolations({ count: 1, totalYen: 998n, amountsYen: [998n] }, inFile)).toEqual([])
    expect(found(bankFileViolations({ count: 1, totalYen: 997n, amountsYen: [998n] }, inFile))).toEqual(['I19'])
    expect(found(bankFileViolations({ count: 2, totalYen: 998n, amountsYen: [998n] }, inFile))).toEqual(['I19'])
  })

  test('I20', () => {
    const timingOf = () => 'finalising' as const
    const taxes = { timingOf, taxTable: FULL.input.taxTable, deductionTable: FULL.input.deductionTable }
    const paid = FULL.month.payments.filter(payment => payment.paymentYen > 0n)
    const entries = paid
      .flatMap(payment => [
        accrualEntry(payment, { qualifiedMonths: [], rules: [] }, taxes),
        payableEntry(payment, day('2026-07-05'), timingOf),
      ])
      .filter(entry => entry !== null)
    const statements = paid.map(payment => ({ totalYen: payment.paymentIncludingTaxYen }))
    expect(journalViolations(entries, statements)).toEqual([])
    expect(found(journalViolations(entries, statements.slice(1)))).toEqual(['I20'])
    const unbalanced = entries.map(entry => ({ ...entry, lines: entry.lines.slice(1) }))
    expect(found(journalViolations(unbalanced, statements))).toEqual(['I20'])
  })

  test('I21: totals are those of the whole filter, not of a page', () => {
    const rows = FULL.month.payments
    const totals = paymentTotals(rows)
    expect(totals).toMatchObject({
      sumYen: rows.reduce((sum, row) => sum + row.paymentIncludingTaxYen, 0n),
      taxSumYen: rows.reduce((sum, row) => sum + row.paymentTaxYen, 0n),
    })
    expect(
      paymentTotals([1_239n, 999n].map(yen => ({ ...rows[0]!, revenueYen: yen, taxRatePercent: 10 }))),
    ).toMatchObject({
      sumRevenueWithoutTaxYen: 2_238n,
      // One floor for each row: 123 + 99.
      sumRevenueTaxYen: 222n,
      sumRevenueYen: 2_460n,
    })
    expect(totalsViolations(totals, rows)).toEqual([])
    expect(found(totalsViolations(paymentTotals(rows.slice(0, 1)), rows))).toEqual(['I21'])
  })

  test('I22', () => {
    const days = [{ day: day('2026-06-01'), amountMicroYen: 10n, articlesMicroYen: 7n, restMicroYen: 3n }]
    expect(ownAdsViolations('媒体 1', 10n, days)).toEqual([])
    expect(found(ownAdsViolations('媒体 1', 11n, days))).toEqual(['I22'])
    expect(found(ownAdsViolations('媒体 1', 10n, [{ ...days[0]!, restMicroYen: 2n }]))).toEqual(['I22'])
  })

  test('I24', () => {
    const row = { agreementId: 1n, qualifiedInvoiceIssuer: true, invoiceRegistrationNumber: 'T7123456789012' }
    expect(registrationViolations(row, 'company', true)).toEqual([])
    expect(
      registrationViolations(
        { ...row, qualifiedInvoiceIssuer: false, invoiceRegistrationNumber: null },
        'company',
        false,
      ),
    ).toEqual([])
    expect(found(registrationViolations({ ...row, invoiceRegistrationNumber: null }, 'company', true))).toEqual(['I24'])
    expect(
      found(registrationViolations({ ...row, invoiceRegistrationNumber: 'T8123456789012' }, 'company', true)),
    ).toEqual(['I24'])
    expect(found(registrationViolations(row, 'company', false))).toEqual(['I24'])
    const visible = { agreementId: 1n, organizationId: 1n, hasBeenFinalized: true }
    expect(exposureViolations(1n, [visible])).toEqual([])
    expect(found(exposureViolations(2n, [visible]))).toEqual(['I24'])
    expect(found(exposureViolations(1n, [{ ...visible, hasBeenFinalized: false }]))).toEqual(['I24'])
  })

  test('a yen moved anywhere in a random month is found by recomputing', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        const input = randomMonth(seed)
        const month = settled(input)
        expect(recomputationViolations(input, month)).toEqual([])
        const moved = {
          ...month,
          payments: month.payments.map((each, index) =>
            index === 0 ? { ...each, agreementFixedYen: each.agreementFixedYen + 1n } : each,
          ),
        }
        expect(found(recomputationViolations(input, moved))).toEqual(['I16'])
        const next = followingMonth(seed, input, month)
        if (next) expect(next.month).toBe(addMonths(input.month, 1))
      }),
    )
  })
})
