import { type Day, day } from '@pc/domain/month/day.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { createTransferBatch } from '@pc/features/payments/transfers/server/create-transfer-batch.ts'
import {
  cancelTransferBatch,
  exportTransferBatch,
} from '@pc/features/payments/transfers/server/export-transfer-batch.ts'
import { planBatch } from '@pc/features/payments/transfers/server/plan-transfers.ts'
import { batchFindings } from '@pc/features/payments/transfers/server/transfer-law.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { afterAll, expect, test } from 'vitest'
import { accepted, codes, request, startTransferFixture } from './transfer-fixture.ts'

/**
 * The rules of law are applied again when the bank file is written, because what is known of a payee may change after a
 * transfer is made.
 */
const { actor, inBooks, paymentOf, close } = await startTransferFixture(
  [sampleAgreement(8n, [sampleRule(801n, 200_000n)], { organizationId: 8n })],
  async tx => {
    await tx
      .updateTable('agreements')
      .set({ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered' })
      .execute()
    await tx
      .updateTable('agreements')
      .set({
        ...{ payeeResidence: 'non_resident', payeeKind: 'individual' },
        ...{ treatyFormFrom: day('2026-01-01'), treatyFormRate: 1000 },
      })
      .where('id', '=', 8n)
      .execute()
  },
)
afterAll(close)

type Terms = { freelanceCoverage?: string; treatyFormTo?: Day; treatyFormRate?: number; isPaymentDisabled?: boolean }
const set = (tx: Transaction, agreementId: bigint, terms: Terms) =>
  tx.updateTable('agreements').set(terms).where('id', '=', agreementId).execute()

/** Makes the batch of a due day, changes what is known of a payee, and tries to export; everything is rolled back. */
async function exportedAfter(
  change: (tx: Transaction) => Promise<unknown>,
  {
    dueOn = '2026-07-31',
    transferOn = dueOn,
    isLateAcknowledged = false,
  }: { dueOn?: string; transferOn?: string; isLateAcknowledged?: boolean } = {},
) {
  let answer: unknown
  const undone = new Error('undone')
  const excludedPaymentIds = [(await paymentOf(5n)).id, (await paymentOf(5n, 202607)).id]
  await inBooks(async tx => {
    const wanted = request({ dueOn: day(dueOn), transferOn: day(transferOn), excludedPaymentIds })
    const { id } = accepted(await createTransferBatch(tx, actor, wanted, undefined))
    await change(tx)
    const found = (await batchFindings(tx, id)).map(each => [each.refusal.code, each.payee])
    const exported = await exportTransferBatch(tx, actor, id, { isLateAcknowledged })
    const { paymentStatus } = await tx
      .selectFrom('monthlyPayments')
      .select('paymentStatus')
      .where('agreementId', '=', 1n)
      .where('dueOn', '=', day(dueOn))
      .executeTakeFirstOrThrow()
    const again = exported.ok
      ? []
      : [
          codes(await cancelTransferBatch(tx, actor, id, '作り直し')),
          codes(await createTransferBatch(tx, actor, { ...wanted, isLateAcknowledged: true }, undefined)),
        ]
    answer = { found, exported: exported.ok ? paymentStatus : [paymentStatus, ...codes(exported)], again }
    throw undone
  }).catch(error => {
    if (error !== undone) throw error
  })
  return answer
}
const AGAIN = [[], []]

test('what is known has not changed: nothing is found', async () => {
  expect(await exportedAfter(() => Promise.resolve())).toEqual({ found: [], exported: 'exported', again: [] })
})

test('a fee is not taken off a payee whom the law has come to protect: the batch is given up and made again', async () => {
  const partner = (
    await inBooks(tx => tx.selectFrom('organizations').select('name').where('id', '=', 4n).executeTakeFirstOrThrow())
  ).name
  expect(await exportedAfter(tx => set(tx, 4n, { freelanceCoverage: 'covered' }))).toEqual({
    found: [['transfer/fee-now-forbidden', partner]],
    exported: ['scheduled', 'transfer/fee-now-forbidden'],
    again: AGAIN,
  })
  const taken = await exportedAfter(tx => set(tx, 4n, { freelanceCoverage: 'covered' }), { isLateAcknowledged: true })
  expect(taken, 'that it is known changes nothing').toMatchObject({
    exported: ['scheduled', 'transfer/fee-now-forbidden'],
  })
  // The payer bears this fee, so nothing is deducted.
  expect(await exportedAfter(tx => set(tx, 1n, { freelanceCoverage: 'covered' }))).toMatchObject({
    found: [],
    exported: 'exported',
  })
})

test('a fee of unknown coverage is told and does not hold the file up', async () => {
  expect(await exportedAfter(tx => set(tx, 4n, { freelanceCoverage: 'unknown' }))).toMatchObject({
    found: [['transfer/fee-of-unknown', expect.any(String)]],
    exported: 'exported',
  })
})

test('a payment that its agreement stops after the close is reported when it is made and when its file is written', async () => {
  const stop = (tx: Transaction) => set(tx, 1n, { isPaymentDisabled: true })
  expect(await exportedAfter(stop)).toMatchObject({
    found: [['transfer/payment-stopped', expect.any(String)]],
    exported: 'exported',
  })
  const undone = new Error('undone')
  const wanted = request({ dueOn: day('2026-07-31'), transferOn: day('2026-07-31'), excludedPaymentIds: [] })
  const warned: string[] = []
  await inBooks(async tx => {
    await stop(tx)
    const plan = accepted(await planBatch(tx, actor.clock, wanted))
    warned.push(...plan.warnings.map(each => each.refusal.code))
    throw undone
  }).catch(error => {
    if (error !== undone) throw error
  })
  expect(warned.filter(code => code === 'transfer/payment-stopped')).toHaveLength(1)
})

test('what has become late by law is exported knowingly', async () => {
  const late = { dueOn: '2026-07-31', transferOn: '2026-08-03' }
  const change = (tx: Transaction) => set(tx, 1n, { freelanceCoverage: 'covered' })
  expect(await exportedAfter(change, late)).toMatchObject({
    found: [['transfer/late-by-law', expect.any(String)]],
    exported: ['scheduled', 'transfer/late-by-law'],
  })
  expect(await exportedAfter(change, { ...late, isLateAcknowledged: true })).toMatchObject({ exported: 'exported' })
})

test('what is withheld follows the treaty form of the day: another one, and the batch is made again', async () => {
  for (const form of [{ treatyFormTo: day('2026-06-30') }, { treatyFormRate: 500 }]) {
    expect(await exportedAfter(tx => set(tx, 8n, form)), JSON.stringify(form)).toEqual({
      found: [['transfer/withholding-changed', expect.any(String)]],
      exported: ['scheduled', 'transfer/withholding-changed'],
      again: AGAIN,
    })
  }
  // A treaty form that covers the day exactly, and no other.
  expect(await exportedAfter(tx => set(tx, 8n, { treatyFormTo: day('2026-07-31') }))).toMatchObject({
    found: [],
    exported: 'exported',
  })
})

test('a file that was written is the same once more, whatever became known since', async () => {
  const undone = new Error('undone')
  await inBooks(async tx => {
    const excludedPaymentIds = [
      (
        await tx
          .selectFrom('monthlyPayments')
          .select('id')
          .where('agreementId', '=', 5n)
          .where('month', '=', 202606)
          .executeTakeFirstOrThrow()
      ).id,
    ]
    const { id } = accepted(await createTransferBatch(tx, actor, request({ excludedPaymentIds }), undefined))
    const first = accepted(await exportTransferBatch(tx, actor, id))
    await set(tx, 4n, { freelanceCoverage: 'covered' })
    expect(accepted(await exportTransferBatch(tx, actor, id))).toEqual({ ...first, isFirst: false })
    expect(await batchFindings(tx, id), 'nobody can change it').toEqual([])
    throw undone
  }).catch(error => {
    if (error !== undone) throw error
  })
})
