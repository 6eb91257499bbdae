import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { addMonths, type YearMonth } from '../month/year-month.ts'
import {
  accountInUse,
  bothEarn,
  checkAgreementTerms,
  isActiveIn,
  isTerminatedBy,
  isTerminatedOn,
} from './agreement-terms.ts'
import { isQualifiedInvoiceIssuer } from './invoice-issuer.ts'
import { blockingFindings, lawFindings, rulesInForce } from './law-guard.ts'
import type { AgreementFacts } from './law-rule.ts'
import { LAW_RULES } from './law-rules.ts'
import { topUpYen } from './minimum-revenue.ts'
import { checkRevenueShare, isTargetOf, NO_SHARE, POOL_KINDS, poolRateUnits } from './revenue-share.ts'
import { valueAsOf, versionAsOf, withVersion } from './terms-history.ts'

const at = (value: number) => value as YearMonth

describe('terms history', () => {
  const history = [
    { validFromMonth: at(202607), value: 'B' },
    { validFromMonth: at(202601), value: 'A' },
  ]
  test('as of a month', () => {
    expect(valueAsOf(history, at(202512))).toBeUndefined()
    expect(valueAsOf(history, at(202601))).toBe('A')
    expect(valueAsOf(history, at(202606))).toBe('A')
    expect(valueAsOf(history, at(202607))).toBe('B')
    expect(versionAsOf(history, at(202612))).toEqual({ validFromMonth: 202607, value: 'B' })
  })
  test('a finalised month cannot be changed any more; the first open one can', () => {
    const version = { validFromMonth: at(202606), value: 'C' }
    expect(withVersion(history, version, at(202606))).toEqual({
      ok: false,
      refusals: [
        {
          code: 'agreement/valid-from-finalized',
          path: ['input', 'validFromMonth'],
          data: { validFromMonth: 202606, firstOpenMonth: 202607 },
        },
      ],
    })
    const changed = withVersion(history, version, at(202605))
    expect(changed.ok && changed.value.map(each => each.validFromMonth)).toEqual([202601, 202606, 202607])
    const replaced = withVersion(history, { validFromMonth: at(202607), value: 'D' }, null)
    expect(replaced.ok && valueAsOf(replaced.value, at(202701))).toBe('D')
  })
  test('a new version never changes what held before it', () => {
    const months = fc.integer({ min: 0, max: 60 }).map(offset => addMonths(at(202201), offset))
    fc.assert(
      fc.property(fc.array(months, { maxLength: 8 }), months, months, (starts, start, requested) => {
        let versions: readonly { validFromMonth: YearMonth; value: number }[] = []
        for (const [index, validFromMonth] of starts.entries()) {
          const next = withVersion(versions, { validFromMonth, value: index }, null)
          if (next.ok) versions = next.value
        }
        const changed = withVersion(versions, { validFromMonth: start, value: 99 }, null)
        if (!changed.ok) throw new Error('refused')
        if (requested < start) expect(valueAsOf(changed.value, requested)).toBe(valueAsOf(versions, requested))
        expect(valueAsOf(changed.value, start)).toBe(99)
      }),
    )
  })
})

