import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import { previewManualOperation } from '@pc/features/payments/manual-operations/server/preview-manual-operation.ts'
import {
  failManualOperation,
  runManualOperation,
} from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { withdrawManualOperation } from '@pc/features/payments/manual-operations/server/withdraw-manual-operation.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { CHECK_KINDS, type CheckKind } from '@pc/features/payments/month-close/server/close-checks.ts'
import { bookLateFigures } from '@pc/features/payments/month-close/server/late-figures.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import {
  writeAgreements,
  writeOwnAds,
  writeSettings,
  writeStatementSettings,
} from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { moneyDependencies } from '../apps/server/money-dependencies.ts'
import { accepted } from './transfer-fixture.ts'

/** What the board shows in red, the API's close refuses: each check is damaged in turn. */
const enqueued: string[] = []
const jobs: Jobs = {
  enqueue: async (_tx, kind, data) => {
    enqueued.push(`${kind.name} ${JSON.stringify(data)}`)
    return null
  },
  enqueueAll: async () => {},
  work: async () => {},
  close: async () => {},
}
const { stats, books, clock, inBooks } = await openBooks({ jobs })
const money = moneyDependencies({ ...books.payments, jobs, webOrigin: 'https://console.example.jp' })
const AUG = 202608 as YearMonth
const SEP = 202609 as YearMonth
const run = (statement: RawBuilder<unknown>) => inBooks(tx => statement.execute(tx))
let batchNo = 0n
const agreementOf = (mediumId: bigint, yen: bigint) =>
  sampleAgreement(mediumId, [{ ...sampleRule(mediumId * 100n + 1n, yen), mediumId }], {
    ...{ mediumId, organizationId: mediumId },
    terms: { feePaidBy: 'publisher' },
  })
