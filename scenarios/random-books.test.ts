import { accrualEntry, type InputTaxTimingOf, payableEntry } from '@pc/domain/journal/close-journal.ts'
import { day } from '@pc/domain/month/day.ts'
import { followingMonth, randomMonth, randomSource } from '@pc/domain/settlement/random-month.ts'
import { settled } from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { BooksByHand, postingsOf } from '@pc/testing/books/books-by-hand.ts'
import { expect, test } from 'vitest'

/** RANDOM_BOOKS=20000 runs the full number; RANDOM_BOOKS_SEED repeats a run. */
const MONTHS = Number(process.env.RANDOM_BOOKS ?? 1_000)
const FIRST_SEED = Number(process.env.RANDOM_BOOKS_SEED ?? 1)

const TIMINGS: readonly InputTaxTimingOf[] = [
  () => 'accrual',
  () => 'finalising',
  month => (month >= 202603 ? 'accrual' : 'finalising'),
]

/** Months whose tax is booked at the accrual are all settled by these rules. */
const withReturnsPerRate = (input: MonthInput): MonthInput => ({
  ...input,
  settings: { ...input.settings, rules: 'returns_per_rate' },
})

test('every posting of random months is that of books kept by hand, and nothing is left on accrued costs', () => {
  const seen = { months: 0, payments: 0, paid: 0, returns: 0, rates: 0, deductions: 0 }
  for (let seed = FIRST_SEED; seen.months < MONTHS; seed += 1) {
    const timingOf = randomSource(seed).oneOf(TIMINGS)
    let input: MonthInput | null = withReturnsPerRate(randomMonth(seed))
    const books = new Map(
      input.agreements.map(({ agreementId, qualifiedMonths, rules }) => [
        agreementId,
        new BooksByHand(
          { ...input!, qualifiedMonths, timingOf },
          rules.flatMap(rule => rule.carried),
        ),
      ]),
    )
    for (let step = 1; input && step <= 6; step += 1) {
      const month = settled(input)
      seen.months += 1
      for (const payment of month.payments) {
        const agreement = input.agreements.find(each => each.agreementId === payment.agreementId)!
        const book = books.get(payment.agreementId)!
        const where = `seed ${seed}, month ${month.month}, agreement ${payment.agreementId}`
        const accrual = accrualEntry(payment, agreement, { ...input, timingOf })
        const payable = payableEntry(payment, day('2026-11-05'), timingOf)
        expect(postingsOf(accrual), where).toEqual(
          book.accrue(payment.publishers.flatMap(publisher => publisher.openBuckets)),
        )
        expect(postingsOf(payable), where).toEqual(payment.outcome === 'scheduled' ? book.pay() : new Map())
        seen.payments += 1
        if (payment.outcome !== 'scheduled') continue
        expect(book.accruedYen(), where).toBe(0n)
        seen.paid += 1
        if (payment.paidBuckets.some(bucket => bucket.amountYen < 0n)) seen.returns += 1
        if (new Set(payment.paidBuckets.map(bucket => bucket.ratePercent)).size > 1) seen.rates += 1
        if (new Set(payment.paidBuckets.map(bucket => bucket.deductiblePercent)).size > 1) seen.deductions += 1
      }
      const next: MonthInput | null = followingMonth(seed * 7 + step, input, month)
      input = next && withReturnsPerRate(next)
    }
  }
  if (process.env.RANDOM_BOOKS) process.stdout.write(`first seed ${FIRST_SEED}: ${JSON.stringify(seen)}\n`)
  // Otherwise the months would not contain the cases that they are for.
  for (const count of [seen.returns, seen.rates, seen.deductions]) expect(count).toBeGreaterThan(MONTHS / 40)
}, 600_000)
