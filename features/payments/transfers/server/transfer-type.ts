import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { TRANSFER_STATE_LABELS, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import type { TransferReturn } from '../../core/server/return-fees.ts'
import type { SplitRecord } from '../../core/server/transfer-record-store.ts'
import { batchType } from './transfer-batch-type.ts'
import type { TransferFieldDependencies } from './transfer-dependencies.ts'
import { transferRecallType } from './transfer-recall-type.ts'
import { STAFF } from './transfer-rights.ts'
import type { TransferPaymentRow, TransferRow } from './transfer-store.ts'

/** What the fields about transfers answer with, made once for all of them. */
export function transferTypes(graph: Graph, dependencies: TransferFieldDependencies) {
  const State = graph.enumType('TransferState', { values: Object.keys(TRANSFER_STATE_LABELS) as TransferState[] })
  const Payment = graph.objectRef<TransferPaymentRow>('TransferPayment').implement({
    on: STAFF,
    description: 'A payment that a transfer pays.',
    fields: t => ({
      monthlyPaymentId: t.expose('id', { type: 'ID' }),
      mediumId: t.expose('mediumId', { type: 'ID' }),
      revenueGeneratedAtMonth: t.string({ resolve: row => writeMonth(row.month) }),
      agreementName: t.exposeString('agreementName'),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
    }),
  })
  const Record = graph.objectRef<SplitRecord>('TransferRecord').implement({
    on: STAFF,
    description: 'One of several records of the bank file by which a transfer above the bank’s limit is sent.',
    fields: t => ({
      id: t.id({
        description: 'Transfer and number of the record, as in `settleTransfers`.',
        resolve: row => recordName(row.transferId, row.number),
      }),
      batchId: t.expose('batchId', { type: 'ID', description: 'Of the file that it is in.' }),
      transferOn: t.field({ type: 'Date', resolve: row => row.transferOn }),
      amount: t.expose('amountYen', { type: 'Long' }),
      fee: t.expose('feeYen', { type: 'Long' }),
      state: t.field({ type: State, resolve: row => row.state }),
      stateLabel: t.string({ resolve: row => TRANSFER_STATE_LABELS[row.state] }),
      paidOn: t.field({ type: 'Date', nullable: true, resolve: row => row.paidOn }),
      returnedOn: t.field({ type: 'Date', nullable: true, resolve: row => row.returnedOn }),
      reason: t.exposeString('reason', { nullable: true }),
      replacesId: t.id({
        nullable: true,
        description: 'The record that came back and that this one sends again.',
        resolve: row => (row.replaces === null ? null : recordName(row.transferId, row.replaces)),
      }),
      isSentAgain: t.exposeBoolean('isSentAgain', { description: 'It came back, and another record takes its place.' }),
    }),
  })
  const Return = graph.objectRef<TransferReturn>('TransferReturn').implement({
    on: STAFF,
    description:
      'A transfer, or one of its records, came back. One that the bank paid though it was recalled may do so twice.',
    fields: t => ({
      returnedId: t.id({
        description: 'Of the transfer, or of the record that came back: `123-2`.',
        resolve: row => recordName(row.transferId, row.recordNumber),
      }),
      number: t.exposeInt('returnNumber', { description: 'Which time, from 1.' }),
      on: t.field({ type: 'Date', description: 'The day on which the fee is booked.', resolve: row => row.chargedOn }),
      fee: t.expose('feeYen', { type: 'Long', description: 'What the bank charged, in yen, tax included.' }),
    }),
  })
  const Recall = transferRecallType(graph)
  const Transfer = graph.objectRef<TransferRow>('Transfer').implement({
    on: STAFF,
    description:
      'What one account gets on one day. transferAmount = paymentIncludingTax − withholding − feeBorneByPayee.',
    fields: t => ({
      id: t.expose('id', { type: 'ID', description: 'Also the customer code 1 of the bank file.' }),
      batchId: t.expose('batchId', { type: 'ID' }),
      partnerName: t.exposeString('partnerName'),
      bankName: t.exposeString('bankName'),
      branchName: t.exposeString('branchName'),
      accountNumber: t.exposeString('accountNumber', { description: 'Shortened.' }),
      holder: t.exposeString('holder'),
      isFeeBorneByPayee: t.boolean({ resolve: row => row.feePaidBy === 'publisher' }),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
      withholding: t.expose('withholdingYen', { type: 'Long' }),
      fee: t.expose('feeYen', { type: 'Long', description: 'What the bank charges, no matter who bears it.' }),
      feeBorneByPayee: t.expose('feeBorneByPayeeYen', { type: 'Long' }),
      transferAmount: t.expose('transferAmountYen', { type: 'Long' }),
      state: t.field({ type: State, resolve: row => row.state }),
      stateLabel: t.string({ resolve: row => TRANSFER_STATE_LABELS[row.state] }),
      paidOn: t.field({ type: 'Date', nullable: true, resolve: row => row.paidOn as Day | null }),
      returnedOn: t.field({ type: 'Date', nullable: true, resolve: row => row.returnedOn as Day | null }),
      reason: t.exposeString('reason', { nullable: true }),
      returnFee: t.field({
        type: 'Long',
        description: 'What the bank charged for all `returns`, in yen, tax included. The payer bears it.',
        resolve: row => sumBy(row.returns, each => each.feeYen),
      }),
      returns: t.field({
        type: [Return],
        description: 'Each time that the transfer, or one of its records, came back.',
        resolve: row => [...row.returns],
      }),
      recall: t.field({
        type: Recall,
        nullable: true,
        description: 'The latest request to take the transfer back before its day.',
        resolve: row => row.recall,
      }),
      recalledPayment: t.field({
        type: Recall,
        nullable: true,
        description:
          'The latest request to record the transfer as paid: the bank carried it out though it was recalled.',
        resolve: row => row.recalledPayment,
      }),
      payments: t.field({ type: [Payment], resolve: row => [...row.payments] }),
      records: t.field({
        type: [Record],
        description: 'Of a transfer above the bank’s limit; empty: it is one record.',
        resolve: row => [...row.records],
      }),
      hasReturnedRecord: t.boolean({
        description: 'A part came back and was not sent again: neither paid nor returned.',
        resolve: row =>
          row.state === 'exported' && row.records.some(each => each.state === 'returned' && !each.isSentAgain),
      }),
    }),
  })
  const Batch = batchType(graph, dependencies, Transfer)
  return { State, Transfer, Batch, Recall }
}

export type TransferTypes = ReturnType<typeof transferTypes>
