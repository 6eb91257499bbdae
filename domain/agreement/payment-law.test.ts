import { describe, expect, test } from 'vitest'
import { day } from '../month/day.ts'
import { dueDateOf } from '../month/due-date.ts'
import { sampleHolidayCalendar } from '../month/sample-holidays.ts'
import { firstDayOf, parseYearMonth, type YearMonth } from '../month/year-month.ts'
import {
  lateReason,
  lawfulFeePayer,
  monthsShiftedTooFar,
  type PaymentFacts,
  paymentBreaches,
  statutoryDueOn,
  type UnpaidFacts,
} from './payment-law.ts'

const month = (text: string) => parseYearMonth(text)!
const clean: PaymentFacts = {
  month: month('2026-10'),
  ...{ nominalOn: day('2026-11-30'), dueOn: day('2026-11-30') },
  ...{ feePaidBy: 'product', isShiftAgreedInWriting: false },
  ...{ smallSupplierCoverage: 'covered', freelanceCoverage: 'not_covered' },
  ...{ isPaid: true, cumulativeYen: 10_000n, isReduced: false },
}
const of = (parts: Partial<PaymentFacts>, today?: string) => {
  const facts = { ...clean, ...parts }
  return paymentBreaches(facts, today === undefined ? firstDayOf(facts.month) : day(today))
}
const FREELANCER = { smallSupplierCoverage: 'not_covered', freelanceCoverage: 'covered' } as const

describe('what a final month has not paid', () => {
  const unpaid: UnpaidFacts = {
    ...{ oldestMonth: month('2026-10'), dueOn: day('2026-11-30'), state: 'scheduled', transferOn: null },
    isShiftAgreedInWriting: true,
  }
  const notAgreed = { isShiftAgreedInWriting: false, dueOn: day('2026-12-02') }
  test.each<[string, Partial<UnpaidFacts>, string, ReturnType<typeof lateReason>]>([
    ['is in time until its last legal day', {}, '2026-11-30', undefined],
    ['is late the day after', {}, '2026-12-01', 'not-sent'],
    ['is sent in time', { state: 'sent', transferOn: day('2026-11-30') }, '2026-12-05', undefined],
    ['is sent a day late', { state: 'sent', transferOn: day('2026-12-01') }, '2026-11-20', 'sent-late'],
    ['is due within an agreed shift', { dueOn: day('2026-12-02') }, '2026-11-20', undefined],
    ['is not late before that day', { dueOn: day('2026-12-02') }, '2026-12-02', undefined],
    ['is late after it', { dueOn: day('2026-12-02') }, '2026-12-03', 'not-sent'],
    [
      'is sent on that day',
      { dueOn: day('2026-12-02'), state: 'sent', transferOn: day('2026-12-02') },
      '2026-12-05',
      undefined,
    ],
    [
      'is sent after that day',
      { dueOn: day('2026-12-02'), state: 'sent', transferOn: day('2026-12-03') },
      '2026-12-05',
      'sent-late',
    ],
    ['is due on its last legal day', { isShiftAgreedInWriting: false }, '2026-11-20', undefined],
    ['is due after a shift to which nobody agreed', notAgreed, '2026-11-20', 'due-late'],
    ['is late before that day', notAgreed, '2026-12-01', 'not-sent'],
    ['is sent on that day', { ...notAgreed, state: 'sent', transferOn: day('2026-12-02') }, '2026-11-20', 'sent-late'],
    ['is sent before it', { ...notAgreed, state: 'sent', transferOn: day('2026-11-30') }, '2026-11-20', undefined],
    ['is due later than that', { dueOn: day('2026-12-03') }, '2026-11-20', 'due-late'],
    ['came back', { state: 'returned' }, '2026-11-20', 'returned'],
    ['waits for the next close', { state: 'kept-back' }, '2026-11-01', 'kept-back'],
    ['holds an older month', { oldestMonth: month('2026-09') }, '2026-11-01', 'not-sent'],
    ['is open with time left to close it', { state: 'open' }, '2026-11-22', undefined],
    ['is open a week before', { state: 'open' }, '2026-11-23', 'not-closed'],
    ['is open after it', { state: 'open' }, '2026-12-01', 'not-closed'],
    ['is not even computed', { state: 'open', dueOn: null }, '2026-11-22', undefined],
    ['is not computed a week before', { state: 'open', dueOn: null }, '2026-11-23', 'not-closed'],
  ])('%s', (_what, parts, today, late) => {
    expect(lateReason({ ...unpaid, ...parts }, day(today))).toBe(late)
  })
})