async function deliver(mediumId: bigint, month: YearMonth, yen: bigint) {
  batchNo += 1n
  await writeOwnAds(stats.store, [sampleMonth(month, { mediumId, agreements: [agreementOf(mediumId, yen)] })], batchNo)
}
/** A medium whose September can be closed; its August is closed, if `hasAugust`. */
async function ready(mediumId: bigint, hasAugust = false) {
  await inBooks(tx => writeAgreements(tx, [{ mediumId, agreements: [agreementOf(mediumId, 1n)] }]))
  for (const month of hasAugust ? [AUG, SEP] : [SEP]) {
    await deliver(mediumId, month, 70_000n)
    accepted(await computeMonth(books.payments, { mediumId, month }))
    if (month === AUG) accepted(await close(mediumId, AUG))
  }
}
/** August's figures now differ from those with which it was closed. */
async function addFigures(mediumId: bigint, yen: bigint) {
  await deliver(mediumId, AUG, yen)
  await run(sql`insert into ingest_batches (batch_no, dataset, batch_id, content_sha256, state, first_day, last_day, applied_at)
    overriding system value values (${batchNo}, 'summary-daily', ${`b${batchNo}`}, ${`c${batchNo}`}, 'applied', '2026-08-01',
      '2026-08-31', now())`)
}
async function lateCorrection(mediumId: bigint, yen: bigint): Promise<bigint> {
  await addFigures(mediumId, yen)
  const entered = await bookLateFigures(money.payments, { mediumId, month: AUG })
  expect(entered).toBeDefined()
  return entered!
}
async function checksOf(mediumId: bigint) {
  const board = { ...books.payments, statementReasons: money.payments.statementReasons }
  const rows = await monthCloseBoard(board, SEP, books.userUid)
  return rows.find(row => row.mediumId === mediumId)!
}
const close = (mediumId: bigint, month = SEP) => closeMonth(money, { mediumId, month }, books.userUid)
async function writeJob(mediumId: bigint, kind: string, jobStatus: string) {
  const why = jobStatus === 'failed' ? 'x' : null
  await run(sql`with o as (insert into dividend_operations (month) values (${SEP})
      on conflict (month) do update set month = excluded.month returning id)
    insert into dividends (operation_id, medium_id, month, kind, method, extra_revenue_yen, extra_revenue_month, job_status,
      failure_code, failure_text, completed_at)
    select id, ${mediumId}, ${SEP}, ${kind}, 'payment', 500, ${SEP}, ${jobStatus}, ${why}, ${why}, now() from o`)
}
const TODAY = '2026-10-10T12:00:00+09:00'
async function writeBank() {
  await run(sql`delete from transfer_fees`)
  await inBooks(writeTransferSettings)
}
beforeAll(async () => {
  await inBooks(tx => {
    const settings = { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' } as const
    return writeSettings(tx, { settings, taxTable: STANDARD_TAX_TABLE })
  })
  await writeBank()
})
beforeEach(() => clock.set(TODAY))

interface Damage {
  readonly make: (mediumId: bigint) => Promise<unknown>
  /** Reverses a damage that affects all media. */
  readonly undo?: () => Promise<unknown>
}
/**
 * How each check is made red; undefined where it has no red finding. A new check does not compile without its line.
 */
const DAMAGES: Readonly<Record<CheckKind, Damage | undefined>> = {
  month_over: { make: async () => clock.set('2026-09-30T12:00:00+09:00') },
  previous_month: {
    make: async mediumId => {
      await deliver(mediumId, AUG, 5_000n)
      await computeMonth(books.payments, { mediumId, month: AUG })
    },
  },
  statistics: {
    make: () =>
      run(sql`insert into ingest_batches (dataset, batch_id, content_sha256, state, first_day, last_day)
        values ('summary-daily', 'f', 'f', 'failed', '2026-09-01', '2026-09-01')`),
    undo: () => run(sql`delete from ingest_batches where batch_id = 'f'`),
  },
  jobs: { make: mediumId => writeJob(mediumId, 'csv', 'failed') },
  late_corrections: {
    async make(mediumId) {
      const id = await lateCorrection(mediumId, 50_000n)
      await failManualOperation(books.manualOperations, id, 'dividend/unexpected-failure')
      accepted(await inBooks(tx => withdrawManualOperation(tx, books.manualOperations, id, books.userUid)))
      accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
    },
  },
  agreements: {
    make: mediumId => run(sql`update agreements set is_payment_disabled = true where medium_id = ${mediumId}`),
  },
  pools: {
    async make(mediumId) {
      accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
      await writeJob(mediumId, 'ssp', 'success')
    },
  },
  accounts: undefined,
  registrations: undefined,
  law: {
    async make(mediumId) {
      await run(sql`update agreements set freelance_coverage = 'covered' where medium_id = ${mediumId}`)
      accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
    },
  },
  amounts: undefined,
  invariants: {
    make: mediumId =>
      run(sql`with r as (
          insert into invariant_runs (medium_id, month, occasion, violations, violations_hash, ran_at)
          values (${mediumId}, ${SEP}, 'nightly', 1, '', now()) returning id)
        insert into invariant_violations (run_id, number, invariant, row_name, detail)
        select id, 1, 'I1', 'x', 'x' from r`),
  },
  statements: { make: () => run(sql`delete from statement_settings`), undo: () => inBooks(writeStatementSettings) },
  transfer_fees: { make: () => run(sql`delete from transfer_fees`), undo: writeBank },
  second_person: {
    async make(mediumId) {
      await run(sql`update payment_settings set needs_two_persons = true`)
      await run(sql`update month_states set computed_by_uid = ${books.userUid} where medium_id = ${mediumId}`)
    },
    undo: () => run(sql`update payment_settings set needs_two_persons = false`),
  },
}

test.each(CHECK_KINDS.flatMap((kind, at) => (DAMAGES[kind] ? [[kind, BigInt(at + 1) * 10n] as const] : [])))(
  'what is red as %s is refused by the close',
  async (kind, mediumId) => {
    const { make, undo } = DAMAGES[kind]!
    await ready(mediumId, kind === 'late_corrections')
    expect((await checksOf(mediumId)).checks.filter(({ state }) => state === 'red')).toEqual([])
    await make(mediumId)
    const row = await checksOf(mediumId)
    expect(row.checks.find(check => check.kind === kind)).toMatchObject({ state: 'red' })
    expect(row.canFinalize).toBe(false)
    const closed = await close(mediumId)
    await undo?.()
    expect(closed).toMatchObject({ ok: false })
    const state = await inBooks(tx =>
      tx.selectFrom('monthStates').select('state').where('mediumId', '=', mediumId).where('month', '=', SEP).execute(),
    )
    expect(state[0]!.state).not.toBe('finalized')
  },
)

test('a failed correction that was withdrawn is entered again, and the month closes with it', async () => {
  const mediumId = 500n
  await ready(mediumId, true)
  const first = await lateCorrection(mediumId, 50_000n)
  await failManualOperation(books.manualOperations, first, 'dividend/unexpected-failure')
  enqueued.length = 0
  accepted(await inBooks(tx => withdrawManualOperation(tx, books.manualOperations, first, books.userUid)))
  expect(enqueued).toContain(`statistics-changed {"months":[${AUG}]}`)
  accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
  const closed = await close(mediumId)
  expect(closed).toMatchObject({ refusals: [{ code: 'payment/check-red', data: { label: '確定後の差額' } }] })
  const second = await bookLateFigures(money.payments, { mediumId, month: AUG })
  await runManualOperation(books.manualOperations, second!)
  accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
  expect(await close(mediumId)).toMatchObject({ ok: true })
})

test('a reset does not stand for a correction that failed, and keeps the one that is booked', async () => {
  const mediumId = 510n
  await ready(mediumId, true)
  const booked = await lateCorrection(mediumId, 7_000n)
  await runManualOperation(books.manualOperations, booked)
  const failed = await lateCorrection(mediumId, 50_000n)
  await failManualOperation(books.manualOperations, failed, 'dividend/unexpected-failure')
  const input = { ...{ mediumId, month: SEP }, kind: 'reset' as const, method: 'payment' as const, notes: '' }
  const reset = { ...input, extraRevenueYen: null, extraRevenueMonth: '' }
  expect(await inBooks(tx => previewManualOperation(tx, books.manualOperations, reset, []))).toMatchObject({
    rows: [],
    totalYen: 0n,
  })
  enqueued.length = 0
  const made = await inBooks(tx =>
    createManualOperation(tx, books.manualOperations, { input: reset, rawRows: [], userUid: books.userUid }),
  )
  await runManualOperation(books.manualOperations, accepted(made))
  expect(enqueued).toContain(`statistics-changed {"months":[${AUG}]}`)
  accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
  expect((await checksOf(mediumId)).checks.filter(({ state }) => state === 'red')).toMatchObject([
    { kind: 'late_corrections', detail: expect.stringContaining('2026-08分') },
  ])
  expect(await close(mediumId)).toMatchObject({ ok: false })
})

test('a failed correction that nothing is owed for any more is nothing to wait for', async () => {
  const mediumId = 520n
  await ready(mediumId, true)
  const failed = await lateCorrection(mediumId, 50_000n)
  await failManualOperation(books.manualOperations, failed, 'dividend/unexpected-failure')
  accepted(await inBooks(tx => withdrawManualOperation(tx, books.manualOperations, failed, books.userUid)))
  await addFigures(mediumId, -50_000n)
  accepted(await computeMonth(books.payments, { mediumId, month: SEP }))
  expect(await bookLateFigures(money.payments, { mediumId, month: AUG })).toBeUndefined()
  expect(await close(mediumId)).toMatchObject({ ok: true })
})
