import { FEE_PAYERS } from '@pc/domain/agreement/agreement-terms.ts'
import { day } from '@pc/domain/month/day.ts'
import { PAYMENT_TIMINGS } from '@pc/domain/month/due-date.ts'
import { addMonths, firstDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type RandomSource, randomSource } from '@pc/domain/settlement/random-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { AdjustmentRow, AgreementInput, MonthInput, RuleInput } from '@pc/domain/settlement/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { auditMonth } from '@pc/features/payments/month-close/server/audit-month.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { registrationNumberOf, writeHealthyBooks } from '@pc/testing/books/healthy-books.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { bookManualOperations, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { moneyDependencies } from '../apps/server/money-dependencies.ts'

/**
 * Months in which nothing is wrong, with everything that may be in one: payees whom the acts protect, persons, payees
 * abroad, registered and not, small amounts that wait, pools, returns, fees of the payee. The board finds nothing in any of
 * them, and each is closed with its statements.
 */
const MEDIA = sampleOr(2, 50)
const MONTHS = sampleOr(6, 20)
const FIRST = 202601 as YearMonth
const THRESHOLD_YEN = 5_000n

const { stats, database, books } = await openBooks()
const money = moneyDependencies({
  ...books.payments,
  jobs: books.manualOperations.jobs,
  webOrigin: 'https://console.example.jp',
})
interface Payee {
  readonly agreement: AgreementInput
  readonly isCovered: boolean
  readonly isPerson: boolean
  readonly isAbroad: boolean
  /** What a month usually earns; the months differ by a quarter at most. */
  readonly usualYen: ReadonlyMap<bigint, number>
}

function randomPayee(random: RandomSource, mediumId: bigint, number: number): Payee {
  const agreementId = mediumId * 10n + BigInt(number)
  const isCovered = random.percent(40)
  const isAbroad = !isCovered && random.percent(20)
  const isRegistered = !isAbroad && random.percent(50)
  const usualYen = new Map<bigint, number>()
  const rules = Array.from({ length: 1 + random.below(3) }, (_, index): RuleInput => {
    const publisherId = agreementId * 10n + BigInt(index)
    usualYen.set(publisherId, random.oneOf([800, 20_000, 150_000, 1_500_000]))
    const share = {
      ownAdsRateUnits: 3_000 + random.below(7_000),
      sspRateUnits: 5_000,
      isTargetForSspAllocation: index === 0,
    }
    return { ...sampleRule(publisherId, 0n, { share }), mediumId }
  })
  const feePaidBy = isCovered ? 'product' : random.oneOf(FEE_PAYERS)
  const terms = {
    feePaidBy,
    paymentTiming: isCovered ? ('a_month_later' as const) : random.oneOf(PAYMENT_TIMINGS),
    fixedRevenueYen: random.percent(30) ? 10_000n : 0n,
    // Protected payees are paid whatever there is; others not what the fee would eat up.
    payoutThresholdYen: isCovered || (feePaidBy === 'product' && random.percent(30)) ? 1n : null,
  }
  const months = Array.from({ length: 30 }, (_, at) => addMonths(FIRST, at - 6))
  const agreement = sampleAgreement(agreementId, rules, {
    ...{ organizationId: agreementId, terms },
    ...(isRegistered && { invoiceRegistrationNumber: registrationNumberOf(agreementId), qualifiedMonths: months }),
  })
  return { agreement: { ...agreement, mediumId }, isCovered, isPerson: random.percent(30), isAbroad, usualYen }
}

/** The month of a medium: a little more or less than usual, its pool, and corrections that are allowed. */
function monthOf(random: RandomSource, mediumId: bigint, month: YearMonth, payees: readonly Payee[]): MonthInput {
  const around = (yen: number) => BigInt(Math.round(yen * (0.75 + random.below(501) / 1_000)))
  const agreements = payees.map(({ agreement, usualYen }) => ({
    ...agreement,
    rules: agreement.rules.map(rule => ({
      ...rule,
      ownAdsMicroYen: around(usualYen.get(rule.publisherId)!) * 1_000_000n + BigInt(random.below(1_000_000)),
    })),
  }))
  const weights = agreements.map(({ agreementId, rules }) => ({
    ...{ agreementId, publisherId: rules[0]!.publisherId, weight: BigInt(1 + random.below(100)) },
  }))
  const adjustments = payees.flatMap(({ agreement, isCovered }, index): AdjustmentRow[] => {
    if (!random.percent(30)) return []
    // What a protected payee earned is not reduced; others give back a little of what the month earns.
    const yen = BigInt(1 + random.below(500)) * (isCovered || random.percent(50) ? 1n : -1n)
    return [sampleAdjustment(agreement.agreementId, agreement.rules[0]!.publisherId, yen, { line: index + 1 })]
  })
  const poolJobs = [
    { jobId: 1n, kind: 'ssp', method: 'payment', poolYen: 10_000n + BigInt(random.below(5_000)), weights } as const,
  ]
  return { ...sampleMonth(month, { agreements, poolJobs, adjustments }), mediumId }
}

test(
  `${MEDIA * MONTHS} healthy months without a finding`,
  async () => {
    const random = randomSource(19)
    const media = Array.from({ length: MEDIA }, (_, at) => {
      const mediumId = BigInt(at + 1)
      const payees = Array.from({ length: 2 + random.below(4) }, (_, number) => randomPayee(random, mediumId, number))
      return { mediumId, payees }
    })
    const payees = media.flatMap(each => each.payees)
    await database.inScope(SYSTEM, async tx => {
      const first = media.map(each => monthOf(random, each.mediumId, FIRST, each.payees))
      await writeSettings(tx, { ...first[0]!, settings: { ...first[0]!.settings, payoutThresholdYen: THRESHOLD_YEN } })
      await writeHealthyBooks(tx, first)
      for (const { agreement, isCovered, isPerson, isAbroad } of payees) {
        const coverage = isCovered ? 'covered' : 'not_covered'
        await sql`update agreements set freelance_coverage = ${coverage}, small_supplier_coverage = 'not_covered',
          payee_kind = ${isPerson ? 'individual' : 'company'}, payee_residence = ${isAbroad ? 'non_resident' : 'resident'},
          treaty_form_from = ${isAbroad && isPerson ? day('2026-03-01') : null},
          treaty_form_rate = ${isAbroad && isPerson ? 1000 : null} where id = ${agreement.agreementId}`.execute(tx)
      }
    })
    let batchNo = 0n
    let months = 0
    for (let step = 0; step < MONTHS; step += 1) {
      const month = addMonths(FIRST, step)
      books.payments.clock.set(`${firstDayOf(addMonths(month, 1)).slice(0, 8)}05T12:00:00+09:00`)
      const inputs = media.map(each => monthOf(random, each.mediumId, month, each.payees))
      batchNo += 1n
      await writeOwnAds(stats.store, inputs, batchNo)
      for (const input of inputs) {
        const key = { mediumId: input.mediumId, month }
        await bookManualOperations(books, input)
        expect(await computeMonth(books.payments, key)).toMatchObject({ ok: true })
        await auditMonth({ ...books.payments, jobs: books.manualOperations.jobs, webOrigin: '' }, key, 'compute')
      }
      for (const row of await monthCloseBoard(money.payments, month, 'somebody else')) {
        const notGreen = row.checks.filter(check => check.state !== 'green' || check.kinds.length > 0)
        expect(notGreen, `medium ${row.mediumId}, ${month}`).toEqual([])
        expect(row.canFinalize).toBe(true)
        months += 1
      }
      for (const { mediumId } of inputs)
        expect(await closeMonth(money, { mediumId, month }, books.userUid)).toMatchObject({ ok: true })
    }
    expect(months).toBe(MEDIA * MONTHS)
    const { rows } = await database.inScope(SYSTEM, tx =>
      sql<{ what: string }>`select distinct reason_code as what from monthly_payments where reason_code is not null
        union select 'paid' from monthly_payments where payment_yen > 0
        union select 'deducted' from statements where transfer_amount_yen < total_yen
        union select 'returned' from monthly_payments where manual_adjustment_revenue_yen < 0`.execute(tx),
    )
    // What the months hold: without it nothing would be shown.
    const held = sampleOr(['paid', 'deducted'], ['paid', 'deducted', 'returned', 'BELOW_THRESHOLD'])
    expect(rows.map(({ what }) => what)).toEqual(expect.arrayContaining(held))
    process.stdout.write(`${months} healthy months without a finding\n`)
  },
  MEDIA * MONTHS * 15_000,
)