describe('who bears the fee', () => {
  const NOBODY = { smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered' } as const
  const SUPPLIER = { smallSupplierCoverage: 'covered', freelanceCoverage: 'not_covered' } as const
  test.each([
    ['publisher', NOBODY, '2026-01-01', 'publisher'],
    ['publisher', { ...NOBODY, freelanceCoverage: 'unknown' as const }, '2026-01-01', 'publisher'],
    ['publisher', SUPPLIER, '2025-12-31', 'publisher'],
    ['publisher', SUPPLIER, '2026-01-01', 'product'],
    ['publisher', FREELANCER, '2025-12-31', 'publisher'],
    ['publisher', FREELANCER, '2026-01-01', 'product'],
    ['product', SUPPLIER, '2026-01-01', 'product'],
  ] as const)('agreed: the %s, %j, on %s: the %s', (agreed, coverage, on, payer) => {
    expect(lawfulFeePayer(agreed, coverage, day(on))).toBe(payer)
  })

  test('that is not sent by its last day is overdue', () => {
    expect(of({}, '2026-11-30')).toEqual([])
    expect(of({}, '2026-12-01')).toEqual(['overdue'])
    expect(of({ isPaid: false, cumulativeYen: 0n }, '2026-12-01')).toEqual([])
    // A holiday moved it by one day, as agreed in writing.
    expect(of({ dueOn: day('2026-12-01'), isShiftAgreedInWriting: true }, '2026-12-01')).toEqual([])
    expect(of({ dueOn: day('2026-12-01'), isShiftAgreedInWriting: true }, '2026-12-02')).toEqual(['overdue'])
  })

  test('of a payee of whom nothing is known needs a confirmation, where it is taken off', () => {
    const unknown = { ...NOBODY, smallSupplierCoverage: 'unknown', feePaidBy: 'publisher' } as const
    expect(of(unknown)).toEqual(['fee-of-unknown'])
    expect(of({ ...unknown, feePaidBy: 'product' })).toEqual([])
    expect(of({ ...unknown, isPaid: false })).toEqual([])
    expect(of({ ...unknown, smallSupplierCoverage: 'not_covered' })).toEqual([])
  })
})

test('months whose end moves too far, by the calendar', () => {
  const calendar = sampleHolidayCalendar()
  const from = (text: string, shift: 'next' | 'previous', lastYear = calendar.lastYear) =>
    monthsShiftedTooFar(day(text.length === 7 ? `${text}-01` : text), () => shift, { ...calendar, lastYear })
  // Ends of months on a weekend move by one or two days; only the turn of the year moves by more.
  expect(from('2026-01', 'next')).toEqual([{ month: 202611, dueOn: '2027-01-04' }])
  expect(from('2026-01', 'next', 2028)).toEqual([
    { month: 202611, dueOn: '2027-01-04' },
    { month: 202711, dueOn: '2028-01-04' },
  ])
  // Revenue of November can be paid until 4 January.
  const toNewYear = [{ month: 202611, dueOn: '2027-01-04' }]
  expect(from('2026-12-05', 'next')).toEqual(toNewYear)
  expect(from('2027-01-04', 'next')).toEqual(toNewYear)
  expect(from('2027-01-05', 'next')).toEqual([])
  // Each month uses the setting in force in it.
  const since = (first: string) => (of: YearMonth) => (of >= month(first) ? 'next' : 'previous')
  expect(monthsShiftedTooFar(day('2026-08-10'), since('2026-11'), calendar)).toEqual(toNewYear)
  expect(monthsShiftedTooFar(day('2026-08-10'), since('2026-12'), calendar)).toEqual([])
  expect(from('2024-11', 'next'), 'twenty-four months, the twenty-fifth is November 2026').toEqual([])
  expect(from('2024-12', 'next')).toEqual([{ month: 202611, dueOn: '2027-01-04' }])
  expect(from('2026-01', 'previous', 2028)).toEqual([])
  // October is paid by the first days of December, so the calendar of its own year is enough.
  const closed = ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03'].map(text => [day(text), '休業日'] as const)
  const holidays = new Map([...calendar.holidays, ...closed])
  expect(monthsShiftedTooFar(day('2026-01-01'), () => 'next', { ...calendar, lastYear: 2026, holidays })).toEqual([
    { month: 202610, dueOn: '2026-12-04' },
  ])
  expect(
    monthsShiftedTooFar(day('2026-01-01'), () => 'next', { firstYear: 0, lastYear: 0, holidays: new Map() }),
  ).toEqual([])
})

describe('the law on the day of payment', () => {
  test('the last legal day is the end of the next month', () => {
    expect(['2026-01', '2027-12', '2027-01', '2028-01'].map(each => statutoryDueOn(month(each)))).toEqual([
      '2026-02-28',
      '2028-01-31',
      '2027-02-28',
      '2028-02-29',
    ])
  })
  test('nothing is wrong with a payment in time, and nothing concerns who is not protected', () => {
    expect(of({})).toEqual([])
    const anything = { feePaidBy: 'publisher', isPaid: false, isReduced: true, nominalOn: day('2026-12-31') } as const
    for (const coverage of ['not_covered', 'unknown'] as const)
      expect(of({ ...anything, smallSupplierCoverage: coverage, freelanceCoverage: coverage })).toEqual([])
  })
  // Cases on both sides of the rule's first day; the day of payment decides.
  test.each<[string, Partial<PaymentFacts>, string, string]>([
    ['a fee of a small supplier', { feePaidBy: 'publisher' }, '2025-12-31', '2026-01-01'],
    ['a fee of a freelancer', { ...FREELANCER, feePaidBy: 'publisher' }, '2025-12-31', '2026-01-01'],
  ])('%s', (_what, parts, before, after) => {
    const on = (text: string) => of({ ...parts, month: month('2025-12'), nominalOn: day(text), dueOn: day(text) })
    expect(on(before)).toEqual([])
    expect(on(after)).toEqual(['unlawful-terms'])
  })
  test('two months later is too late for a freelancer since November 2024', () => {
    const on = (text: string, revenueMonth: string) =>
      of({ ...FREELANCER, month: month(revenueMonth), nominalOn: day(text), dueOn: day(text) })
    expect(on('2024-10-31', '2024-08')).toEqual([])
    expect(on('2024-11-30', '2024-09')).toEqual(['unlawful-terms'])
  })
  test.each([
    ['a freelancer', FREELANCER, '2024-10-31', '2024-11-01'],
    ['a small supplier', {}, '2025-12-31', '2026-01-01'],
  ])('%s is protected from the first day of the act on', (_who, parts, before, from) => {
    const on = (text: string) => of({ ...parts, isPaid: false, nominalOn: day(text), dueOn: day(text) })
    expect([on(before), on(from)]).toEqual([[], ['kept-back']])
  })
  test('what is owed and kept back, and what is taken off', () => {
    expect(of({ isPaid: false })).toEqual(['kept-back'])
    expect(of({ isPaid: false, cumulativeYen: 0n })).toEqual([])
    expect(of({ isPaid: false, cumulativeYen: -5n, isReduced: true })).toEqual(['reduced'])
    // Terms under which nothing is paid break no rule.
    expect(of({ isPaid: false, cumulativeYen: 0n, feePaidBy: 'publisher' })).toEqual([])
  })
  // The day of payment of each revenue month by the calendar. Moved forward, it is at most two days late where that was
  // agreed.
  test.each([
    ['2026-03', '2026-04-30', 0],
    ['2026-04', '2026-06-01', 1],
    ['2026-01', '2026-03-02', 2],
    ['2026-11', '2027-01-04', 4],
    ['2026-12', '2027-02-01', 1],
  ])('%s moved to the next business day: %s, %i days late', (revenueMonth, dueOn, late) => {
    const shifted = dueDateOf(month(revenueMonth), 'a_month_later', 'next', sampleHolidayCalendar())
    expect(shifted.dueOn).toBe(dueOn)
    const facts = { ...shifted, month: month(revenueMonth) }
    expect(of({ ...facts, isShiftAgreedInWriting: true })).toEqual(late > 2 ? ['shifted-too-far'] : [])
    const unagreed = late === 0 ? [] : ['unlawful-terms', ...(late > 2 ? ['shifted-too-far'] : [])]
    expect(of(facts)).toEqual(unagreed)
    const before = dueDateOf(month(revenueMonth), 'a_month_later', 'previous', sampleHolidayCalendar())
    expect(of({ ...facts, ...before })).toEqual([])
  })
})
