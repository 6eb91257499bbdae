import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { day } from '@pc/domain/month/day.ts'
import { addMonths, type YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAdjustment, sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { lateRevenueBreaches } from '@pc/features/payments/transfers/server/late-revenue.ts'
import { readLegalDeadlines } from '@pc/features/payments/transfers/server/legal-deadlines.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
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

/** What is late by law while months are open: a medium whose books have begun, and one that never closed a month. */
const { stats, books, inBooks } = await openBooks()
const money = moneyDependencies({
  ...books.payments,
  jobs: books.manualOperations.jobs,
  webOrigin: 'https://c.example.jp',
})
const SEP = 202609 as YearMonth
const OCT = addMonths(SEP, 1)
/** Medium 1 has closed September, medium 2 nothing; the payee of medium 3 bears fees and is not covered at first. */
const agreements = [1n, 2n, 3n].map(mediumId =>
  sampleAgreement(mediumId, [{ ...sampleRule(mediumId * 10n, 50_000n), mediumId }], {
    mediumId,
    organizationId: mediumId,
    ...(mediumId === 3n ? { terms: { feePaidBy: 'publisher' as const } } : {}),
  }),
)
let batch = 0n
async function compute(mediumId: bigint, month: YearMonth): Promise<void> {
  const input = sampleMonth(month, { mediumId, agreements: [agreements[Number(mediumId) - 1]!] })
  batch += 1n
  await writeOwnAds(stats.store, [input], batch)
  await bookManualOperations(books, input)
  accepted(await computeMonth(books.payments, { mediumId, month }))
}
const isPaymentDisabled = (is: boolean) =>
  inBooks(tx => tx.updateTable('agreements').set({ isPaymentDisabled: is }).execute())
const listed = async (on: string) =>
  (await inBooks(tx => readLegalDeadlines(tx, day(on)))).map(
    ({ agreementId, oldestMonth, late, reasonCode, amountYen }) => [
      agreementId,
      oldestMonth,
      late,
      reasonCode,
      amountYen,
    ],
  )

beforeAll(async () => {
  await inBooks(async tx => {
    await writeSettings(tx, {
      settings: { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' },
      taxTable: STANDARD_TAX_TABLE,
    })
    await writeTransferSettings(tx)
    await writeAgreements(
      tx,
      agreements.map(each => ({ mediumId: each.mediumId, agreements: [each] })),
    )
    await tx
      .updateTable('agreements')
      .set({ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered' })
      .execute()
    await tx.updateTable('agreements').set({ freelanceCoverage: 'covered' }).where('id', 'in', [1n, 2n]).execute()
  })
  books.payments.clock.set('2026-10-10T12:00:00+09:00')
})

test('a medium that never closed a month is looked at from its first computed month, else for the last month', async () => {
  expect(await listed('2026-10-10')).toEqual([])
  expect(await listed('2026-10-24')).toEqual([
    [1n, SEP, 'not-closed', null, null],
    [2n, SEP, 'not-closed', null, null],
  ])
  await compute(1n, SEP)
  await compute(2n, SEP)
  // September is still open when October is over.
  expect(await listed('2026-11-10')).toEqual([
    [1n, SEP, 'not-closed', null, 55_000n],
    [2n, SEP, 'not-closed', null, 55_000n],
  ])
})

test('what a draft keeps back is listed from the day on which it was computed, once with what was carried before', async () => {
  accepted(await closeMonth(money, { mediumId: 1n, month: SEP }, books.userUid))
  await isPaymentDisabled(true)
  books.payments.clock.set('2026-11-10T12:00:00+09:00')
  await compute(1n, OCT)
  accepted(await computeMonth(books.payments, { mediumId: 2n, month: SEP }))
  const ofOne = async (on: string) => (await listed(on)).filter(([id, month]) => id === 1n && month === OCT)
  for (const on of ['2026-11-10', '2026-11-30', '2026-12-15']) {
    expect(await ofOne(on)).toEqual([[1n, OCT, 'kept-back', 'PAYMENT_DISABLED', 50_000n]])
  }
  expect((await listed('2026-11-10')).filter(([id]) => id === 2n)).toEqual([
    [2n, SEP, 'kept-back', 'PAYMENT_DISABLED', 50_000n],
  ])
  accepted(await closeMonth(money, { mediumId: 1n, month: OCT }, books.userUid))
  books.payments.clock.set('2026-12-10T12:00:00+09:00')
  await compute(1n, addMonths(OCT, 1))
  expect(await ofOne('2026-12-10'), 'with November, not twice').toEqual([
    [1n, OCT, 'kept-back', 'PAYMENT_DISABLED', 100_000n],
  ])
})

test('a draft that pays what was carried says so instead of the month that kept it back', async () => {
  await isPaymentDisabled(false)
  accepted(await computeMonth(books.payments, { mediumId: 1n, month: addMonths(OCT, 1) }))
  const rows = (await listed('2026-12-10')).filter(([id, month]) => id === 1n && month === OCT)
  expect(rows).toEqual([[1n, OCT, 'not-closed', null, 110_000n]])
})

test('a transfer that is late by law is said with its last day, and made when that is known; a fee of unknown coverage is reported', async () => {
  const { clock } = books.payments
  const actor = { clock, actorUid: books.userUid }
  clock.set('2026-10-10T12:00:00+09:00')
  await compute(3n, SEP)
  accepted(await closeMonth(money, { mediumId: 3n, month: SEP }, books.userUid))
  const undone = new Error('undone')
  /** Coverage is judged on the day on which the transfer is made. */
  async function tried(freelanceCoverage: string, transferOn: string, isLateAcknowledged = false) {
    let answer: unknown
    await inBooks(async tx => {
      await tx.updateTable('agreements').set({ freelanceCoverage }).where('id', '=', 3n).execute()
      const request = {
        ...{ dueOn: day('2026-10-30'), transferOn: day(transferOn), mediumIds: [3n], excludedPaymentIds: [] },
        ...{ accounts: new Map<bigint, bigint>(), isLateAcknowledged },
      }
      const { warnings } = accepted(await planBatch(tx, clock, request))
      const made = await createTransferBatch(tx, actor, request, undefined)
      answer = [
        warnings.map(each => [each.refusal.code, each.refusal.data.day]),
        made.ok ? made.value.lateByLaw : made.refusals.map(each => each.code),
      ]
      throw undone
    }).catch(error => {
      if (error !== undone) throw error
    })
    return answer
  }
  const late = ['transfer/late-by-law', '2026-10-31']
  expect(await tried('covered', '2026-12-30')).toEqual([[late], ['transfer/late-by-law']])
  expect(await tried('covered', '2026-12-30', true)).toEqual([[late], 1])
  expect(await tried('covered', '2026-11-02'), 'the first working day after it').toEqual([
    [late],
    ['transfer/late-by-law'],
  ])
  expect(await tried('covered', '2026-10-30')).toEqual([[], 0])
  expect(await tried('not_covered', '2026-12-30')).toEqual([[], 0])
  expect(await tried('unknown', '2026-10-30')).toEqual([[['transfer/fee-of-unknown', '2026-10-30']], 0])
})

test('a deduction from a protected payee is notified at night, for each month once', async () => {
  const adjustments = [sampleAdjustment(2n, 20n, -1_000n)]
  const input = sampleMonth(SEP, { mediumId: 2n, agreements: [agreements[1]!], adjustments })
  await bookManualOperations(books, input)
  accepted(await computeMonth(books.payments, { mediumId: 2n, month: SEP }))
  const notices = async (on: string) =>
    (await inBooks(tx => lateRevenueBreaches(tx, day(on)))).filter(each => each.id.startsWith('reduced/'))
  expect(await notices('2026-11-10')).toEqual([
    {
      ...{ agreementId: 2n, id: 'reduced/2026-09' },
      text: '2026-09分の収益に、減額や取り消しがあります。相手方の責任によらない減額は禁じられています。理由を確認してください。',
    },
  ])
  await inBooks(tx => tx.updateTable('agreements').set({ freelanceCoverage: 'not_covered' }).execute())
  expect(await notices('2026-11-10')).toEqual([])
})
