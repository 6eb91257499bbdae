import { type Day, day } from '@pc/domain/month/day.ts'
import { explainSentTransfer } from '@pc/features/payments/explain/server/explain-transfer.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import { exportTransferBatch } from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { recordTransferResults } from '@pc/features/payments/transfers/server/record-transfer-results.ts'
import { readWithholdingMonths } from '@pc/features/payments/transfers/server/withholding-months.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { accepted, codes, JULY, request, startTransferFixture } from './transfer-fixture.ts'

/** A company abroad (agreement 3, 1,500,000 yen) and an individual abroad (agreement 4); the others live in Japan. */
const { database, actor, inBooks, paymentOf, violations, clock, close } = await startTransferFixture([], tx =>
  tx
    .updateTable('agreements')
    .set(eb => ({
      payeeResidence: 'non_resident',
      payeeKind: eb.case().when('id', '=', 3n).then('company').else('individual').end(),
    }))
    .where('id', 'in', [3n, 4n])
    .execute(),
)
afterAll(close)

const excluded = async () => request({ excludedPaymentIds: [(await paymentOf(5n)).id] })
const planned = async () => {
  const { transfers } = accepted(await inBooks(async tx => planBatch(tx, clock, await excluded())))
  return new Map(transfers.map(each => [each.organizationId, each]))
}
const setForm = (form: { treatyFormFrom: Day | null; treatyFormTo: Day | null; treatyFormRate: number | null }) =>
  inBooks(tx => tx.updateTable('agreements').set(form).where('id', '=', 3n).execute())
const NO_FORM = { treatyFormFrom: null, treatyFormTo: null, treatyFormRate: null }

test('the whole amount of a non-resident is withheld from, companies too; the month has frozen it', async () => {
  const frozen = await inBooks(tx =>
    tx
      .selectFrom('monthlyAgreementSnapshots')
      .select(['agreementId', 'payeeResidence'])
      .distinct()
      .orderBy('agreementId')
      .execute(),
  )
  expect(frozen.map(each => each.payeeResidence)).toEqual([
    ...['resident', 'resident', 'non_resident', 'non_resident', 'resident', 'resident'],
  ])
  // Inputs of residents keep the bytes that they had before residence was recorded.
  const { rows } = await inBooks(tx =>
    sql<{ agreementId: bigint; isNamed: boolean }>`
      select s.agreement_id, i.input like '%payeeResidence%' as is_named
      from monthly_snapshot_inputs i join monthly_agreement_snapshots s on s.id = i.snapshot_id`.execute(tx),
  )
  expect(rows.every(row => row.isNamed === [3n, 4n].includes(row.agreementId))).toBe(true)
  await inBooks(tx => tx.updateTable('agreements').set({ payeeResidence: 'resident' }).execute())
  const before = await planned()
  expect(before.get(3n)).toMatchObject({ nonResidentRate: 2042, hasTreatyForm: false, withholdingYen: 306_300n })
  expect(before.get(4n)).toMatchObject({ nonResidentRate: 2042, withholdingYen: 4_084n })
  expect(before.get(1n)).toMatchObject({ payeeResidence: 'resident', nonResidentRate: null, withholdingYen: 0n })
  expect(await violations()).toEqual([])
})

test('a treaty form counts on the day of the transfer, and the transfer keeps what was decided', async () => {
  for (const [treatyFormFrom, treatyFormTo, withholdingYen] of [
    [day('2026-08-01'), null, 306_300n],
    [day('2026-07-31'), null, 150_000n],
    [day('2026-07-01'), JULY, 150_000n],
    [day('2026-07-01'), day('2026-07-30'), 306_300n],
  ] as const) {
    await setForm({ treatyFormFrom, treatyFormTo, treatyFormRate: 1000 })
    expect((await planned()).get(3n)?.withholdingYen, `${treatyFormFrom} – ${treatyFormTo}`).toBe(withholdingYen)
  }
  await setForm({ ...NO_FORM, treatyFormFrom: JULY, treatyFormRate: 1000 })
  const wanted = await excluded()
  const { id } = accepted(await inBooks(tx => createTransferBatch(tx, actor, wanted, undefined)))
  accepted(await inBooks(tx => exportTransferBatch(tx, actor, id)))
  await setForm(NO_FORM)
  const transfers = await inBooks(tx =>
    tx.selectFrom('transfers').selectAll().where('batchId', '=', id).orderBy('organizationId').execute(),
  )
  const abroad = transfers.find(each => each.organizationId === 3n)!
  expect(abroad).toMatchObject({ nonResidentRate: 1000, hasTreatyForm: true, withholdingYen: 150_000n })
  expect(transfers.find(each => each.organizationId === 4n)).toMatchObject({ nonResidentRate: 2042 })
  const node = await explainSentTransfer({ database }, abroad.id, 'transfer/withholding')
  expect(JSON.stringify(node, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))).toContain(
    '非居住者・外国法人：報酬額（税抜）の全額 × 10%（租税条約に関する届出書）。所得税',
  )
  expect(await violations()).toEqual([])

  clock.set('2026-07-31T18:00:00+09:00')
  const ids = transfers.map(each => each.id)
  const settle = { outcome: 'paid', on: JULY, reason: '銀行の照会', by: 'hand' } as const
  accepted(await inBooks(tx => recordTransferResults(tx, actor, ids, settle)))
  const months = await inBooks(tx => readWithholdingMonths(tx, 2026))
  const july = months.filter(each => each.month === 202607)
  expect(july).toMatchObject([
    { residence: 'resident', payees: 0n, withholdingYen: 0n },
    {
      residence: 'non_resident',
      payees: 2n,
      paymentYen: 1_520_000n,
      withholdingYen: 154_084n,
      payableOn: '2026-08-10',
    },
  ])
})

test('the database refuses a decision that is none, and a treaty form without its rate', async () => {
  const refusedBy = async (statement: string) =>
    inBooks(tx => sql.raw(statement).execute(tx)).then(
      () => '',
      (error: { constraint?: string }) => error.constraint ?? '',
    )
  const at = (column: string) => `update agreements set ${column} where id = 3`
  expect(await refusedBy(at("treaty_form_from = '2026-07-01'"))).toBe('agreements_treaty_form')
  expect(await refusedBy(at("treaty_form_from = '2026-07-01', treaty_form_rate = 2043"))).toBe('agreements_treaty_form')
  expect(
    await refusedBy(at("treaty_form_from = '2026-07-02', treaty_form_to = '2026-07-01', treaty_form_rate = 0")),
  ).toBe('agreements_treaty_form')
  expect(codes(await inBooks(tx => planBatch(tx, clock, request({ transferOn: day('2026-07-01') }))))).toEqual([
    'transfer/day-past',
  ])
})
