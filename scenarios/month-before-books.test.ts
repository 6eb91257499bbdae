import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import { previewManualOperation } from '@pc/features/payments/manual-operations/server/preview-manual-operation.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { beforeAll, expect, test } from 'vitest'

/** The books of a medium begin with the first closed month; nothing can be entered before it. */
const { stats, database, books } = await openBooks()
const early = { mediumId: 1n, month: 202605 as YearMonth }
const first = { mediumId: 1n, month: 202606 as YearMonth }
const tooEarly = { ok: false, refusals: [{ code: 'payment/before-books', data: { first: '2026-06' } }] }

beforeAll(async () => {
  const month = sampleMonth(first.month, { agreements: [sampleAgreement(1n, [sampleRule(101n, 10_000n)])] })
  await database.inScope(SYSTEM, tx => writeAgreements(tx, [month]))
  await writeOwnAds(stats.store, [month], 1n)
  expect(await computeMonth(books.payments, first)).toMatchObject({ ok: true })
  expect(await closeMonth(books, first, books.userUid)).toMatchObject({ ok: true })
})

test('it is neither computed nor closed', async () => {
  expect(await computeMonth(books.payments, early)).toMatchObject(tooEarly)
  expect(await closeMonth(books, early, books.userUid)).toMatchObject(tooEarly)
})

test('nothing is entered for it, and the preview says so', async () => {
  const base = { method: 'payment', extraRevenueYen: 1_000n, extraRevenueMonth: '', notes: '' } as const
  const input = { ...early, kind: 'ssp', ...base } as const
  const entry = { input, rawRows: [], userUid: books.userUid }
  const entered = database.inScope(SYSTEM, tx => createManualOperation(tx, books.manualOperations, entry))
  expect(await entered).toMatchObject(tooEarly)
  const previewed = await database.inScope(SYSTEM, tx => previewManualOperation(tx, books.manualOperations, input, []))
  expect(previewed.isAcceptable).toBe(false)
  expect(previewed.errors.map(each => each.message).join()).toContain('この媒体の締めは2026-06分から始まっています。')
})

test('the database keeps it out', async () => {
  const insert = database.inScope(SYSTEM, tx => tx.insertInto('monthStates').values(early).execute())
  await expect(insert).rejects.toMatchObject({ constraint: 'closed_month' })
})

test('the board does not show it, and the closed month holds', async () => {
  const parts = { ...books.payments, statementReasons: async () => [] }
  const boardOf = async (month: YearMonth) =>
    (await monthCloseBoard(parts, month, books.userUid)).map(row => row.mediumId)
  expect([await boardOf(early.month), await boardOf(first.month)]).toEqual([[], [1n]])
  expect(await monthViolations({ database, stats: stats.store }, first)).toEqual([])
  const months = database.inScope(SYSTEM, tx => tx.selectFrom('monthStates').select('month').execute())
  expect(await months).toEqual([{ month: first.month }])
})
