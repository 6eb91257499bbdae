import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { sampleHolidayCalendar } from '../month/sample-holidays.ts'
import type { YearMonth } from '../month/year-month.ts'
import { needsPaymentRecord, withholdingPayableOn } from './tax-office-rules.ts'
import { nextWithheldTaxes, withheldTaxesText } from './withheld-taxes.ja.ts'

const calendar = sampleHolidayCalendar()

test.each([
  // A weekday, a Saturday, a Sunday, and the turn of the year, when the 10th is a business day.
  [202601, '2026-02-10', true],
  [202512, '2026-01-13', true],
  [202604, '2026-05-11', true],
  [202612, '2027-01-12', true],
  [202712, '2028-01-10', false],
])('the tax withheld in %i is payable on %s', (month, expected, isKnown) => {
  expect(withholdingPayableOn(month as YearMonth, calendar)).toEqual({ day: expected, isKnown })
})

test('a payment record from the first yen above the limit on, for individuals who live in Japan', () => {
  const person = { payeeKind: 'individual', payeeResidence: 'resident' } as const
  expect(needsPaymentRecord(person, 50_000n)).toBe(false)
  expect(needsPaymentRecord(person, 50_001n)).toBe(true)
  expect(needsPaymentRecord({ ...person, payeeKind: 'company' }, 50_001n)).toBe(false)
  expect(needsPaymentRecord({ ...person, payeeResidence: 'non_resident' }, 50_001n)).toBe(false)
})

describe('the names of the taxes that are withheld', () => {
  test.each([
    ['2012-12-31', '所得税'],
    ['2013-01-01', '所得税、復興特別所得税（所得税額の2.1%）'],
    ['2026-12-31', '所得税、復興特別所得税（所得税額の2.1%）'],
    ['2027-01-01', '所得税、防衛特別所得税（所得税額の1%）、復興特別所得税（同1.1%）'],
  ])('on %s', (paidOn, names) => {
    expect(withheldTaxesText(day(paidOn))).toBe(names)
  })
  test('what comes next is announced until the day before', () => {
    const next = (on: string) => nextWithheldTaxes(day(on))?.paidFrom
    expect(['2012-12-31', '2013-01-01', '2026-12-31', '2027-01-01'].map(next)).toEqual([
      ...['2013-01-01', '2027-01-01', '2027-01-01', undefined],
    ])
  })
})
