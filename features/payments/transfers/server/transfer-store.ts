import { maskedAccountNumber } from '@pc/domain/bank/masked-account-number.ts'
import { nextBusinessDay } from '@pc/domain/month/business-day.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import type { HoldReason } from '@pc/domain/settlement/settlement-result.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { readHolidayCalendar } from '../../core/server/holiday-calendar.ts'
import { readReturns, type TransferReturn } from '../../core/server/return-fees.ts'
import { isResentInSql, readRecordsOf, type SplitRecord } from '../../core/server/transfer-record-store.ts'
import { readPayable } from './plan-transfers.ts'
import { isToDecide, readRecalls, type TransferRecall } from './recall-transfers.ts'

export interface BatchRow {
  readonly id: bigint
  readonly kind: 'bank_file' | 'by_hand'
  readonly transferOn: string
  readonly dueOn: string
  readonly notes: string
  readonly createdAt: Date
  readonly createdByEmail: string | null
  readonly exportedAt: Date | null
  readonly fileSha256: string | null
  readonly transferLimitYen: bigint
  readonly transfers: bigint
  /** The number of records of those transfers that have several. */
  readonly splitRecords: bigint
  /** Records that replace others which came back; the three fields below count or sum the same records. */
  readonly sentAgain: bigint
  readonly sentAgainPlanned: bigint
  readonly sentAgainYen: bigint
  readonly sentAgainFeeYen: bigint
  /** Transfers with a returned record that was not sent again. */
  readonly partlyReturned: bigint
  readonly payments: bigint
  readonly planned: bigint
  readonly exported: bigint
  readonly paid: bigint
  readonly returned: bigint
  readonly cancelled: bigint
  /** Undecided recalls of transfers that are at the bank and whose day has not come. */
  readonly recallsRequested: bigint
  /** Undecided requests to record a recalled transfer as paid after all. */
  readonly recalledPaymentsRequested: bigint
  readonly paymentIncludingTaxYen: bigint
  readonly withholdingYen: bigint
  readonly feeYen: bigint
  readonly feeBorneByPayeeYen: bigint
  readonly transferAmountYen: bigint
}

interface BatchFilter {
  readonly id?: bigint
  /** Only batches with a recall that waits for a second person. */
  readonly isToDecide?: boolean
}

/**
 * Batches with counts of what became of their transfers, the latest first. `r` sums the records that are in the batch,
 * also those of other batches' transfers that it sends again; there is one row of it per batch, so `min` picks its value.
 * Tested by `scenarios/transfer-recalls.test.ts`.
 */
