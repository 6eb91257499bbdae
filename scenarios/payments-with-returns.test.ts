import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import type { MonthInput } from '@pc/domain/settlement/settlement-input.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { readStoredMonth } from '@pc/features/payments/core/server/stored-month.ts'
import { computedFinding } from '@pc/features/payments/month-close/server/books-findings.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { readOriginMonths } from '@pc/features/payments/month-close/server/origin-months.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { markPaid } from '@pc/features/payments/transfers/server/mark-payments.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { listWaiting } from '@pc/features/statements/server/issue-statements.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import {
  bookManualOperations,
  writeAgreements,
  writeOwnAds,
  writeSettings,
} from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { beforeAll, expect, test } from 'vitest'
import { moneyDependencies } from '../apps/server/money-dependencies.ts'
import { accepted } from './transfer-fixture.ts'

/** Returns in a month with a higher rate: the tax is negative, and the payment is still stated and sent. */
const { stats, database, books, clock, actor, inBooks } = await openBooks()
const money = moneyDependencies({
  ...books.payments,
  jobs: books.manualOperations.jobs,
  webOrigin: 'https://console.example.jp',
})
const MONTH = 202610 as YearMonth
const BEFORE_RATE_CHANGE = 201909 as YearMonth
const DUE = day('2026-11-30')

beforeAll(() =>
  inBooks(async tx => {
    await writeSettings(tx, {
      settings: { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' },
      taxTable: STANDARD_TAX_TABLE,
    })
    await writeTransferSettings(tx)
    clock.set('2026-11-10T12:00:00+09:00')
  }),
)

/** Closes the month of a medium with its statements. */
async function close(input: MonthInput, individualIds: readonly bigint[] = []) {
  const { mediumId, month, agreements } = input
  await inBooks(async tx => {
    await writeAgreements(tx, [{ mediumId, agreements }])
    await tx
      .updateTable('agreements')
      .set({ payeeKind: 'individual' })
      .where('id', 'in', [...individualIds, -1n])
      .execute()
  })
  await writeOwnAds(stats.store, [input], mediumId)
  await bookManualOperations(books, input)
  accepted(await computeMonth(books.payments, { mediumId, month }))
  return closeMonth(money, { mediumId, month }, books.userUid)
}

const statementsOf = (mediumId: bigint) =>
  inBooks(tx =>
    tx
      .selectFrom('statements')
      .select(['agreementId', 'totalWithoutTaxYen', 'totalYen', 'transferAmountYen'])
      .where('mediumId', '=', mediumId)
      .orderBy('agreementId')
      .execute(),
  )

/** An agreement that is paid at 8% and returns at 10%. */
function adjusted(agreementId: bigint, line: number, paidYen: bigint, returnedYen: bigint) {
  const publisherId = agreementId * 10n
  return [
    sampleAdjustment(agreementId, publisherId, paidYen, { line, originMonth: BEFORE_RATE_CHANGE }),
    sampleAdjustment(agreementId, publisherId, -returnedYen, { line: line + 1, originMonth: MONTH }),
  ]
}

function agreementOf(mediumId: bigint, agreementId: bigint, ownAdsYen = 0n) {
  return sampleAgreement(agreementId, [{ ...sampleRule(agreementId * 10n, ownAdsYen), mediumId }], {
    mediumId,
    organizationId: agreementId,
  })
}

test('a total below the amount without tax is closed, stated and sent', async () => {
  const input = sampleMonth(MONTH, {
    mediumId: 10n,
    agreements: [agreementOf(10n, 101n)],
    adjustments: adjusted(101n, 1, 10_000n, 9_000n),
  })
  accepted(await close(input))
  expect(await statementsOf(10n)).toMatchObject([
    { totalWithoutTaxYen: 1_000n, totalYen: 900n, transferAmountYen: 900n },
  ])
  const request = { dueOn: DUE, transferOn: DUE, mediumIds: [10n], accounts: new Map<bigint, bigint>() }
  const wanted = { ...request, excludedPaymentIds: [] }
  expect(accepted(await inBooks(tx => planBatch(tx, clock, wanted))).problems).toEqual([])
  const { id } = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, id)))
  expect(await monthViolations({ database, stats: stats.store }, { mediumId: 10n, month: MONTH })).toEqual([])
})

