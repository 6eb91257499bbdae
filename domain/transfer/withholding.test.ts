import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, day } from '../month/day.ts'
import {
  isWithheldFrom,
  RESIDENCES,
  STANDARD_WITHHOLDING_TABLE as TABLE,
  type TreatyForm,
  type WithheldPayee,
  withheldPayeeOf,
  withholdingDecision,
  withholdingYen,
} from './withholding.ts'

const COMPANY: WithheldPayee = { payeeKind: 'company', payeeResidence: 'resident', treatyForm: null }
const PERSON: WithheldPayee = { ...COMPANY, payeeKind: 'individual' }
const ABROAD: WithheldPayee = { ...PERSON, payeeResidence: 'non_resident' }
const FOREIGN_COMPANY: WithheldPayee = { ...COMPANY, payeeResidence: 'non_resident' }
const FORM: TreatyForm = { validFrom: day('2026-07-01'), validTo: day('2028-06-30'), rate: 1000 }
const PAID_ON = day('2026-07-31')
const LATER = {
  ...{ validFrom: day('2040-01-01'), thresholdYen: 1_000_000n, rateUpToThreshold: 1000, rateAboveThreshold: 2000 },
  rateNonResident: 1500,
}

describe('residents', () => {
  test.each([
    [999_999n, 102_099n],
    [1_000_000n, 102_100n],
    [1_000_001n, 102_100n],
    [1_500_000n, 204_200n],
    [1n, 0n],
    [10n, 1n],
  ])('an individual, %d yen', (base, expected) => {
    expect(withholdingYen(base, PERSON, PAID_ON, TABLE)).toBe(expected)
    expect(withholdingYen(base, COMPANY, PAID_ON, TABLE)).toBe(0n)
  })
  test('another rate from another day of payment, whatever the order of the table', () => {
    for (const table of [
      [...TABLE, LATER],
      [LATER, ...TABLE],
    ]) {
      expect(withholdingYen(1_500_000n, PERSON, day('2040-01-01'), table)).toBe(200_000n)
      expect(withholdingYen(1_500_000n, PERSON, day('2039-12-31'), table)).toBe(204_200n)
      expect(withholdingYen(1_500_000n, ABROAD, day('2040-01-01'), table)).toBe(225_000n)
      expect(withholdingYen(1_500_000n, ABROAD, day('2039-12-31'), table)).toBe(306_300n)
    }
    expect(() => withholdingYen(1n, PERSON, day('2012-12-31'), TABLE)).toThrow(RangeError)
    expect(() => withholdingYen(1n, PERSON, day('2012-12-31'), TABLE)).toThrow('2012-12-31')
    expect(withholdingYen(1_000n, PERSON, day('2013-01-01'), TABLE)).toBe(102n)
  })
  test('a treaty form of a resident counts for nothing', () => {
    for (const payee of [COMPANY, PERSON]) {
      expect(withholdingDecision({ ...payee, treatyForm: FORM }, PAID_ON, TABLE)).toEqual({
        nonResidentRate: null,
        hasTreatyForm: false,
      })
    }
    expect(withholdingYen(1_000_000n, { ...PERSON, treatyForm: FORM }, PAID_ON, TABLE)).toBe(102_100n)
  })
})

describe('non-residents', () => {
  test.each([
    [4n, 0n],
    [5n, 1n],
    [999_999n, 204_199n],
    [1_000_000n, 204_200n],
    [1_000_001n, 204_200n],
    [1_000_005n, 204_201n],
    [1_500_000n, 306_300n],
  ])('the whole amount at 20.42 %%, without a step at a million: %d yen', (base, expected) => {
    expect(withholdingYen(base, ABROAD, PAID_ON, TABLE)).toBe(expected)
    expect(withholdingYen(base, FOREIGN_COMPANY, PAID_ON, TABLE)).toBe(expected)
  })
  test.each([
    ['2026-06-30', 2042, false],
    ['2026-07-01', 1000, true],
    ['2028-06-30', 1000, true],
    ['2028-07-01', 2042, false],
  ])('a treaty form covers its days of payment: %s', (paidOn, nonResidentRate, hasTreatyForm) => {
    const payee = { ...FOREIGN_COMPANY, treatyForm: FORM }
    expect(withholdingDecision(payee, day(paidOn), TABLE)).toEqual({ nonResidentRate, hasTreatyForm })
    expect(withholdingYen(1_000_000n, payee, day(paidOn), TABLE)).toBe(hasTreatyForm ? 100_000n : 204_200n)
  })
  test('a form without an end; one that frees from tax', () => {
    const endless = { ...ABROAD, treatyForm: { ...FORM, validTo: null, rate: 0 } }
    expect(withholdingDecision(endless, day('2099-12-31'), TABLE)).toEqual({ nonResidentRate: 0, hasTreatyForm: true })
    expect(withholdingYen(9_999_999n, endless, day('2099-12-31'), TABLE)).toBe(0n)
    expect(withholdingYen(9_999_999n, endless, day('2026-06-30'), TABLE)).toBe(2_041_999n)
  })
})