export async function listBatches(
  tx: Transaction,
  now: Day,
  { limit, offset }: Page,
  filter: BatchFilter = {},
): Promise<{ readonly total: number; readonly nodes: readonly BatchRow[] }> {
  const hasToDecide = sql`exists (select from transfers t join transfer_recalls r on r.transfer_id = t.id
    where t.batch_id = b.id and ${isToDecide(now)})`
  const condition = sql`${filter.id === undefined ? sql`true` : sql`b.id = ${filter.id}`}
    and ${filter.isToDecide ? hasToDecide : sql`true`}`
  const { rows } = await sql<BatchRow>`
    select b.id, b.kind, b.transfer_on, b.due_on, b.notes, b.created_at, b.exported_at, b.file_sha256,
      b.transfer_limit_yen, u.email as created_by_email, count(t.id) as transfers,
      coalesce(min(r.records), 0) as split_records, coalesce(min(r.sent_again), 0) as sent_again,
      coalesce(min(r.sent_again_planned), 0) as sent_again_planned,
      coalesce(min(r.sent_again_yen), 0)::bigint as sent_again_yen,
      coalesce(min(r.sent_again_fee_yen), 0)::bigint as sent_again_fee_yen,
      count(*) filter (where t.state = 'exported' and t.record_count > 1 and exists (
        select from transfer_records x where x.transfer_id = t.id and x.state = 'returned' and not ${isResentInSql('x')})) as partly_returned,
      count(*) filter (where t.state = 'planned') as planned, count(*) filter (where t.state = 'exported') as exported,
      count(*) filter (where t.state = 'paid') as paid, count(*) filter (where t.state = 'returned') as returned,
      count(*) filter (where t.state = 'cancelled') as cancelled,
      count(*) filter (where exists (select from transfer_recalls r
        where r.transfer_id = t.id and r.purpose = 'return' and ${isToDecide(now)})) as recalls_requested,
      count(*) filter (where exists (select from transfer_recalls r
        where r.transfer_id = t.id and r.purpose = 'pay' and ${isToDecide(now)})) as recalled_payments_requested,
      coalesce(sum((select count(*) from transfer_payments x where x.transfer_id = t.id)), 0)::bigint as payments,
      coalesce(sum(t.payment_including_tax_yen), 0)::bigint as payment_including_tax_yen,
      coalesce(sum(t.withholding_yen), 0)::bigint as withholding_yen,
      coalesce(sum(t.fee_yen), 0)::bigint as fee_yen,
      coalesce(sum(t.fee_borne_by_payee_yen), 0)::bigint as fee_borne_by_payee_yen,
      coalesce(sum(t.transfer_amount_yen), 0)::bigint as transfer_amount_yen
    from (select * from transfer_batches b where ${condition} order by b.id desc limit ${limit} offset ${offset}) b
    left join transfers t on t.batch_id = b.id
    left join lateral (
      select count(*) as records, count(*) filter (where x.replaces is not null) as sent_again,
        count(*) filter (where x.replaces is not null and x.state = 'planned') as sent_again_planned,
        sum(x.amount_yen) filter (where x.replaces is not null) as sent_again_yen,
        sum(x.fee_yen) filter (where x.replaces is not null) as sent_again_fee_yen
      from transfer_records x where x.batch_id = b.id) r on true
    left join users u on u.uid = b.created_by_uid
    group by b.id, b.kind, b.transfer_on, b.due_on, b.notes, b.created_at, b.exported_at, b.file_sha256,
      b.transfer_limit_yen, u.email
    order by b.id desc`.execute(tx)
  const { rows: counted } = await sql<{ total: bigint }>`
    select count(*) as total from transfer_batches b where ${condition}`.execute(tx)
  return { total: Number(counted[0]!.total), nodes: rows }
}

export interface TransferRow {
  readonly id: bigint
  readonly batchId: bigint
  readonly partnerName: string
  readonly bankName: string
  readonly branchName: string
  /** Masked to its last three digits. */
  readonly accountNumber: string
  readonly holder: string
  readonly feePaidBy: string
  readonly paymentIncludingTaxYen: bigint
  readonly withholdingYen: bigint
  readonly feeYen: bigint
  readonly feeBorneByPayeeYen: bigint
  readonly transferAmountYen: bigint
  readonly state: TransferState
  readonly paidOn: string | null
  readonly returnedOn: string | null
  readonly reason: string | null
  /** Every return of the transfer or one of its records, with the bank's fee. */
  readonly returns: readonly TransferReturn[]
  /** The latest recall; null: none. */
  readonly recall: TransferRecall | null
  /** The latest request to record it as paid after it was recalled. */
  readonly recalledPayment: TransferRecall | null
  readonly payments: readonly TransferPaymentRow[]
  /** Empty when the transfer has one record only. */
  readonly records: readonly SplitRecord[]
}

export interface TransferPaymentRow {
  readonly id: bigint
  readonly month: number
  readonly mediumId: bigint
  readonly agreementName: string
  readonly paymentIncludingTaxYen: bigint
}

/** The batch's own transfers, and those of other batches whose records it sends again. */
function isIn(batchId: bigint) {
  return sql<boolean>`(batch_id = ${batchId} or id in (select transfer_id from transfer_records where batch_id = ${batchId}))`
}

