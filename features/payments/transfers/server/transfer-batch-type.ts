import type { Day } from '@pc/domain/month/day.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import { today } from '@pc/platform/clock.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readPage } from '@pc/platform/graphql/list-arguments.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { readUsualReturnFee } from '../../core/server/return-fees.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { batchFindings, type TransferFinding } from './transfer-law.ts'
import { STAFF } from './transfer-rights.ts'
import { type BatchRow, listTransfers, type TransferRow } from './transfer-store.ts'

/**
 * Findings, fees and transfers are read as {@link SYSTEM}: only staff reach a batch, and staff see every row.
 */
export function batchType(
  graph: Graph,
  { database, clock }: TransferFieldDependencies,
  Transfer: ObjectTypeRef<TransferRow>,
) {
  const TransferList = transferListType(graph, Transfer)
  const Finding = graph.objectRef<TransferFinding>('TransferFinding').implement({
    on: STAFF,
    description:
      'What the law, or a branch that is gone, has against a payment of a batch whose file is still to be written.',
    fields: t => ({
      code: t.string({ resolve: row => row.refusal.code }),
      message: t.string({ resolve: row => refusalMessageJa(row.refusal) }),
      monthlyPaymentIds: t.idList({ resolve: row => row.paymentIds.map(String) }),
    }),
  })
  const Kind = graph.enumType('TransferBatchKind', { values: ['bank_file', 'by_hand'] as const })
  return graph.objectRef<BatchRow>('TransferBatch').implement({
    on: STAFF,
    description: 'The transfers of one bank file, or of payments that were recorded without one.',
    fields: t => ({
      id: t.expose('id', { type: 'ID' }),
      kind: t.field({ type: Kind, resolve: row => row.kind }),
      transferOn: t.field({ type: 'Date', resolve: row => row.transferOn as Day }),
      dueOn: t.field({ type: 'Date', resolve: row => row.dueOn as Day }),
      notes: t.exposeString('notes'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      createdByEmail: t.exposeString('createdByEmail', { nullable: true }),
      exportedAt: t.expose('exportedAt', { type: 'DateTime', nullable: true }),
      fileSha256: t.exposeString('fileSha256', { nullable: true }),
      transferLimit: t.expose('transferLimitYen', {
        type: 'Long',
        description: 'The most that one record may hold, as it was when the batch was made.',
      }),
      splitRecordCount: t.int({
        description: 'Records of transfers that have several.',
        resolve: row => Number(row.splitRecords),
      }),
      sentAgainCount: t.int({
        description: 'Records in place of others that came back; their transfers belong to an earlier batch.',
        resolve: row => Number(row.sentAgain),
      }),
      sentAgainPlannedCount: t.int({
        description: 'Of them, those that are not exported.',
        resolve: row => Number(row.sentAgainPlanned),
      }),
      sentAgainAmount: t.expose('sentAgainYen', { type: 'Long', description: 'What they send.' }),
      sentAgainFee: t.expose('sentAgainFeeYen', { type: 'Long', description: 'What the bank charges for them.' }),
      partlyReturnedCount: t.int({
        description: 'Transfers of which a part came back and was not sent again.',
        resolve: row => Number(row.partlyReturned),
      }),
      transferCount: t.int({ resolve: row => Number(row.transfers) }),
      paymentCount: t.int({ resolve: row => Number(row.payments) }),
      plannedCount: t.int({ resolve: row => Number(row.planned) }),
      exportedCount: t.int({ resolve: row => Number(row.exported) }),
      paidCount: t.int({ resolve: row => Number(row.paid) }),
      returnedCount: t.int({ resolve: row => Number(row.returned) }),
      cancelledCount: t.int({ resolve: row => Number(row.cancelled) }),
      recallRequestCount: t.int({
        description: 'Transfers at the bank that one person wants to take back, and another one has to decide on.',
        resolve: row => Number(row.recallsRequested),
      }),
      recalledPaymentRequestCount: t.int({
        description: 'Recalled transfers that the bank paid, as one person says and another one has to confirm.',
        resolve: row => Number(row.recalledPaymentsRequested),
      }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      withholding: t.expose('withholdingYen', { type: 'Long' }),
      fee: t.expose('feeYen', { type: 'Long' }),
      feeBorneByPayee: t.expose('feeBorneByPayeeYen', { type: 'Long' }),
      transferAmount: t.expose('transferAmountYen', { type: 'Long' }),
      findings: t.field({
        type: [Finding],
        description:
          'By what is known of the payees now. `transfer/late-by-law` refuses the export unless `isLateAcknowledged`, `transfer/fee-of-unknown` and `transfer/payment-stopped` are reported, any other refuses it: the batch is cancelled and made again.',
        resolve: row => database.inScope(SYSTEM, async tx => [...(await batchFindings(tx, row.id))]),
      }),
      usualReturnFee: t.field({
        type: 'Long',
        description: 'What the bank usually charges for a transfer that comes back today, in yen; 0: not known.',
        resolve: () => database.inScope(SYSTEM, tx => readUsualReturnFee(tx, today(clock))),
      }),
      transfers: t.field({
        type: TransferList,
        args: { limit: t.arg.int({ required: true }), offset: t.arg.int({ required: true }) },
        resolve: (row, args) => database.inScope(SYSTEM, tx => listTransfers(tx, row.id, readPage(args))),
      }),
    }),
  })
}

function transferListType(graph: Graph, Transfer: ObjectTypeRef<TransferRow>) {
  return graph.objectRef<{ readonly total: number; readonly nodes: readonly TransferRow[] }>('TransferList').implement({
    on: STAFF,
    fields: t => ({
      total: t.exposeInt('total'),
      nodes: t.field({ type: [Transfer], resolve: list => [...list.nodes] }),
    }),
  })
}
