import { STANDARD_TAX_TABLE } from '@pc/domain/money/consumption-tax.ts'
import { sumBy } from '@pc/domain/money/yen.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import type { OpeningBalanceEntry } from '@pc/domain/settlement/opening-balance.ts'
import { sampleAgreement, sampleMonth, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { saveOpeningBalances } from '@pc/features/agreements/server/save-opening-balances.ts'
import { computeMonth } from '@pc/features/payments/core/server/compute-month.ts'
import { readTransferRules } from '@pc/features/payments/core/server/transfer-settings.ts'
import { createManualOperation } from '@pc/features/payments/manual-operations/server/create-manual-operation.ts'
import type {
  ManualOperationInput,
  RawRow,
} from '@pc/features/payments/manual-operations/server/manual-operation-entry.ts'
import { runManualOperation } from '@pc/features/payments/manual-operations/server/run-manual-operation.ts'
import { monthCloseBoard } from '@pc/features/payments/month-close/server/close-board.ts'
import { verifyMediumChain } from '@pc/features/payments/month-close/server/finalized-chain.ts'
import { monthViolations } from '@pc/features/payments/month-close/server/month-invariants.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportJournal } from '@pc/features/payments/transfers/server/export-journal.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { statementOfContent } from '@pc/features/statements/server/generate-statements.ts'
import { issueStatementsOfClose } from '@pc/features/statements/server/issue-statements.ts'
import type { Change } from '@pc/platform/audit/record-change.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { closeMonth } from '@pc/testing/books/close-month.ts'
import { openBooks } from '@pc/testing/books/open-books.ts'
import { writeAgreements, writeOwnAds, writeSettings } from '@pc/testing/books/settlement-books.ts'
import { writeTransferSettings } from '@pc/testing/books/transfer-settings-fixture.ts'
import { beforeAll, expect, test } from 'vitest'
import { accepted } from './transfer-fixture.ts'

/** An operator changes over from another system: balances are carried over, settled, stated and paid here. */
const { tested, stats, database, books, clock, actor, inBooks } = await openBooks({ maxConnections: 8 })
const MEDIUM = 1n
const [OCTOBER, NOVEMBER] = [202610, 202611] as [YearMonth, YearMonth]
const october = { mediumId: MEDIUM, month: OCTOBER }
const november = { mediumId: MEDIUM, month: NOVEMBER }
const agreements = [
  // Without a registration number, as in the worked example E13.
  sampleAgreement(1n, [sampleRule(101n, 100_000n)]),
  sampleAgreement(2n, [sampleRule(201n, 1_000n), sampleRule(202n, 0n)], { terms: { payoutThresholdYen: 5_000n } }),
  sampleAgreement(3n, [sampleRule(301n, 0n)], {
    terms: { payoutThresholdYen: 5_000n },
    terminatedOn: day('2026-08-31'),
  }),
  sampleAgreement(4n, [sampleRule(401n, 10_000n)]),
  sampleAgreement(5n, [sampleRule(501n, 0n)]),
]
const entry = (
  publisherId: bigint,
  originMonth: number,
  amountYen: bigint,
  parts: Partial<OpeningBalanceEntry> = {},
): OpeningBalanceEntry => ({
  agreementId: publisherId / 100n,
  publisherId,
  originMonth: originMonth as YearMonth,
  bookedMonth: OCTOBER,
  amountYen,
  isQualified: false,
  ...parts,
})
const ENTRIES = [
  entry(101n, 201909, 20_000n),
  entry(201n, 202607, 2_000n),
  entry(202n, 202608, 1_500n),
  entry(301n, 202606, 700n, { isQualified: true }),
  entry(401n, 202605, -40_000n),
  // The rule begins later than the given month, so the balance counts in the first month that is settled.
  entry(501n, 202312, 3_000n, { bookedMonth: 202609 as YearMonth, isQualified: true }),
]

async function save(entries: readonly OpeningBalanceEntry[]) {
  const changes: Change[] = []
  const saved = await inBooks(tx =>
    saveOpeningBalances({ tx, record: change => changes.push(change), recordNothing() {} }, entries),
  )
  return { saved, changes }
}
const refusalsOf = async (...entries: OpeningBalanceEntry[]) => {
  const { saved } = await save(entries)
  return saved.ok ? [] : saved.refusals.map(({ code, path }) => [code, path.join('.')])
}
const kindsOf = async (...entries: OpeningBalanceEntry[]) =>
  accepted((await save(entries)).saved).map(effect => effect.kind)
const paymentOf = (agreementId: bigint, month: YearMonth) =>
  inBooks(tx =>
    tx
      .selectFrom('monthlyPayments')
      .selectAll()
      .where('agreementId', '=', agreementId)
      .where('month', '=', month)
      .executeTakeFirstOrThrow(),
  )
const paidMonths = (month: YearMonth) =>
  inBooks(tx =>
    tx
      .selectFrom('monthlyPaidBuckets as b')
      .innerJoin('monthlyPayments as p', 'p.id', 'b.monthlyPaymentId')
      .select(['p.agreementId', 'b.generatedMonth', 'b.amountYen', 'b.ratePercent', 'b.taxYen', 'b.deductibleTaxYen'])
      .where('b.month', '=', month)
      .orderBy('p.agreementId')
      .orderBy('b.generatedMonth')
      .execute(),
  )

beforeAll(async () => {
  clock.set('2026-11-05T12:00:00+09:00')
  await inBooks(async tx => {
    await writeSettings(tx, {
      settings: { payoutThresholdYen: 1n, businessDayShift: 'previous', rules: 'returns_per_rate' },
      taxTable: STANDARD_TAX_TABLE,
    })
    await writeAgreements(tx, [{ mediumId: MEDIUM, agreements }])
    await writeTransferSettings(tx)
    await tx
      .updateTable('agreementPublisherRules')
      .set({ validFromMonth: 202701 })
      .where('publisherId', '=', 501n)
      .execute()
    await tx.updateTable('agreements').set({ validFromMonth: 202701 }).where('id', '=', 5n).execute()
  })
  for (const [index, month] of [OCTOBER, NOVEMBER].entries()) {
    await writeOwnAds(stats.store, [sampleMonth(month, { agreements })], BigInt(index + 1))
  }
})

test('what does not fit is refused at its field, and nothing of the list is recorded', async () => {
  expect(
    await refusalsOf(
      entry(101n, 201909, 1n),
      entry(101n, 202610, 1n),
      entry(101n, 198903, 1n),
      entry(999n, 202608, 1n),
      entry(101n, 202608, 1n, { agreementId: 2n }),
      entry(101n, 201909, 2n),
      entry(101n, 202607, 10n ** 13n),
      entry(101n, 201908, 1n, { bookedMonth: 202011 as YearMonth }),
      entry(101n, 190001, 1n),
    ),
  ).toEqual([
    ['opening-balance/origin-month-not-earlier', '1.originMonth'],
    ['opening-balance/origin-month-without-rate', '2.originMonth'],
    ['opening-balance/agreement-unknown', '3.agreementId'],
    ['opening-balance/rule-unknown', '4.publisherId'],
    ['opening-balance/twice', '5.originMonth'],
    ['opening-balance/amount-too-large', '6.amountYen'],
    ['opening-balance/booked-month-too-early', '7.bookedMonth'],
    ['opening-balance/origin-month-without-rate', '8.originMonth'],
  ])
  // One payee and month was either registered or not; both at once is refused.
  expect(await refusalsOf(entry(201n, 202607, 1n), entry(202n, 202607, 1n, { isQualified: true }))).toEqual([
    ['opening-balance/qualification-differs', '0.isQualified'],
    ['opening-balance/qualification-differs', '1.isQualified'],
  ])
  expect(await inBooks(tx => tx.selectFrom('openingBalances').selectAll().execute())).toEqual([])
})

test('recorded once, changed, removed, and the same again changes nothing', async () => {
  expect(await kindsOf(entry(202n, 202607, 5n), entry(201n, 202607, 5n))).toEqual(['new', 'new'])
  const twice = await Promise.all([save(ENTRIES), save(ENTRIES)])
  const kinds = twice.map(({ saved }) =>
    accepted(saved)
      .map(effect => effect.kind)
      .join(' '),
  )
  expect(kinds.toSorted()).toEqual([
    'new changed new new new new',
    'unchanged unchanged unchanged unchanged unchanged unchanged',
  ])
  expect(twice.flatMap(({ changes }) => changes)).toHaveLength(6)
  // Changes both balances of an agreement at once, and back.
  const [first, second] = [entry(201n, 202607, 2_000n), entry(202n, 202607, 5n)]
  const flipped = [first, second].map(each => ({ ...each, isQualified: true }))
  expect(await refusalsOf(flipped[0]!)).toEqual([['opening-balance/qualification-differs', '0.isQualified']])
  expect(await kindsOf(...flipped)).toEqual(['changed', 'changed'])
  expect(await kindsOf({ ...second, amountYen: 0n }, first)).toEqual(['removed', 'changed'])
  expect(await kindsOf({ ...second, amountYen: 0n })).toEqual(['unchanged'])
  const rows = await inBooks(tx => tx.selectFrom('openingBalances').selectAll().orderBy('publisherId').execute())
  expect(rows.map(row => [row.publisherId, row.amountYen, row.revision])).toEqual([
    [101n, 20_000n, 1],
    [201n, 2_000n, 4],
    [202n, 1_500n, 1],
    [301n, 700n, 1],
    [401n, -40_000n, 1],
    [501n, 3_000n, 1],
  ])
})

test('a draft of before is stale, and a balance that comes while the month is closed stops the close', async () => {
  accepted(await computeMonth(books.payments, october))
  accepted((await save([entry(101n, 201909, 20_001n)])).saved)
  // Not even by hand: the database adds up what a month must carry.
  const byHand = inBooks(tx =>
    tx.updateTable('monthStates').set({ state: 'finalized', finalizedAt: new Date(), hash: 'x' }).execute(),
  )
  await expect(byHand).rejects.toThrow('carry of agreement 1')
  const refusedClose = await closeMonth(books, october, books.userUid)
  expect(refusedClose).toMatchObject({ ok: false, refusals: [{ code: 'payment/draft-stale' }] })
  accepted(await computeMonth(books.payments, october))
  let closing: ReturnType<typeof closeMonth> | undefined
  await inBooks(async tx => {
    accepted(await saveOpeningBalances({ tx, record() {}, recordNothing() {} }, [entry(101n, 201909, 20_000n)]))
    closing = closeMonth(books, october, books.userUid)
    await waitingForLock()
  })
  expect(await closing).toMatchObject({ ok: false, refusals: [{ code: 'payment/changed-while-closing' }] })
  accepted(await computeMonth(books.payments, october))
  const agreementsCheck = async () => {
    const [row] = await monthCloseBoard({ ...books.payments, statementReasons: async () => [] }, OCTOBER, books.userUid)
    return row!.checks.find(check => check.kind === 'agreements')
  }
  const detail = '契約5件を計算しました。期首残高6件、合計-12,800円をこの月に繰り越しました。'
  expect(await agreementsCheck()).toMatchObject({ state: 'green', detail })
  // A wrong month is noticed before the close, not after the payment.
  const late = entry(202n, 201909, 600n, { bookedMonth: NOVEMBER })
  accepted((await save([late])).saved)
  expect(await agreementsCheck()).toMatchObject({
    state: 'amber',
    detail: `${detail}引継月が2026-11以降の期首残高が1件あり、この月には入りません。`,
  })
  expect(await kindsOf({ ...late, amountYen: 0n })).toEqual(['removed'])
})

test('a balance whose month an adjustment of an open month names stays until that is reset', async () => {
  const named = entry(202n, 201910, 500n, { isQualified: true })
  expect(await kindsOf(named)).toEqual(['new'])
  const common = { mediumId: MEDIUM, month: OCTOBER, extraRevenueMonth: '', notes: '', extraRevenueYen: null } as const
  const row = { agreementId: '2', publisherId: '201', amount: '-100', weight: '', reason: 'correction' }
  const enter = async (kind: 'csv' | 'reset', rawRows: readonly RawRow[]) => {
    const input = { ...common, kind, method: 'payment' } as ManualOperationInput
    const id = accepted(
      await inBooks(tx =>
        createManualOperation(tx, books.manualOperations, { input, rawRows, userUid: books.userUid }),
      ),
    )
    await runManualOperation(books.manualOperations, id)
  }
  await enter('csv', [
    { ...row, originMonth: '' },
    { ...row, originMonth: '2019-10' },
  ])
  const { saved } = await save([{ ...named, amountYen: 0n }])
  expect(saved).toMatchObject({
    ok: false,
    refusals: [{ code: 'opening-balance/named-by-row', path: [0, 'amountYen'], data: { month: '2026-10', line: 2 } }],
  })
  // Another balance of the month must have the same qualification.
  const other = entry(201n, 201910, 1n, { isQualified: true })
  expect(await kindsOf(other, { ...named, amountYen: 0n })).toEqual(['new', 'removed'])
  expect(await refusalsOf({ ...other, amountYen: 0n })).toEqual([['opening-balance/named-by-row', '0.amountYen']])
  await enter('reset', [])
  expect(await kindsOf({ ...other, amountYen: 0n })).toEqual(['removed'])
  accepted(await computeMonth(books.payments, october))
})

test('of a removal and an entry that names its month, at once, the later one is refused', async () => {
  const named = entry(202n, 201911, 500n, { isQualified: true })
  const removal = { ...named, amountYen: 0n }
  const input = {
    ...{ mediumId: MEDIUM, month: OCTOBER, extraRevenueMonth: '', notes: '', extraRevenueYen: null },
    ...{ kind: 'csv', method: 'payment' },
  } as ManualOperationInput
  const rawRows = [
    { agreementId: '2', publisherId: '201', amount: '-100', weight: '', reason: 'correction', originMonth: '2019-11' },
  ]
  const enter = (tx: Transaction) =>
    createManualOperation(tx, books.manualOperations, { input, rawRows, userUid: books.userUid })
  expect(await kindsOf(named)).toEqual(['new'])
  let entering: ReturnType<typeof enter> | undefined
  await inBooks(async tx => {
    accepted(await saveOpeningBalances({ tx, record() {}, recordNothing() {} }, [removal]))
    entering = inBooks(enter)
    await waitingForLock()
  })
  expect(await entering).toMatchObject({ ok: false, refusals: [{ code: 'payment/origin-month-unknown' }] })

  expect(await kindsOf(named)).toEqual(['new'])
  let removing: ReturnType<typeof save> | undefined
  const id = await inBooks(async tx => {
    const entered = accepted(await enter(tx))
    removing = save([removal])
    await waitingForLock()
    return entered
  })
  expect((await removing)?.saved).toMatchObject({ ok: false, refusals: [{ code: 'opening-balance/named-by-row' }] })
  await runManualOperation(books.manualOperations, id)
  const reset = { ...input, kind: 'reset' } as ManualOperationInput
  const undone = await inBooks(tx =>
    createManualOperation(tx, books.manualOperations, { input: reset, rawRows: [], userUid: books.userUid }),
  )
  await runManualOperation(books.manualOperations, accepted(undone))
  expect(await kindsOf(removal)).toEqual(['removed'])
  accepted(await computeMonth(books.payments, october))
})

/** Waits until a transaction waits for a lock of the running one. */
async function waitingForLock(): Promise<void> {
  await withClient(tested.adminUrl, async client => {
    for (;;) {
      const { rows } = await client.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
      if (rows.length > 0) return
    }
  })
}

test('the first month pays them with its own revenue: each by the rate and the deduction of its month', async () => {
  accepted(await closeMonth(books, october, books.userUid))
  // E13 without its return.
  expect(await paymentOf(1n, OCTOBER)).toMatchObject({
    revenueYen: 100_000n,
    carriedOverRevenueYen: 20_000n,
    paymentYen: 120_000n,
    paymentTaxYen: 11_600n,
  })
  // Below the threshold: carried over, by month of origin.
  expect(await paymentOf(2n, OCTOBER)).toMatchObject({ reasonCode: 'BELOW_THRESHOLD', carriedOverToNextYen: 4_500n })
  // The balance of a terminated agreement is paid whatever the threshold.
  expect(await paymentOf(3n, OCTOBER)).toMatchObject({ revenueYen: 0n, paymentYen: 700n, isTerminated: true })
  expect(await paymentOf(4n, OCTOBER)).toMatchObject({
    reasonCode: 'NON_POSITIVE_BALANCE',
    carriedOverToNextYen: -30_000n,
  })
  expect(await paymentOf(5n, OCTOBER)).toMatchObject({ revenueYen: 0n, paymentYen: 3_000n, paymentTaxYen: 300n })
  expect(
    (await paidMonths(OCTOBER)).map(each => [
      ...[each.agreementId, each.generatedMonth, each.amountYen, each.ratePercent, each.taxYen],
      each.deductibleTaxYen,
    ]),
  ).toEqual([
    [1n, 201909, 20_000n, 8, 1_600n, 1_600n],
    [1n, 202610, 100_000n, 10, 10_000n, 7_000n],
    [3n, 202606, 700n, 10, 70n, 70n],
    [5n, 202312, 3_000n, 10, 300n, 300n],
  ])
  expect(await monthViolations({ database, stats: stats.store }, october)).toEqual([])
})

test('statement, transfer and journal say the same', async () => {
  const issuing = { clock, jobs: books.manualOperations.jobs, readTransferRules }
  accepted(
    await inBooks(tx => issueStatementsOfClose(tx, issuing, { month: OCTOBER, mediumIds: [MEDIUM] }, books.userUid)),
  )
  const statements = (
    await inBooks(tx => tx.selectFrom('statements').selectAll().orderBy('agreementId').execute())
  ).map(row => statementOfContent(row.content))
  expect(statements.map(each => each.generatedMonths)).toMatchObject([
    [
      { month: 201909, amountYen: 20_000n },
      { month: OCTOBER, amountYen: 100_000n },
    ],
    [{ month: 202606, amountYen: 700n }],
    [{ month: 202312, amountYen: 3_000n }],
  ])
  expect(statements[0]!.taxLines).toEqual([
    { ratePercent: 10, amountYen: 100_000n, taxYen: 10_000n },
    { ratePercent: 8, amountYen: 20_000n, taxYen: 1_600n },
  ])
  const statedYen = sumBy(statements, each => each.totalYen)
  const request = {
    dueOn: day('2026-11-30'),
    transferOn: day('2026-11-30'),
    excludedPaymentIds: [],
    accounts: new Map(),
  }
  const batch = accepted(await inBooks(tx => createTransferBatch(tx, actor, request, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, batch.id)))
  const transfers = await inBooks(tx => tx.selectFrom('transfers').select('transferAmountYen').execute())
  expect(sumBy(transfers, each => each.transferAmountYen)).toBe(statedYen)

  // Only the month's revenue is accrued; what was carried over is accrued already and is only released.
  const wanted = { month: OCTOBER, scope: 'close', format: 'generic', encoding: 'utf8' } as const
  const { bytes } = accepted(await inBooks(tx => exportJournal(tx, wanted)))
  const lines = new TextDecoder()
    .decode(bytes)
    .split('\r\n')
    .slice(1, -1)
    .map(line => line.split(','))
  const sumOf = (side: string, account: string) =>
    sumBy(lines, line => (line[3] === side && line[4] === account ? BigInt(line[5]!) : 0n))
  expect(sumOf('貸方', '未払費用')).toBe(111_000n)
  expect(sumOf('借方', '未払費用')).toBe(123_700n)
  expect(sumOf('貸方', '未払金')).toBe(statedYen)
})

test('from then on nobody changes them, and the next month carries on', async () => {
  expect(await refusalsOf(entry(101n, 201909, 1n), entry(202n, 202605, 1n))).toEqual([
    ['opening-balance/booked-month-finalized', '0.bookedMonth'],
    ['opening-balance/booked-month-finalized', '1.bookedMonth'],
  ])
  // A month that the books have settled is corrected by an adjustment.
  expect(await refusalsOf(entry(201n, 202610, 1n, { bookedMonth: NOVEMBER }))).toEqual([
    ['opening-balance/origin-month-settled', '0.originMonth'],
  ])
  expect(await kindsOf(...ENTRIES)).toEqual(Array.from(ENTRIES, () => 'unchanged'))
  for (const url of [tested.adminUrl, tested.ownerUrl]) {
    await withClient(url, async client => {
      await client.query("select set_config('app.scope', 'all', false)")
      for (const statement of [
        'update opening_balances set amount_yen = 1 where publisher_id = 301',
        'update opening_balances set booked_month = 202611 where publisher_id = 301',
        'delete from opening_balances where publisher_id = 501',
        'insert into opening_balances (agreement_id, publisher_id, origin_month, booked_month, amount_yen) values (1, 101, 202001, 202610, 1)',
      ]) {
        await expect(client.query(statement), statement).rejects.toMatchObject({ constraint: 'closed_month' })
      }
    })
  }
  // A forgotten balance comes in the next open month, beside the earlier one.
  expect(await kindsOf(entry(202n, 201909, 600n, { bookedMonth: NOVEMBER }))).toEqual(['new'])
  clock.set('2026-12-05T12:00:00+09:00')
  accepted(await computeMonth(books.payments, november))
  accepted(await closeMonth(books, november, books.userUid))
  expect(await paymentOf(2n, NOVEMBER)).toMatchObject({
    carriedOverRevenueYen: 5_100n,
    paymentYen: 6_100n,
    paymentTaxYen: 598n,
  })
  expect((await paidMonths(NOVEMBER)).filter(each => each.agreementId === 2n).map(each => each.generatedMonth)).toEqual(
    [201909, 202607, 202608, 202610, 202611],
  )
  for (const key of [october, november]) {
    expect(await monthViolations({ database, stats: stats.store }, key)).toEqual([])
  }
  expect(await inBooks(tx => verifyMediumChain(tx, MEDIUM))).toEqual([])
})
