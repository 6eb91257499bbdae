import { accountInUse, isTerminatedBy } from '@pc/domain/agreement/agreement-terms.ts'
import { EXPLAIN_SCALE, unbalancedNodes } from '@pc/domain/explain/explain-node.ts'
import { explainPayment } from '@pc/domain/explain/explain-tree.ts'
import { payableEntry } from '@pc/domain/journal/close-journal.ts'
import { imbalanceYen } from '@pc/domain/journal/journal-entry.ts'
import type { TaxTable } from '@pc/domain/money/consumption-tax.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { STANDARD_DEDUCTION_TABLE } from '@pc/domain/settlement/deduction.ts'
import { type RandomSource, randomSource } from '@pc/domain/settlement/random-month.ts'
import {
  paymentOf,
  sampleAdjustment,
  sampleAgreement,
  sampleMonth,
  sampleRule,
  settled,
} from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { settlementViolations } from '@pc/domain/settlement/settlement-invariants.ts'
import type { SettledPayment } from '@pc/domain/settlement/settlement-result.ts'
import { settlementRulesOf } from '@pc/domain/settlement/settlement-rules.ts'
import { secondPayment } from '@pc/testing/books/payments-second-computation.ts'
import { expect, test } from 'vitest'

/**
 * Random months in which rates, deduction periods and signs mix, against a second computation and the independent check.
 * `RANDOM_RETURNS=20000 npm test -- scenarios/random-returns.test.ts` is the long run; RANDOM_RETURNS_SEED repeats one.
 */
const MONTHS = Number(process.env.RANDOM_RETURNS ?? 1_500)
const FIRST_SEED = Number(process.env.RANDOM_RETURNS_SEED ?? (process.env.RANDOM_RETURNS ? Date.now() % 1_000_000 : 1))

/** On both sides of every change of a rate and of a deduction. */
const CORRECTED = [
  198904, 199703, 199704, 201403, 201404, 201909, 201910, 202309, 202310, 202609, 202610,
] as YearMonth[]
const BOOKED = [202609, 202610, 202611, 202612, 202701] as YearMonth[]

const TAX_TABLE: TaxTable = [
  { validFromMonth: 198904 as YearMonth, ratePercent: 3 },
  { validFromMonth: 199704 as YearMonth, ratePercent: 5 },
  { validFromMonth: 201404 as YearMonth, ratePercent: 8 },
  { validFromMonth: 201910 as YearMonth, ratePercent: 10 },
]

function randomReturns(seed: number): MonthInput {
  const random = randomSource(seed)
  const month = random.oneOf(BOOKED)
  // Small amounts round, large ones overflow what is not a bigint.
  const size = random.oneOf([12, 60, 60, 1_000, 100_000, 1_999_999_999])
  const amount = () => BigInt(1 + random.below(size))
  const signed = () => (random.percent(45) ? -amount() : amount())
  const months = CORRECTED.filter(each => each < month)
  const agreements = Array.from({ length: 1 + random.below(2) }, (_, index) => {
    const agreementId = BigInt(index + 1)
    const rules = Array.from({ length: 1 + random.below(3) }, (_each, at) => {
      const carried = months
        .filter(() => random.percent(30))
        .map(generatedMonth => ({ generatedMonth, amountYen: signed() }))
      return sampleRule(agreementId * 10n + BigInt(at), random.percent(40) ? 0n : amount(), { carried })
    })
    return sampleAgreement(agreementId, rules, {
      isPaymentDisabled: random.percent(4),
      ...(random.percent(4) ? { accounts: [] } : {}),
      qualifiedMonths: [...months, month].filter(() => random.percent(35)),
      terms: { payoutThresholdYen: random.percent(15) ? amount() : 1n },
    })
  })
  return sampleMonth(month, {
    agreements,
    taxTable: rates(random, month),
    deductionTable: STANDARD_DEDUCTION_TABLE,
    adjustments: agreements.flatMap(({ agreementId, rules }) =>
      rules.flatMap(({ publisherId }) =>
        Array.from({ length: random.below(4) }, (_, line) => {
          const method = random.percent(25) ? ('discard' as const) : ('payment' as const)
          return sampleAdjustment(agreementId, publisherId, method === 'discard' ? amount() : signed(), {
            ...{ jobId: BigInt(900 + random.below(3)), line: Number(publisherId) * 10 + line, method },
            originMonth: random.percent(60) ? random.oneOf([...months, month]) : null,
          })
        }),
      ),
    ),
  })
}