test('who can be withheld from', () => {
  expect(RESIDENCES).toEqual([COMPANY.payeeResidence, ABROAD.payeeResidence])
  expect([COMPANY, PERSON, ABROAD, FOREIGN_COMPANY].map(isWithheldFrom)).toEqual([false, true, true, true])
})

test('the payee of a row', () => {
  const row = { payeeKind: 'company', payeeResidence: 'non_resident', treatyFormFrom: '2026-07-01' }
  expect(withheldPayeeOf({ ...row, treatyFormTo: '2028-06-30', treatyFormRate: 1000 })).toEqual({
    ...FOREIGN_COMPANY,
    treatyForm: FORM,
  })
  expect(withheldPayeeOf({ ...row, treatyFormTo: null, treatyFormRate: 0 })).toMatchObject({
    treatyForm: { validTo: null, rate: 0 },
  })
  const without = { treatyFormFrom: null, treatyFormTo: null, treatyFormRate: null }
  expect(withheldPayeeOf({ ...row, ...without })).toEqual(FOREIGN_COMPANY)
  expect(withheldPayeeOf({ ...row, treatyFormTo: null, treatyFormRate: null }).treatyForm).toBeNull()
  expect(withheldPayeeOf({ ...row, ...without, treatyFormRate: 1000 }).treatyForm).toBeNull()
})

const days = fc.integer({ min: 0, max: 12_000 }).map(count => addDays(day('2013-01-01'), count))
const amounts = fc.bigInt({ min: 0n, max: 10_000_000_000n })
const forms = fc.option(
  fc
    .record({ from: days, to: fc.option(days), rate: fc.integer({ min: 0, max: 2042 }) })
    .map(({ from, to, rate }): TreatyForm => {
      const [validFrom, validTo] = to !== null && to < from ? [to, from] : [from, to]
      return { validFrom, validTo, rate }
    }),
)

test('against a second computation: one exact fraction, cut once', () => {
  fc.assert(
    fc.property(amounts, days, forms, fc.boolean(), fc.boolean(), (base, paidOn, treatyForm, isPerson, isAbroad) => {
      const payee: WithheldPayee = {
        payeeKind: isPerson ? 'individual' : 'company',
        payeeResidence: isAbroad ? 'non_resident' : 'resident',
        treatyForm,
      }
      const line = paidOn >= LATER.validFrom ? LATER : TABLE[0]!
      const isCovered =
        treatyForm !== null && paidOn >= treatyForm.validFrom && paidOn <= (treatyForm.validTo ?? day('9999-12-31'))
      const above = base > 1_000_000n ? base - 1_000_000n : 0n
      const parts = isAbroad
        ? base * BigInt(isCovered ? treatyForm.rate : line.rateNonResident)
        : isPerson
          ? (base - above) * BigInt(line.rateUpToThreshold) + above * BigInt(line.rateAboveThreshold)
          : 0n
      const withheld = withholdingYen(base, payee, paidOn, [...TABLE, LATER])
      expect(withheld).toBe((parts - (parts % 10_000n)) / 10_000n)
      expect(withheld <= base).toBe(true)
      // For a payee abroad at least 20.42 % is withheld, except with a treaty form.
      if (isAbroad && !isCovered && paidOn < LATER.validFrom) {
        expect(withheld >= withholdingYen(base, { ...payee, payeeResidence: 'resident' }, paidOn, TABLE)).toBe(true)
      }
    }),
  )
})
