import { sumBy } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { TRANSFER_STATE_LABELS, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { refusalMessageJa } from '@pc/domain/refusal-messages.ja.ts'
import type { HoldReason } from '@pc/domain/settlement/settlement-result.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph, ObjectTypeRef } from '@pc/platform/graphql/graph.ts'
import { readId, readPage } from '@pc/platform/graphql/list-arguments.ts'
import { writeMonth } from '@pc/platform/graphql/month-argument.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { readUsualReturnFee, type TransferReturn } from '../../core/server/return-fees.ts'
import type { SplitRecord } from '../../core/server/transfer-record-store.ts'
import { batchFindings, type TransferFinding } from './transfer-law.ts'
import { transferRecallType } from './transfer-recall-type.ts'
import { STAFF } from './transfer-rights.ts'
import {
  type BatchRow,
  listBatches,
  listTransfers,
  type PayableDay,
  payableDays,
  type TransferPaymentRow,
  type TransferRow,
  type UnpaidReason,
  unpaidReasons,
} from './transfer-store.ts'

export interface TransferFieldDependencies {
  readonly database: Database
  readonly clock: Clock
}

export type TransferTypes = ReturnType<typeof transferTypes>

/**
 * The types of batches and transfers. Their fields read as SYSTEM: only staff, who see every row, can reach a batch, as
 * every query that returns one needs the right {@link STAFF}.
 */
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
  const TransferList = transferListType(graph, Transfer)
  const Batch = batchType(graph, dependencies, TransferList)
  return { State, Transfer, Batch, Recall }
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

function batchType(
  graph: Graph,
  { database, clock }: TransferFieldDependencies,
  TransferList: ReturnType<typeof transferListType>,
) {
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

/** What there is to send and what was sent. */
export function addTransferFields(
  graph: Graph,
  { Batch }: TransferTypes,
  dependencies: TransferFieldDependencies,
): void {
  const { database, clock } = dependencies
  const BatchList = graph
    .objectRef<{ readonly total: number; readonly nodes: readonly BatchRow[] }>('TransferBatchList')
    .implement({
      on: STAFF,
      fields: t => ({
        total: t.exposeInt('total'),
        nodes: t.field({ type: [Batch], resolve: list => [...list.nodes] }),
      }),
    })
  graph.queryField('transferBatches', t =>
    field(t, {
      type: BatchList,
      args: {
        limit: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        hasRecallToDecide: t.arg.boolean({ description: 'Only those with a recall that waits for a second person.' }),
      },
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, args, _context, permit) => {
        const filter = { isToDecide: args.hasRecallToDecide ?? false }
        return database.inScope(permit.scope, tx => listBatches(tx, today(clock), readPage(args), filter))
      },
    }),
  )
  graph.queryField('transferBatch', t =>
    field(t, {
      type: Batch,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, args, _context, permit) =>
        database.inScope(permit.scope, async tx => (await readBatchRow(tx, clock, readId(args.id, ['id']))) ?? null),
    }),
  )
  addPayable(graph, database, clock)
}

export async function readBatchRow(tx: Transaction, clock: Clock, id: bigint): Promise<BatchRow | undefined> {
  return (await listBatches(tx, today(clock), { limit: 1, offset: 0 }, { id })).nodes[0]
}

/** Why a balance is held or carried over, in words for staff. */
export const HOLD_TEXTS: Readonly<Record<HoldReason['code'], string>> = {
  NON_POSITIVE_BALANCE: '残高が0円以下',
  NON_POSITIVE_TOTAL: '消費税を含めた合計が0円以下',
  PAYMENT_DISABLED: '支払停止中',
  NO_BANK_ACCOUNT: '使用する口座が未登録',
  BELOW_THRESHOLD: '支払下限額に満たない',
}

function addPayable(graph: Graph, database: Database, clock: Clock): void {
  const PayableDayType = graph.objectRef<PayableDay>('PayableDay').implement({
    on: STAFF,
    description: 'Finalised payments of one due day that no transfer sends yet.',
    fields: t => ({
      dueOn: t.field({ type: 'Date', resolve: row => row.dueOn }),
      transferOn: t.field({
        type: 'Date',
        description: 'The first day on which the bank could still move the money.',
        resolve: row => row.transferOn,
      }),
      isLate: t.exposeBoolean('isLate'),
      paymentCount: t.exposeInt('payments'),
      returnedPaymentCount: t.exposeInt('returnedPayments'),
      paymentIncludingTax: t.expose('paymentIncludingTaxYen', { type: 'Long' }),
    }),
  })
  const UnpaidReasonType = graph.objectRef<UnpaidReason>('UnpaidReason').implement({
    on: STAFF,
    description: 'Rows of the latest finalised month of each medium that carry a balance on instead of being paid.',
    fields: t => ({
      reason: t.exposeString('reason'),
      text: t.string({ resolve: row => HOLD_TEXTS[row.reason] }),
      paymentCount: t.int({ resolve: row => Number(row.payments) }),
      carriedOverToNext: t.expose('carriedYen', { type: 'Long' }),
    }),
  })
  graph.queryField('payableDays', t =>
    field(t, {
      type: [PayableDayType],
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, async tx => [...(await payableDays(tx, clock))]),
    }),
  )
  graph.queryField('unpaidReasons', t =>
    field(t, {
      type: [UnpaidReasonType],
      allow: 'read:list',
      on: STAFF,
      resolve: (_parent, _args, _context, permit) =>
        database.inScope(permit.scope, async tx => [...(await unpaidReasons(tx))]),
    }),
  )
}