/** Mostly the law's; sometimes a rate of 0, or one that begins in the booked month. */
function rates(random: RandomSource, month: YearMonth): TaxTable {
  if (random.percent(60)) return TAX_TABLE
  return [...TAX_TABLE, { validFromMonth: month, ratePercent: random.oneOf([0, 7, 8, 12, 33, 100]) }]
}

/** The engine's result in the words of the second computation. */
function textOf(payment: SettledPayment) {
  return {
    decision: payment.reason?.code ?? payment.outcome,
    payment: payment.paymentYen,
    tax: payment.paymentTaxYen,
    lines: payment.taxLines.map(line => `${line.ratePercent}% ${line.amountYen} ${line.taxYen}`),
    months: payment.paidBuckets.map(
      each => `${each.generatedMonth} ${each.amountYen} ${each.ratePercent}% ${each.taxYen} ${each.deductibleTaxYen}`,
    ),
    publishers: payment.publishers.map(each => {
      const next = each.nextCarried.map(bucket => `${bucket.generatedMonth}:${bucket.amountYen}`).join(' ')
      return `${each.paymentYen} ${each.referenceTaxYen} [${next}]`
    }),
  }
}

test(`${MONTHS} random months settle as a second computation says (seed ${FIRST_SEED})`, () => {
  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let index = 0; index < MONTHS; index += 1) {
    const seed = FIRST_SEED + index
    const input = randomReturns(seed)
    const month = settled(input)
    expect(settlementViolations(month, input, null), `seed ${seed}`).toEqual([])
    for (const agreement of input.agreements) {
      const payment = paymentOf(month, agreement.agreementId)
      const earned = payment.publishers.map(each => [each.publisherId, each.revenueYen] as const)
      const second = secondPayment(input, agreement.agreementId, earned, {
        hasAccount: accountInUse(agreement.accounts, monthOfDay(payment.dueOn)) !== null,
        isTerminated: isTerminatedBy(input.month, agreement.terminatedOn),
        thresholdYen: payment.payoutThresholdYen,
      })
      expect(textOf(payment), `seed ${seed}, agreement ${agreement.agreementId}`).toEqual(second)
      checkPapers(input, payment, seed)
      note(payment, count)
    }
  }
  process.stdout.write(
    `${MONTHS} months from seed ${FIRST_SEED}: ${[...seen].map(each => each.join(' ')).join(', ')}\n`,
  )
  const wanted = [
    'scheduled',
    'NON_POSITIVE_BALANCE',
    'NON_POSITIVE_TOTAL',
    'BELOW_THRESHOLD',
    'return',
    'negative tax',
  ]
  expect([...seen.keys()]).toEqual(expect.arrayContaining([...wanted, 'rate of 0 net', 'yen given', 'yen taken']))
}, 600_000)

/** The journal balances, and the tree adds up. */
function checkPapers(input: MonthInput, payment: SettledPayment, seed: number): void {
  const entry = payableEntry(payment, payment.dueOn, () => 'finalising')
  if (entry) {
    expect(imbalanceYen(entry), `seed ${seed}`).toBe(0n)
    expect(entry.lines.every(line => line.amountYen > 0n && line.deductibleTaxYen >= 0n)).toBe(true)
  }
  const tree = explainPayment(payment, {
    rules: settlementRulesOf(input.settings),
    daysOf: ({ ownAdsMicroYen }) => [{ day: payment.dueOn, amountMicroYen: ownAdsMicroYen }],
    nameOf: String,
  })
  expect(unbalancedNodes(tree), `seed ${seed}`).toEqual([])
  expect(tree.amount).toBe(payment.paymentIncludingTaxYen * EXPLAIN_SCALE)
}

function note(
  { outcome, reason, taxLines, paidBuckets, paymentTaxYen }: SettledPayment,
  count: (what: string) => void,
) {
  count(reason?.code ?? outcome)
  if (taxLines.some(line => line.amountYen < 0n)) count('return')
  if (paymentTaxYen < 0n) count('negative tax')
  if (paidBuckets.some(each => !taxLines.some(line => line.ratePercent === each.ratePercent))) count('rate of 0 net')
  const extras = paidBuckets.map(each => each.taxYen - (each.amountYen * BigInt(each.ratePercent)) / 100n)
  if (extras.some(extra => extra > 0n)) count('yen given')
  if (extras.some(extra => extra < 0n)) count('yen taken')
}
