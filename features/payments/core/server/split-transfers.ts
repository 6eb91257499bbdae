import type { BookedRecord } from '@pc/domain/journal/journal.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { recordName } from '@pc/domain/transfer/transfer-records.ts'
import type { TransferDeskRefusal } from '@pc/domain/transfer/transfer-refusal.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'

export interface SplitRecord extends BookedRecord {
  readonly transferId: bigint
  readonly batchId: bigint
  readonly replaces: number | null
  readonly state: TransferState
  readonly reason: string | null
  readonly transferOn: Day
}

/** The records of transfers that have several, by transfer, in the order of their numbers. */
export async function readRecordsOf(
  tx: Transaction,
  transferIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly SplitRecord[]>> {
  if (transferIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('transferRecords as r')
    .innerJoin('transferBatches as b', 'b.id', 'r.batchId')
    .select(['r.transferId', 'r.number', 'r.batchId', 'r.replaces', 'r.amountYen', 'r.feeYen', 'r.state', 'r.paidOn'])
    .select(['r.returnedOn', 'r.reason', 'b.transferOn'])
    .where('r.transferId', 'in', transferIds)
    .orderBy('r.transferId')
    .orderBy('r.number')
    .execute()
  return Map.groupBy(
    rows.map(row => ({
      ...row,
      state: row.state as TransferState,
      paidOn: row.paidOn as Day | null,
      returnedOn: row.returnedOn as Day | null,
      transferOn: row.transferOn as Day,
    })),
    row => row.transferId,
  )
}

/** Transfers with several records of which the bank moved something in the days, with all of their records. */
export async function readSplitTransfers(tx: Transaction, { from, to }: { readonly from: Day; readonly to: Day }) {
  const rows = await tx
    .selectFrom('transfers as t')
    .select([
      't.id',
      't.partnerName',
      't.paymentIncludingTaxYen',
      't.withholdingYen',
      't.feeYen',
      't.feeBorneByPayeeYen',
    ])
    .select(['t.transferAmountYen', 't.returnedOn'])
    .where('t.recordCount', '>', 1)
    .where(eb =>
      eb.or([
        eb.between('t.returnedOn', from, to),
        eb.exists(
          eb
            .selectFrom('transferRecords as r')
            .select('r.number')
            .whereRef('r.transferId', '=', 't.id')
            .where(of => of.or([of.between('r.paidOn', from, to), of.between('r.returnedOn', from, to)])),
        ),
      ]),
    )
    .orderBy('t.id')
    .execute()
  const records = await readRecordsOf(
    tx,
    rows.map(row => row.id),
  )
  return rows.map(({ id, returnedOn, ...row }) => ({
    ...row,
    transferId: id,
    returnedOn: returnedOn as Day | null,
    records: records.get(id) ?? [],
  }))
}

/** What stands in the way of settling whole transfers: records of theirs that are somewhere else. */
export async function recordsInTheWay(
  tx: Transaction,
  transferIds: readonly bigint[],
  { outcome, on }: { readonly outcome: 'paid' | 'returned'; readonly on: Day },
  now: Day,
): Promise<readonly TransferDeskRefusal[]> {
  if (transferIds.length === 0) return []
  const rows = [...(await readRecordsOf(tx, transferIds)).values()].flat()
  const sentAgain = new Set(
    rows.flatMap(row =>
      row.replaces === null || row.state === 'cancelled' ? [] : [recordName(row.transferId, row.replaces)],
    ),
  )
  return rows.flatMap(({ transferId, number, replaces, state, paidOn, batchId, transferOn }): TransferDeskRefusal[] => {
    const data = { id: recordName(transferId, number) }
    if (outcome === 'paid' && state === 'returned' && !sentAgain.has(data.id)) {
      return [refusal('transfer/record-returned', ['ids'], data)]
    }
    if (replaces === null) {
      const isEarly = outcome === 'returned' && paidOn !== null && state === 'paid' && paidOn > on
      return isEarly ? [refusal('transfer/returned-before-paid', ['on'], { ...data, paidOn })] : []
    }
    if (state === 'planned') return [refusal('transfer/record-planned', ['ids'], { ...data, batchId: `${batchId}` })]
    if (state === 'exported' && transferOn > now)
      return [refusal('transfer/record-not-due', ['on'], { ...data, transferOn })]
    const isEarly = outcome === 'paid' && state === 'exported' && transferOn > on
    return isEarly ? [refusal('transfer/paid-too-early', ['on'], { ...data, transferOn })] : []
  })
}

/** A whole transfer is paid: so are its records that are in that state. Where else it goes, its records follow by trigger. */
export async function payOpenRecords(
  tx: Transaction,
  transferIds: readonly bigint[],
  from: 'exported' | 'returned',
  paid: { readonly paidOn: Day; readonly reason: string; readonly settledBy: string; readonly updatedAt: Date },
): Promise<void> {
  if (transferIds.length === 0) return
  await tx
    .updateTable('transferRecords')
    .set({ state: 'paid', returnedOn: null, ...paid })
    .where('transferId', 'in', transferIds)
    .where('state', '=', from)
    .execute()
}
