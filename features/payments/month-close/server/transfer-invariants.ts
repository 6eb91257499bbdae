import type { FeePayer } from '@pc/domain/agreement/agreement-terms.ts'
import { fromJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import { parseZenginFile } from '@pc/domain/bank/zengin-record.ts'
import type { CooperativeSteps } from '@pc/domain/cooperative.ts'
import type { InputTaxTimingOf } from '@pc/domain/journal/close-journal.ts'
import { recordEntries, returnEntry, returnFeeEntry, transferEntry } from '@pc/domain/journal/transfer-journal.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import {
  bankFileViolations,
  journalViolations,
  type TransferWithState,
  transferViolations,
} from '@pc/domain/payment/books-invariants.ts'
import { isActiveTransfer, type PaymentStatus, type TransferState } from '@pc/domain/payment/payment-states.ts'
import { type Violation, ViolationList } from '@pc/domain/settlement/violation.ts'
import type { TransferPart } from '@pc/domain/transfer/transfer.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { type Selectable, sql } from 'kysely'
import { readBatch, writeBankFile } from '../../core/server/bank-file.ts'
import { closeEntrySteps } from '../../core/server/close-entries.ts'
import { readInputTaxTiming } from '../../core/server/input-tax-timing.ts'
import type { MonthKey } from '../../core/server/month-key.ts'
import { readReturns, type TransferReturn } from '../../core/server/return-fees.ts'
import type { StoredMonth } from '../../core/server/stored-month.ts'
import { readRecordsOf, type SplitRecord } from '../../core/server/transfer-record-store.ts'
import { readFeeTaxPercent } from '../../core/server/transfer-settings.ts'

/** What a month's payments led to: transfers, their bank files, and what the journal is written from. */
export interface Outputs {
  readonly transfers: readonly CheckedTransfer[]
  readonly payments: readonly SentPayment[]
  readonly batches: readonly NonNullable<Awaited<ReturnType<typeof readBatch>>>[]
  readonly timingOf: InputTaxTimingOf
  /** The tax rate of bank fees, for each day on which a transfer was paid or returned. */
  readonly feeTaxPercents: ReadonlyMap<Day, number>
  readonly statements: readonly { readonly totalYen: bigint }[]
}

export async function readOutputs(tx: Transaction, key: MonthKey): Promise<Outputs> {
  const transfers = await readTransfersOf(tx, key)
  const batches: Outputs['batches'][number][] = []
  const batchIds = transfers.flatMap(each => [each.batchId, ...each.bookedRecords.map(record => record.batchId)])
  for (const batchId of new Set(batchIds)) {
    const batch = await readBatch(tx, batchId)
    if (batch) batches.push(batch)
  }
  const feeTaxPercents = new Map<Day, number>()
  const days = transfers.flatMap(each => [
    ...[each, ...each.bookedRecords].flatMap(of => [of.paidOn, of.returnedOn]),
    ...each.returns.map(of => of.chargedOn),
  ])
  for (const on of days) {
    if (on !== null && !feeTaxPercents.has(on)) feeTaxPercents.set(on, await readFeeTaxPercent(tx, on))
  }
  return {
    transfers,
    payments: await readSentPayments(tx, key),
    batches,
    timingOf: await readInputTaxTiming(tx),
    feeTaxPercents,
    statements: await readStatementTotals(tx, key),
  }
}

/** I19 and I20 of a month: its transfers, their bank files, and what goes to the journal. */
export function* outputSteps(
  outputs: Outputs,
  { month }: MonthKey,
  stored: Pick<StoredMonth, 'input' | 'settled'>,
): CooperativeSteps<readonly Violation[]> {
  const found = [...sentViolations(outputs), ...fileViolations(outputs)]
  yield
  return [...found, ...(yield* bookedSteps(outputs, month, stored))]
}

interface CheckedTransfer extends TransferWithState {
  readonly parts: readonly (TransferPart & { readonly isLive: boolean })[]
  readonly batchId: bigint
  readonly partnerName: string
  readonly paidOn: Day | null
  readonly returnedOn: Day | null
  /** The records of a transfer with several; empty: it has one record, which is the transfer itself. */
  readonly bookedRecords: readonly SplitRecord[]
  readonly returns: readonly TransferReturn[]
}

/** Every transfer that pays something of the month, with all of its parts. */
async function readTransfersOf(tx: Transaction, key: MonthKey): Promise<readonly CheckedTransfer[]> {
  const touching = tx
    .selectFrom('transferPayments as x')
    .innerJoin('monthlyPayments as p', 'p.id', 'x.monthlyPaymentId')
    .select('x.transferId')
    .where('p.mediumId', '=', key.mediumId)
    .where('p.month', '=', key.month)
  const rows = await tx.selectFrom('transfers').selectAll().where('id', 'in', touching).orderBy('id').execute()
  if (rows.length === 0) return []
  const parts = await tx
    .selectFrom('transferPayments')
    .selectAll()
    .where('transferId', 'in', touching)
    .orderBy('monthlyPaymentId')
    .execute()
  const partsOf = Map.groupBy(parts, part => part.transferId)
  const ids = rows.map(row => row.id)
  const recordsOf = await readRecordsOf(tx, ids)
  const returnsOf = await readReturns(tx, ids)
  return rows.map(row => ({
    ...row,
    ...recordsIn(row, recordsOf.get(row.id) ?? []),
    transferId: row.id,
    dueOn: row.dueOn as Day,
    feePaidBy: row.feePaidBy as FeePayer,
    payeeKind: row.payeeKind as CheckedTransfer['payeeKind'],
    payeeResidence: row.payeeResidence as CheckedTransfer['payeeResidence'],
    state: row.state as TransferState,
    paidOn: row.paidOn as Day | null,
    returnedOn: row.returnedOn as Day | null,
    returns: returnsOf.get(row.id) ?? [],
    parts: partsOf.get(row.id) ?? [],
  }))
}

