import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { writeAgreements, writeOwnAds } from '@pc/testing/books/settlement-books.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeMonth } from '../../core/server/compute-month.ts'
import { importHolidays } from '../../core/server/import-holidays.ts'
import { createManualOperation } from './create-manual-operation.ts'
import { previewManualOperation } from './preview-manual-operation.ts'
import { runManualOperation } from './run-manual-operation.ts'

/** One wrong entry among right ones: it fails, blocks the close, and is withdrawn alone. */
let system: SystemUnderTest
const MEDIUM = 71n
const MONTH = 202606 as YearMonth
const KEY = { mediumId: MEDIUM, month: MONTH }
const token = new Map<string, string>()
const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => system.dependencies.database.inScope(SYSTEM, work)
const uid = () => system.rows.users['insight:editor'].uid

beforeAll(async () => {
  system = await startSystemUnderTest({}, { bookkeepingClock: fixedClock('2026-11-20T12:00:00+09:00') })
  for (const role of ['insight:admin', 'insight:editor', 'insight:viewer', 'insight:publisher_admin'] as const) {
    token.set(role, await system.tokenOf(system.rows.users[role].email))
  }
  const share = { ownAdsRateUnits: 5000, sspRateUnits: 4000, isTargetForSspAllocation: true }
  const agreements = [
    {
      ...sampleAgreement(7101n, [{ ...sampleRule(7601n, 10_000n, { share }), mediumId: MEDIUM }]),
      mediumId: MEDIUM,
      organizationId: system.rows.a.organizationId,
    },
  ]
  await inBooks(async tx => {
    await importHolidays(tx, { name: 'sample', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test'))
    await writeAgreements(tx, [{ mediumId: MEDIUM, agreements }])
  })
  await writeOwnAds(system.dependencies.stats, [{ ...sampleMonth(MONTH, { agreements }), mediumId: MEDIUM }], 77n)
})
afterAll(() => system?.close())

/** Of the kinds the agreement takes part in one only: a pool of live revenue has no target. */
async function enterPool(kind: 'ssp' | 'ssp_live', poolYen: bigint): Promise<bigint> {
  const { manualOperations } = system.dependencies.money
  const entry = {
    input: { ...KEY, kind, method: 'payment', extraRevenueYen: poolYen, extraRevenueMonth: '', notes: '' } as const,
    rawRows: [{ agreementId: '7101', publisherId: '7601', amount: '', weight: '1', reason: '', originMonth: '' }],
    userUid: uid(),
  }
  const created = await inBooks(tx => createManualOperation(tx, manualOperations, entry))
  if (!created.ok) throw new Error(JSON.stringify(created.refusals))
  await runManualOperation(manualOperations, created.value)
  return created.value
}
const withdraw = (id: bigint, as: string) =>
  system.ask('insight', `mutation { withdrawDividend(id: "${id}") { jobStatus withdrawnAt } }`, token.get(as))
const jobsCheck = async () => {
  const answer = await system.ask(
    'insight',
    '{ monthCloseBoard(month: "2026-06") { mediumId checks { kind state detail } } }',
    token.get('insight:admin'),
  )
  const { monthCloseBoard } = answer.json.data as {
    monthCloseBoard: { mediumId: string; checks: { kind: string; state: string; detail: string }[] }[]
  }
  return monthCloseBoard.find(row => row.mediumId === `${MEDIUM}`)!.checks.find(check => check.kind === 'jobs')!
}
const codeOf = (answer: Awaited<ReturnType<typeof withdraw>>) => answer.json.errors?.[0]?.extensions.code
const close = () => closeMonth(system.dependencies.money, KEY, system.rows.users['insight:admin'].uid)

let right: bigint
let wrong: bigint

test('the failure refuses the close; a success is not withdrawn, and only those who enter may withdraw', async () => {
  right = await enterPool('ssp', 1_000n)
  wrong = await enterPool('ssp_live', 500n)
  await computeMonth(system.dependencies.money.payments, KEY)
  expect(await jobsCheck()).toMatchObject({ state: 'red', detail: expect.stringContaining('失敗した処理が1件') })
  expect(await close()).toMatchObject({ ok: false })
  expect(codeOf(await withdraw(right, 'insight:editor'))).toBe('BAD_REQUEST')
  expect(codeOf(await withdraw(999_999n, 'insight:editor'))).toBe('BAD_REQUEST')
  for (const as of ['insight:viewer', 'insight:publisher_admin']) {
    expect(codeOf(await withdraw(wrong, as))).toBe('FORBIDDEN')
  }
})

test('20 at the same time withdraw it once; it stays in the list as what it was', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => withdraw(wrong, 'insight:editor')))
  expect(answers.filter(answer => !answer.json.errors).map(answer => answer.json.data)).toEqual([
    { withdrawDividend: { jobStatus: 'failed', withdrawnAt: '2026-11-20T03:00:00.000Z' } },
  ])
  const log = await inBooks(tx =>
    tx.selectFrom('monthCloseLog').select(['actorUid', 'detail']).where('action', '=', 'job_withdrawn').execute(),
  )
  expect(log).toEqual([{ actorUid: uid(), detail: `処理 ${wrong}（ssp_live）` }])
  const noted = await inBooks(tx =>
    tx.selectFrom('auditLog').select('rowId').where('action', '=', 'withdraw').execute(),
  )
  expect(noted.map(row => row.rowId)).toEqual([`${wrong}`])
})

test('anyone who thinks of a reset sees before it everything that it would take away', async () => {
  const reset = {
    ...KEY,
    kind: 'reset',
    method: 'payment',
    extraRevenueYen: null,
    extraRevenueMonth: '',
    notes: '',
  } as const
  const previewed = await inBooks(tx =>
    previewManualOperation(tx, system.dependencies.money.manualOperations, reset, []),
  )
  expect(previewed).toMatchObject({
    ...{ isAcceptable: true, totalYen: -1_000n, sharedYen: -400n, retainedYen: -600n },
    rows: [{ agreementId: 7101n, publisherId: 7601n, allocatedYen: -1_000n, amountYen: -400n }],
  })
})

test('what was booked is untouched, and the month closes with it', async () => {
  expect((await jobsCheck()).state).toBe('green')
  expect(await close()).toMatchObject({ ok: true })
  const row = await inBooks(tx =>
    tx
      .selectFrom('monthlyPayments')
      .select(['sspRevenueYen', 'liveSspRevenueYen'])
      .where('mediumId', '=', MEDIUM)
      .executeTakeFirstOrThrow(),
  )
  expect(row).toEqual({ sspRevenueYen: 400n, liveSspRevenueYen: 0n })
  // The month is final: nothing about its entries changes any more.
  expect(codeOf(await withdraw(wrong, 'insight:admin'))).toBe('BAD_REQUEST')
})
