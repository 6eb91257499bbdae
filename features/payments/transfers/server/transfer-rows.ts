import type { Day } from '@pc/domain/month/day.ts'
import type { PlannedTransfer } from '@pc/domain/transfer/transfer.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** A payee's account as a transfer stores it. */
export interface PayeeAccount {
  readonly bankAccountId: bigint
  readonly organizationId: bigint
  readonly bankCode: string
  readonly bankName: string
  readonly bankKana: string
  readonly branchCode: string
  readonly branchName: string
  readonly branchKana: string
  readonly accountType: string
  readonly accountNumber: string
  readonly holder: string
}

export interface NewTransfer extends Omit<PlannedTransfer, 'bankAccountId' | 'records'> {
  /** The records of the bank file; absent for a transfer without a file. */
  readonly records?: PlannedTransfer['records']
  readonly account: PayeeAccount
  readonly organizationId: bigint
  readonly partnerName: string
}

/** Rows per insert; their values are parameters, of which PostgreSQL allows 65,535. */
const CHUNK = 1_000
const IDS = 10_000

/** Accounts by their id, with the names of banks and branches as the master has them now. */
export async function readPayeeAccounts(
  tx: Transaction,
  givenIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, PayeeAccount>> {
  const ids = [...new Set(givenIds)]
  const accounts = new Map<bigint, PayeeAccount>()
  for (let start = 0; start < ids.length; start += IDS) {
    const rows = await tx
      .selectFrom('bankAccounts as a')
      .innerJoin('banks as b', 'b.id', 'a.bankId')
      .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
      .select(['a.id as bankAccountId', 'a.organizationId', 'a.typeName as accountType', 'a.number as accountNumber'])
      .select(['a.holder', 'b.code as bankCode', 'b.name as bankName', 'b.kana as bankKana'])
      .select(['r.code as branchCode', 'r.name as branchName', 'r.kana as branchKana'])
      .where('a.id', 'in', ids.slice(start, start + IDS))
      .execute()
    for (const row of rows) accounts.set(row.bankAccountId, row)
  }
  return accounts
}

/** The accounts whose bank or branch is no longer in the bank master. The bank would return money sent there. */
export async function readVanishedAccounts(tx: Transaction, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const rows = await tx
    .selectFrom('bankAccounts as a')
    .innerJoin('banks as b', 'b.id', 'a.bankId')
    .innerJoin('bankBranches as r', 'r.id', 'a.bankBranchId')
    .select('a.id')
    .where(eb => eb.or([eb('b.isGone', '=', true), eb('r.isGone', '=', true)]))
    .execute()
  const wanted = new Set(ids)
  return new Set(rows.map(row => row.id).filter(id => wanted.has(id)))
}

/**
 * Planned transfers of a batch, and transfers whose records it sends again, that cannot arrive because the payee's bank
 * or branch no longer exists.
 */
export async function readVanishedTransfers(tx: Transaction, batchId: bigint) {
  const { rows } = await sql<{ payee: string; bank: string; branch: string; paymentIds: readonly string[] }>`
    select t.partner_name as payee, t.bank_name as bank, t.branch_name as branch,
      (select array_agg(x.monthly_payment_id::text order by x.monthly_payment_id) from transfer_payments x where x.transfer_id = t.id)
        as payment_ids
    from transfers t join bank_accounts a on a.id = t.bank_account_id
    join banks b on b.id = a.bank_id join bank_branches r on r.id = a.bank_branch_id
    where (b.is_gone or r.is_gone) and (t.batch_id = ${batchId} and t.state = 'planned'
      or t.id in (select transfer_id from transfer_records where batch_id = ${batchId} and state = 'planned'))
    order by t.id`.execute(tx)
  return rows.map(({ paymentIds, ...row }) => ({ ...row, paymentIds: paymentIds.map(BigInt) }))
}

/** Writes the transfers of a batch with their parts. */
export async function insertTransfers(
  tx: Transaction,
  clock: Clock,
  batchId: bigint,
  transfers: readonly NewTransfer[],
  paid?: { readonly paidOn: Day; readonly reason: string },
): Promise<void> {
  const updatedAt = new Date(clock.now())
  for (let start = 0; start < transfers.length; start += CHUNK) {
    const chunk = transfers.slice(start, start + CHUNK)
    const inserted = await tx
      .insertInto('transfers')
      .values(
        chunk.map(({ account, parts: _parts, records, ...transfer }) => {
          const { organizationId: _owner, ...kept } = account
          const state = paid ? { state: 'paid', ...paid, settledBy: 'hand' } : { state: 'planned' }
          return { ...transfer, ...kept, ...state, recordCount: records?.length ?? 1, batchId, updatedAt }
        }),
      )
      .returning('id')
      .execute()
    // The ids of one insert ascend in the order of its values, so sorting restores that order.
    const ids = inserted.map(row => row.id).toSorted((a, b) => (a < b ? -1 : 1))
    const parts = chunk.flatMap((transfer, index) => transfer.parts.map(part => ({ ...part, transferId: ids[index]! })))
    // A transfer with one record is its own record.
    const records = chunk.flatMap(({ records: of = [] }, index) =>
      of.length < 2
        ? []
        : of.map((record, place) => ({ ...record, transferId: ids[index]!, number: place + 1, batchId, updatedAt })),
    )
    for (let from = 0; from < records.length; from += CHUNK) {
      await tx
        .insertInto('transferRecords')
        .values(records.slice(from, from + CHUNK))
        .execute()
    }
    for (let from = 0; from < parts.length; from += CHUNK) {
      await tx
        .insertInto('transferPayments')
        .values(parts.slice(from, from + CHUNK))
        .execute()
    }
  }
}