test('withholding above the total does not stop the close: the payment waits, with its reason', async () => {
  const input = sampleMonth(MONTH, {
    mediumId: 20n,
    agreements: [agreementOf(20n, 201n), agreementOf(20n, 202n, 5_000n)],
    // 1,000 yen without tax, 80 yen of tax; 102 yen are withheld.
    adjustments: adjusted(201n, 1, 51_000n, 50_000n),
  })
  accepted(await close(input, [201n]))
  expect(await statementsOf(20n)).toMatchObject([{ agreementId: 202n, totalYen: 5_500n }])
  const waiting = await inBooks(tx => listWaiting(tx, money.statements))
  expect(waiting).toMatchObject([
    { agreementName: expect.any(String), totalYen: 80n, refusals: [{ code: 'transfer/amount-not-positive' }] },
  ])
  expect(refusalMessageJa(waiting[0]!.refusals[0]!)).toContain('振込額が-22円')
  const request = { dueOn: DUE, transferOn: DUE, mediumIds: [20n], excludedPaymentIds: [], accounts: new Map() }
  const { transfers, problems } = accepted(await inBooks(tx => planBatch(tx, clock, request)))
  expect(transfers).toMatchObject([{ transferAmountYen: 5_500n }])
  expect(problems).toMatchObject([{ refusal: { code: 'transfer/amount-not-positive' } }])
  // Nor can it be marked as paid in another way, because there is no amount.
  const { id } = await inBooks(tx =>
    tx.selectFrom('monthlyPayments').select('id').where('agreementId', '=', 201n).executeTakeFirstOrThrow(),
  )
  const byHand = await inBooks(tx => markPaid(tx, actor, [id], day('2026-11-10')))
  expect(byHand).toMatchObject({ ok: false, refusals: [{ code: 'transfer/amount-not-positive' }] })
})

test('a month that is still carried may be named by a correction, also where it had no revenue', async () => {
  const agreement = agreementOf(30n, 301n)
  const waiting = { ...agreement, terms: { ...agreement.terms, payoutThresholdYen: 100_000n } }
  const input = sampleMonth(MONTH, {
    mediumId: 30n,
    agreements: [waiting],
    adjustments: adjusted(301n, 1, 10_000n, 9_000n),
  })
  const readMonths = (month: number) =>
    inBooks(tx => readOriginMonths(tx, { mediumId: 30n, month: month as YearMonth }, [301n]))
  accepted(await close(input))
  expect(await readMonths(202611)).toEqual(new Map([[301n, new Set([BEFORE_RATE_CHANGE, MONTH])]]))
  expect(await readMonths(MONTH)).toEqual(new Map())
})

test('a payment that its part of the fee takes whole is stated with a transfer of 0', async () => {
  const shared = {
    accounts: [{ bankAccountId: 9_401n, usedFromMonth: MONTH }],
    organizationId: 401n,
  }
  const agreements = [agreementOf(40n, 401n, 1n), agreementOf(40n, 402n, 500n)].map(each => ({
    ...each,
    ...shared,
    terms: { ...each.terms, feePaidBy: 'publisher' as const },
  }))
  accepted(await close(sampleMonth(MONTH, { mediumId: 40n, agreements })))
  expect(await statementsOf(40n)).toMatchObject([
    { agreementId: 401n, totalYen: 1n, transferAmountYen: 0n },
    { agreementId: 402n, totalYen: 550n, transferAmountYen: 111n },
  ])
})

test('the first month that an upgrade has set is to be confirmed until a month was closed by it', async () => {
  const found = (proposedMonth: number) =>
    inBooks(async tx => {
      const before = await tx
        .selectFrom('settlementRules')
        .selectAll()
        .where('version', '=', 'returns_per_rate')
        .executeTakeFirstOrThrow()
      const propose = (line: { validFromMonth: number; isProposed: boolean }) =>
        tx.updateTable('settlementRules').set(line).where('version', '=', before.version).execute()
      await propose({ validFromMonth: proposedMonth, isProposed: true })
      const facts = { refusals: [], isFresh: true, agreements: 1, claims: [], needsTwoPersons: false }
      const finding = await computedFinding(tx, { mediumId: 10n, month: 202611 as YearMonth }, facts, undefined)
      await propose({ validFromMonth: before.validFromMonth, isProposed: before.isProposed })
      return finding.state
    })
  expect(await found(202611)).toBe('amber')
  expect(await found(MONTH)).toBe('green')
})

test('a payee that is qualified now was not in a month of which there is no record', async () => {
  const agreement = {
    ...agreementOf(50n, 501n, 10_000n),
    invoiceRegistrationNumber: 'T7123456789012',
    qualifiedMonths: [MONTH],
  }
  const adjustments = [sampleAdjustment(501n, 5_010n, -1_000n, { originMonth: 202608 as YearMonth })]
  accepted(await close(sampleMonth(MONTH, { mediumId: 50n, agreements: [agreement], adjustments })))
  const stored = await inBooks(tx => readStoredMonth(tx, { mediumId: 50n, month: MONTH }))
  expect(stored!.input.agreements[0]!.qualifiedMonths).toEqual([MONTH])
  expect(stored!.settled.payments[0]!.paidBuckets).toMatchObject([
    { generatedMonth: 202608, taxYen: -100n, deductibleTaxYen: -80n },
    { generatedMonth: MONTH, taxYen: 1_000n, deductibleTaxYen: 1_000n },
  ])
})