export async function listTransfers(
  tx: Transaction,
  batchId: bigint,
  { limit, offset }: Page,
): Promise<{ readonly total: number; readonly nodes: readonly TransferRow[] }> {
  const rows = await tx
    .selectFrom('transfers')
    .select(['id', 'batchId', 'partnerName', 'bankName', 'branchName', 'accountNumber', 'holder', 'feePaidBy'])
    .select(['paymentIncludingTaxYen', 'withholdingYen', 'feeYen', 'feeBorneByPayeeYen', 'transferAmountYen', 'state'])
    .select(['paidOn', 'returnedOn', 'reason'])
    .where(isIn(batchId))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const parts = await tx
    .selectFrom('transferPayments as x')
    .innerJoin('monthlyPayments as p', 'p.id', 'x.monthlyPaymentId')
    .innerJoin('monthlyAgreementSnapshots as s', 's.id', 'p.monthlyAgreementSnapshotId')
    .select(['x.transferId', 'p.id', 'p.month', 'p.mediumId', 's.agreementName', 'x.paymentIncludingTaxYen'])
    // -1, which is no id, keeps the list from being empty: SQL has no `in ()`.
    .where('x.transferId', 'in', [...rows.map(row => row.id), -1n])
    .orderBy('p.id')
    .execute()
  const ids = rows.map(row => row.id)
  const recalls = await readRecalls(tx, ids, 'return')
  const recalledPayments = await readRecalls(tx, ids, 'pay')
  const recordsOf = await readRecordsOf(tx, ids)
  const { total } = await tx
    .selectFrom('transfers')
    .select(eb => eb.fn.countAll<bigint>().as('total'))
    .where(isIn(batchId))
    .executeTakeFirstOrThrow()
  const returnsOf = await readReturns(tx, ids)
  const partsOf = Map.groupBy(parts, part => part.transferId)
  return {
    total: Number(total),
    nodes: rows.map(row => ({
      ...row,
      state: row.state as TransferState,
      accountNumber: maskedAccountNumber(row.accountNumber),
      returns: returnsOf.get(row.id) ?? [],
      recall: recalls.get(row.id) ?? null,
      recalledPayment: recalledPayments.get(row.id) ?? null,
      payments: partsOf.get(row.id) ?? [],
      records: recordsOf.get(row.id) ?? [],
    })),
  }
}

/** The payments of one due day that are still to be sent. */
export interface PayableDay {
  readonly dueOn: Day
  /** The first day on which the bank could still move it. */
  readonly transferOn: Day
  readonly isLate: boolean
  readonly payments: number
  readonly returnedPayments: number
  readonly paymentIncludingTaxYen: bigint
}

/** The payments of finalised months that are still to be sent, by due day. */
export async function payableDays(tx: Transaction, clock: Clock): Promise<readonly PayableDay[]> {
  const now = today(clock)
  const calendar = await readHolidayCalendar(tx)
  const transferOn = (dueOn: Day): Day => {
    const earliest = dueOn > now ? dueOn : now
    try {
      // A due day may have become a holiday since the month was finalised.
      return nextBusinessDay(calendar, earliest)
    } catch {
      return earliest // holidays are not imported: the form says so when it is sent
    }
  }
  const payable = await readPayable(tx, now, {})
  return [...Map.groupBy(payable, each => each.dueOn)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([dueOn, group]) => ({
      dueOn,
      transferOn: transferOn(dueOn),
      isLate: dueOn < now,
      payments: group.length,
      returnedPayments: group.filter(each => each.isReturned).length,
      paymentIncludingTaxYen: group.reduce((sum, each) => sum + each.paymentIncludingTaxYen, 0n),
    }))
}

/** Why balances were not paid in the latest finalised month of each medium, and how much they are. */
export interface UnpaidReason {
  readonly reason: HoldReason['code']
  readonly payments: bigint
  readonly carriedYen: bigint
}

export async function unpaidReasons(tx: Transaction): Promise<readonly UnpaidReason[]> {
  const { rows } = await sql<UnpaidReason>`
    select p.reason_code as reason, count(*) as payments, sum(p.carried_over_to_next_yen)::bigint as carried_yen
    from monthly_payments p
    join (select medium_id, max(month) as month from month_states where state in ('finalized', 'paid') group by medium_id) m
      on m.medium_id = p.medium_id and m.month = p.month
    where p.reason_code is not null and p.carried_over_to_next_yen <> 0
    group by p.reason_code order by p.reason_code`.execute(tx)
  return rows
}

export async function readBatchRow(tx: Transaction, clock: Clock, id: bigint): Promise<BatchRow | undefined> {
  return (await listBatches(tx, today(clock), { limit: 1, offset: 0 }, { id })).nodes[0]
}