describe('terms', () => {
  test('the month of termination counts', () => {
    const terminatedOn = day('2026-06-02')
    expect([202605, 202606, 202607].map(month => isActiveIn(at(month), terminatedOn))).toEqual([true, true, false])
    expect([202605, 202606, 202607].map(month => isTerminatedBy(at(month), terminatedOn))).toEqual([false, true, true])
    expect(isActiveIn(at(202606), null)).toBe(true)
    expect(isTerminatedBy(at(202606), null)).toBe(false)
  })
  test('a termination to come is scheduled until its day, and the month of that day is the last one', () => {
    const terminatedOn = day('2026-06-02')
    const days = ['2026-05-31', '2026-06-01', '2026-06-02', '2026-06-30'].map(day)
    expect(days.map(each => isTerminatedOn(each, terminatedOn))).toEqual([false, false, true, true])
    expect(isTerminatedOn(day('2099-12-31'), null)).toBe(false)
  })
  test('the latest account whose month has come', () => {
    const accounts = [
      { bankAccountId: 2n, usedFromMonth: at(202607) },
      { bankAccountId: 1n, usedFromMonth: at(202601) },
    ]
    expect(accountInUse(accounts, at(202512))).toBeNull()
    expect(accountInUse(accounts, at(202606))).toBe(1n)
    expect(accountInUse(accounts, at(202607))).toBe(2n)
    const clash = [...accounts, { bankAccountId: 3n, usedFromMonth: at(202607) }]
    expect(() => accountInUse(clash, at(202608))).toThrow(RangeError)
  })
  test('amounts and rates', () => {
    const terms = {
      feePaidBy: 'product',
      paymentTiming: 'a_month_later',
      minimumRevenueType: 'none',
      fixedRevenueYen: -1n,
      minimumRevenueYen: 0n,
      payoutThresholdYen: null,
    } as const
    const wrong = (parts: object) => checkAgreementTerms({ ...terms, ...parts }).map(each => each.path)
    expect(wrong({})).toEqual([['input', 'fixedRevenueYen']])
    expect(wrong({ fixedRevenueYen: 0n, payoutThresholdYen: 0n })).toEqual([])
    expect(wrong({ fixedRevenueYen: 1_000_000_000_000n })).toEqual([])
    expect(wrong({ fixedRevenueYen: 1_000_000_000_001n })).toEqual([['input', 'fixedRevenueYen']])
    expect(wrong({ fixedRevenueYen: 0n, minimumRevenueYen: -1n, payoutThresholdYen: -1n })).toEqual([
      ['input', 'minimumRevenueYen'],
      ['input', 'payoutThresholdYen'],
    ])
    const share = {
      ownAdsRateUnits: 10_000,
      sspRateUnits: -1,
      videoSspRateUnits: 0.5,
      liveSspRateUnits: 10_001,
      isTargetForSspAllocation: true,
      isTargetForVideoSspAllocation: false,
      isTargetForLiveSspAllocation: true,
    }
    expect(checkRevenueShare(share).map(each => each.path)).toEqual([
      ['input', 'sspRateUnits'],
      ['input', 'videoSspRateUnits'],
      ['input', 'liveSspRateUnits'],
    ])
    expect(checkRevenueShare({ ...NO_SHARE, ownAdsRateUnits: -1 }).map(each => each.path[1])).toEqual([
      'ownAdsRateUnits',
    ])
    expect(POOL_KINDS.filter(kind => isTargetOf(NO_SHARE, kind) || poolRateUnits(NO_SHARE, kind) > 0)).toEqual([])
    expect([isTargetOf(share, 'ssp'), isTargetOf(share, 'ssp_video'), isTargetOf(share, 'ssp_live')]).toEqual([
      true,
      false,
      true,
    ])
    const rates = { ...share, sspRateUnits: 1, videoSspRateUnits: 2, liveSspRateUnits: 3 }
    expect(POOL_KINDS.map(kind => poolRateUnits(rates, kind))).toEqual([1, 2, 3])
    const flags = ['isTargetForSspAllocation', 'isTargetForVideoSspAllocation', 'isTargetForLiveSspAllocation']
    for (const [at, flag] of flags.entries())
      expect(POOL_KINDS.filter(kind => isTargetOf({ ...NO_SHARE, [flag]: true }, kind))).toEqual([POOL_KINDS[at]])
  })
  test('a guarantee tops up to itself', () => {
    expect(topUpYen(200_000n, 165_001n)).toBe(34_999n)
    expect(topUpYen(10n, 10n)).toBe(0n)
    expect(topUpYen(10n, 11n)).toBe(0n)
    expect([topUpYen(0n, 5n), topUpYen(5n, 0n)]).toEqual([0n, 5n])
    expect(() => topUpYen(10n, -1n)).toThrow(RangeError)
    expect(() => topUpYen(-1n, 10n)).toThrow(RangeError)
  })
})

test('a qualified issuer has a possible number and is registered on the last day of the month', () => {
  const spans = [{ registeredOn: day('2026-01-31'), endedOn: day('2026-06-30') }]
  const isQualified = (month: number, number: string | null = 'T7123456789012') =>
    isQualifiedInvoiceIssuer(number, 'company', spans, at(month))
  expect([202512, 202601, 202605, 202606].map(month => isQualified(month))).toEqual([false, true, true, false])
  expect(isQualified(202605, null)).toBe(false)
  expect(isQualified(202605, 'T8123456789012')).toBe(false)
  expect(isQualifiedInvoiceIssuer('T8123456789012', 'individual', spans, at(202605))).toBe(true)
  // A number that was never looked up, and one that was registered again after its end.
  expect(isQualifiedInvoiceIssuer('T7123456789012', 'company', [], at(202605))).toBe(false)
  const again = [...spans, { registeredOn: day('2026-09-01'), endedOn: null }]
  expect(
    [202605, 202608, 202609].map(month => isQualifiedInvoiceIssuer('T7123456789012', 'company', again, at(month))),
  ).toEqual([...[true, false, true]])
})

