import type { BookedRecord } from '@pc/domain/journal/transfer-journal.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { refusal } from '@pc/domain/refusal.ts'
import type { TransferActionRefusal } from '@pc/domain/transfer/transfer-action-refusal.ts'
import { recordName, resentNumbers } from '@pc/domain/transfer/transfer-records.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

export interface SplitRecord extends BookedRecord {
  readonly transferId: bigint
  readonly batchId: bigint
  readonly replaces: number | null
  readonly state: TransferState
  readonly reason: string | null
  readonly transferOn: Day
  /** Whether it came back and another record replaces it. */
  readonly isSentAgain: boolean
}

/**
 * Whether a record was sent again, in SQL; {@link resentNumbers} is the same rule in memory.
 * @param record the alias of its row
 */
export function isResentInSql(record: string) {
  const row = sql.raw(record)
  return sql`exists (select from transfer_records n where n.transfer_id = ${row}.transfer_id and n.replaces = ${row}.number
    and n.state <> 'cancelled')`
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
  const ofTransfers = Map.groupBy(rows, row => row.transferId)
  return new Map(
    [...ofTransfers].map(([transferId, records]) => {
      const resent = resentNumbers(records)
      return [
        transferId,
        records.map(row => ({
          ...row,
          state: row.state as TransferState,
          paidOn: row.paidOn as Day | null,
          returnedOn: row.returnedOn as Day | null,
          transferOn: row.transferOn as Day,
          isSentAgain: resent.has(row.number),
        })),
      ]
    }),
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

/** Why a result cannot be recorded for whole transfers: some of their records are in a state that does not allow it. */
export async function recordsInTheWay(
  tx: Transaction,
  transferIds: readonly bigint[],
  { outcome, on }: { readonly outcome: 'paid' | 'returned'; readonly on: Day },
  now: Day,
): Promise<readonly TransferActionRefusal[]> {
  if (transferIds.length === 0) return []
  const rows = [...(await readRecordsOf(tx, transferIds)).values()].flat()
  return rows.flatMap(
    ({ transferId, number, replaces, state, paidOn, batchId, transferOn, isSentAgain }): TransferActionRefusal[] => {
      const data = { id: recordName(transferId, number) }
      if (outcome === 'paid' && state === 'returned' && !isSentAgain) {
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
    },
  )
}

/** Marks the records of paid transfers as paid. For every other state of a transfer, a trigger changes its records. */
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