function recordsIn(
  { recordCount, transferAmountYen: amountYen, feeYen }: Selectable<Tables['transfers']>,
  records: readonly SplitRecord[],
): Pick<CheckedTransfer, 'records' | 'recordStates' | 'bookedRecords'> {
  if (recordCount === 1 && records.length === 0) return { records: [{ amountYen, feeYen }], bookedRecords: [] }
  const first = records.filter(record => record.replaces === null)
  // A missing record needs no check of its own: the sums then differ.
  return { records: first.slice(0, recordCount), recordStates: records, bookedRecords: records }
}

interface SentPayment {
  readonly id: bigint
  readonly paymentStatus: PaymentStatus
  readonly paymentIncludingTaxYen: bigint
  readonly organizationId: bigint
  readonly liveTransfers: bigint
}

/** The final payments of the month, and those that are paid together with them. */
async function readSentPayments(tx: Transaction, { mediumId, month }: MonthKey): Promise<readonly SentPayment[]> {
  const { rows } = await sql<SentPayment>`
    select p.id, p.payment_status, p.payment_including_tax_yen, p.organization_id,
      (select count(*) from transfer_payments x where x.monthly_payment_id = p.id and x.is_live) as live_transfers
    from monthly_payments p
    where p.has_been_finalized and (p.medium_id = ${mediumId} and p.month = ${month} or p.id in (
      select y.monthly_payment_id from transfer_payments y where y.transfer_id in (
        select z.transfer_id from transfer_payments z join monthly_payments q on q.id = z.monthly_payment_id
        where q.medium_id = ${mediumId} and q.month = ${month})))
    order by p.id`.execute(tx)
  return rows
}

/** I19: amounts, one active transfer for each payment that is on its way, and both in matching states. */
function sentViolations({ transfers, payments }: Outputs): readonly Violation[] {
  const isSent = (status: PaymentStatus) => status === 'exported' || status === 'paid'
  const expected = payments.filter(
    each => isSent(each.paymentStatus) || (each.paymentStatus === 'scheduled' && each.liveTransfers > 0n),
  )
  const list = new ViolationList()
  const byId = new Map(payments.map(each => [each.id, each]))
  for (const transfer of transfers) {
    for (const part of transfer.parts) {
      const payment = byId.get(part.monthlyPaymentId)
      const row = `振込 ${transfer.transferId} / 支払 ${part.monthlyPaymentId}`
      list.expectEqual('I19', row, '税込支払額', part.paymentIncludingTaxYen, payment?.paymentIncludingTaxYen ?? 0n)
      list.expect('I19', row, part.isLive === isActiveTransfer(transfer.state), '振込の状態と明細が一致しません。')
      if (!isActiveTransfer(transfer.state)) continue
      const status = transfer.state === 'planned' ? 'scheduled' : transfer.state
      list.expect('I19', row, payment?.paymentStatus === status, '振込と支払の状態が一致しません。')
    }
  }
  return [
    ...list.violations,
    ...transferViolations(
      transfers,
      expected.map(each => each.id),
    ),
  ]
}

/** I19 for bank files: writing an exported file again gives the same amounts and the same hash. */
function fileViolations({ batches }: Outputs): readonly Violation[] {
  const list = new ViolationList()
  const found: Violation[] = []
  for (const batch of batches) {
    if (batch.fileSha256 === null) continue
    const row = `振込データ ${batch.id}`
    const written = writeBankFile(batch)
    const isSame = written.ok && written.value.sha256 === batch.fileSha256
    list.expect('I19', row, isSame, '出力した振込データと同じ内容になりません。')
    const file = written.ok ? parseZenginFile(fromJisX0201(written.value.bytes) ?? '') : written
    if (!file.ok) continue
    const { count, totalYen, transfers: records } = file.value
    const amountsYen = records.map(record => record.amountYen)
    found.push(...bankFileViolations({ count, totalYen, amountsYen }, batch.records))
  }
  return [...list.violations, ...found]
}

/** I20: entries balance, and the payables equal the statements of the month. */
function* bookedSteps(
  { transfers, timingOf, feeTaxPercents, statements }: Outputs,
  month: YearMonth,
  stored: Pick<StoredMonth, 'input' | 'settled'>,
): CooperativeSteps<readonly Violation[]> {
  const entries = [...(yield* closeEntrySteps(stored, lastDayOf(month), timingOf))]
  for (const transfer of transfers) {
    for (const { recordNumber, feeYen, chargedOn } of transfer.returns) {
      const entry = returnFeeEntry({ ...transfer, recordNumber }, feeYen, chargedOn, feeTaxPercents.get(chargedOn)!)
      if (entry) entries.push(entry)
    }
    if (transfer.paidOn === null) continue
    if (transfer.recordStates) {
      entries.push(...recordEntries(transfer, transfer.bookedRecords, on => feeTaxPercents.get(on)!))
      continue
    }
    const percent = feeTaxPercents.get(transfer.paidOn)!
    entries.push(transferEntry(transfer, transfer.paidOn, percent))
    if (transfer.returnedOn !== null) entries.push(returnEntry(transfer, transfer.returnedOn, percent))
  }
  yield
  return journalViolations(entries, statements)
}

async function readStatementTotals(tx: Transaction, { mediumId, month }: MonthKey): Promise<Outputs['statements']> {
  const { rows } = await sql<{ totalYen: bigint }>`
    select sum(amount_yen + tax_yen)::bigint as total_yen from monthly_tax_lines
    where medium_id = ${mediumId} and month = ${month} group by monthly_payment_id`.execute(tx)
  return rows
}