describe('law guard', () => {
  const clean: AgreementFacts = {
    feePaidBy: 'product',
    paymentTiming: 'a_month_later',
    businessDayShift: 'previous',
    payoutThresholdYen: null,
    isShiftAgreedInWriting: false,
    smallSupplierCoverage: 'not_covered',
    freelanceCoverage: 'not_covered',
    payeeKind: 'company',
    isQualifiedInvoiceIssuer: true,
    invoiceRegistrationNumber: 'T7123456789012',
  }
  const idsOf = (facts: Partial<AgreementFacts>, onDay: string) =>
    lawFindings({ ...clean, ...facts }, day(onDay)).map(finding => `${finding.severity} ${finding.ruleId}`)

  // Cases on both sides of each rule's first day.
  test.each<[string, Partial<AgreementFacts>, string, string]>([
    [
      'error small-supplier-fee',
      { feePaidBy: 'publisher', smallSupplierCoverage: 'covered' },
      '2025-12-31',
      '2026-01-01',
    ],
    [
      'error small-supplier-term',
      { paymentTiming: 'two_months_later', smallSupplierCoverage: 'covered' },
      '2025-12-31',
      '2026-01-01',
    ],
    [
      'error freelance-term',
      { paymentTiming: 'two_months_later', freelanceCoverage: 'covered' },
      '2024-10-31',
      '2024-11-01',
    ],
    ['warning freelance-fee', { feePaidBy: 'publisher', freelanceCoverage: 'covered' }, '2024-10-31', '2024-11-01'],
    ['warning freelance-fee', { feePaidBy: 'publisher', freelanceCoverage: 'covered' }, '2026-01-01', '2025-12-31'],
    [
      'error freelance-fee-reduction',
      { feePaidBy: 'publisher', freelanceCoverage: 'covered' },
      '2025-12-31',
      '2026-01-01',
    ],
    ['error covered-threshold', { payoutThresholdYen: 2n, freelanceCoverage: 'covered' }, '2024-10-31', '2024-11-01'],
    [
      'error covered-threshold',
      { payoutThresholdYen: 5_000n, smallSupplierCoverage: 'covered' },
      '2025-12-31',
      '2026-01-01',
    ],
    [
      'error late-shift-not-agreed',
      { businessDayShift: 'next', freelanceCoverage: 'covered' },
      '2024-10-31',
      '2024-11-01',
    ],
    [
      'error late-shift-not-agreed',
      { businessDayShift: 'next', smallSupplierCoverage: 'covered' },
      '2025-12-31',
      '2026-01-01',
    ],
    ['warning coverage-unknown', { freelanceCoverage: 'unknown' }, '2024-10-31', '2024-11-01'],
    ['warning coverage-unknown', { smallSupplierCoverage: 'unknown' }, '2024-10-31', '2024-11-01'],
    ['note fee-borne-by-publisher', { feePaidBy: 'publisher' }, '2025-12-31', '2026-01-01'],
    ['error registration-number-missing', { invoiceRegistrationNumber: null }, '2023-09-30', '2023-10-01'],
    ['error registration-number-invalid', { invoiceRegistrationNumber: 'T8123456789012' }, '2023-09-30', '2023-10-01'],
    [
      'warning registration-number-unverified',
      { invoiceRegistrationNumber: 'T8123456789012', payeeKind: 'individual' },
      '2023-09-30',
      '2023-10-01',
    ],
  ])('%s', (expected, facts, before, after) => {
    expect(idsOf(facts, before)).not.toContain(expected)
    expect(idsOf(facts, after)).toContain(expected)
  })

  test('unknown coverage is reported at the field that is unknown', () => {
    const fieldOf = (facts: Partial<AgreementFacts>) =>
      lawFindings({ ...clean, ...facts }, day('2026-11-20')).find(each => each.ruleId === 'coverage-unknown')?.field
    expect(fieldOf({ freelanceCoverage: 'unknown' })).toBe('freelanceCoverage')
    expect(fieldOf({ smallSupplierCoverage: 'unknown' })).toBe('smallSupplierCoverage')
    expect(fieldOf({ smallSupplierCoverage: 'unknown', freelanceCoverage: 'unknown' })).toBe('smallSupplierCoverage')
  })

  test('a clean agreement has no findings', () => {
    expect(idsOf({}, '2026-11-20')).toEqual([])
    expect(idsOf({ payoutThresholdYen: 1n, freelanceCoverage: 'covered' }, '2026-11-20')).toEqual([])
    expect(idsOf({ payoutThresholdYen: 5_000n }, '2026-11-20')).toEqual([])
    expect(idsOf({ freelanceCoverage: 'covered' }, '2025-12-31')).toEqual([])
    expect(idsOf({ feePaidBy: 'publisher' }, '2025-12-31')).toEqual([])
    expect(idsOf({ isQualifiedInvoiceIssuer: false, invoiceRegistrationNumber: null }, '2026-11-20')).toEqual([])
    expect(
      idsOf({ businessDayShift: 'next', freelanceCoverage: 'covered', isShiftAgreedInWriting: true }, '2026-11-20'),
    ).toEqual([])
  })
  test('errors block, warnings block until they are acknowledged, notes never do', () => {
    const facts: AgreementFacts = { ...clean, feePaidBy: 'publisher', freelanceCoverage: 'unknown' }
    expect(blockingFindings(lawFindings(facts, day('2026-11-20'))).map(each => each.ruleId)).toEqual([
      'coverage-unknown',
    ])
    expect(blockingFindings(lawFindings(facts, day('2026-11-20'), ['coverage-unknown']))).toEqual([])
    const covered: AgreementFacts = { ...facts, smallSupplierCoverage: 'covered' }
    expect(
      blockingFindings(lawFindings(covered, day('2026-11-20'), ['small-supplier-fee', 'coverage-unknown'])),
    ).toMatchObject([{ ruleId: 'small-supplier-fee' }])
  })
  test('errors stand before warnings, and warnings before notes, whatever the order of the rules', () => {
    const facts = { feePaidBy: 'publisher', freelanceCoverage: 'unknown', invoiceRegistrationNumber: null } as const
    const severities = (rules: typeof LAW_RULES) =>
      lawFindings({ ...clean, ...facts }, day('2026-11-20'), [], rules).map(each => each.severity)
    expect(severities(LAW_RULES)).toEqual(['error', 'warning', 'note'])
    expect(severities(LAW_RULES.toReversed())).toEqual(['error', 'warning', 'note'])
  })
  test('rules are data with an end', () => {
    const ending = { ...LAW_RULES[0]!, id: 'ending', validUntil: day('2028-10-01') }
    expect(rulesInForce(day('2028-09-30'), [ending])).toHaveLength(1)
    expect(rulesInForce(day('2028-10-01'), [ending])).toHaveLength(0)
    expect(new Set(LAW_RULES.map(rule => rule.id)).size).toBe(LAW_RULES.length)
  })
})

describe('two agreements of a medium that name the same publisher', () => {
  const months = Array.from({ length: 14 }, (_, index) => addMonths(at(202601), index))
  const month = fc.constantFrom(...months)
  const span = fc.record({
    agreementFrom: month,
    ruleFrom: month,
    terminatedOn: fc.option(
      month.map(each => day(`${Math.trunc(each / 100)}-${String(each % 100).padStart(2, '0')}-15`)),
    ),
  })
  test('overlap exactly where a month could not say which of them earns', () => {
    fc.assert(
      fc.property(span, span, (a, b) => {
        // Like the settlement of a month: agreements that continue come before those that end in it.
        const isAmbiguous = [...months, addMonths(at(202601), 14)].some(each => {
          const begun = [a, b].filter(one => Math.max(one.agreementFrom, one.ruleFrom) <= each)
          const active = begun.filter(one => isActiveIn(each, one.terminatedOn))
          const goingOn = active.filter(one => !isTerminatedBy(each, one.terminatedOn))
          return (goingOn.length > 0 ? goingOn : active).length > 1
        })
        expect(bothEarn(a, b)).toBe(isAmbiguous)
      }),
      { numRuns: 2_000 },
    )
  })
})
