import { createHash } from 'node:crypto'
import { toJisX0201 } from '@pc/domain/bank/half-width-kana.ts'
import {
  writeZenginFile,
  type ZenginAccountType,
  type ZenginFile,
  type ZenginOptions,
  type ZenginRefusal,
} from '@pc/domain/bank/zengin-record.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { PlannedTransfer } from '@pc/domain/transfer/transfer.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { TransferSource } from './transfer-settings.ts'

/** What a record of the file is written from. The transfer and its records store all of it. */
export interface FileRecord {
  readonly id: bigint
  /** Counts from 1 in a transfer with several records; 0: the transfer has one record only. */
  readonly number: number
  readonly bankCode: string
  readonly bankKana: string
  readonly branchCode: string
  readonly branchKana: string
  readonly accountType: string
  readonly accountNumber: string
  readonly holder: string
  readonly amountYen: bigint
}

/** The records of a transfer as it is planned. */
export function recordsToWrite(
  transfer: Omit<FileRecord, 'number' | 'amountYen'> &
    Pick<PlannedTransfer, 'transferAmountYen'> &
    Partial<Pick<PlannedTransfer, 'records'>>,
): readonly FileRecord[] {
  const { records = [], transferAmountYen } = transfer
  if (records.length < 2) return [{ ...transfer, number: 0, amountYen: transferAmountYen }]
  return records.map(({ amountYen }, index) => ({ ...transfer, number: index + 1, amountYen }))
}

export interface BankFile {
  readonly bytes: Uint8Array
  readonly sha256: string
}

const ACCOUNT_TYPES: Readonly<Record<string, ZenginAccountType>> = { ordinary: '1', current: '2', savings: '4' }

/** The stored batch in the domain's form of a bank file, with the options of the source bank. */
export function zenginFileOf(
  source: TransferSource,
  transferOn: Day,
  records: readonly FileRecord[],
): [ZenginFile, ZenginOptions] {
  const file: ZenginFile = {
    client: { ...source, accountType: ACCOUNT_TYPES[source.accountType] ?? '9' },
    transferOn,
    transfers: records.map(record => ({
      bankCode: record.bankCode,
      bankName: record.bankKana,
      branchCode: record.branchCode,
      branchName: record.branchKana,
      accountType: ACCOUNT_TYPES[record.accountType] ?? '9',
      accountNumber: record.accountNumber,
      holder: record.holder,
      amountYen: record.amountYen,
      transferNumber: record.id,
      recordNumber: record.number,
    })),
  }
  return [file, { withLineBreaks: source.hasLineBreaks, extraAllowed: source.extraCharacters }]
}

export interface StoredBatch {
  readonly id: bigint
  readonly transferOn: Day
  readonly source: TransferSource
  readonly fileSha256: string | null
  readonly records: readonly StoredRecord[]
}

export interface StoredRecord extends FileRecord {
  readonly state: TransferState
  readonly partnerName: string
  readonly bankName: string
  readonly branchName: string
}

/** A batch of a bank file with its records as they are kept, in the order of the file; undefined: there is none. */
export async function readBatch(tx: Transaction, id: bigint): Promise<StoredBatch | undefined> {
  const row = await tx
    .selectFrom('transferBatches')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'bank_file')
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id,
    transferOn: row.transferOn as Day,
    fileSha256: row.fileSha256,
    records: await readRecords(tx, id),
    source: {
      clientCode: row.clientCode!,
      clientName: row.clientName!,
      bankCode: row.bankCode!,
      bankName: row.bankName!,
      branchCode: row.branchCode!,
      branchName: row.branchName!,
      accountType: row.accountType as TransferSource['accountType'],
      accountNumber: row.accountNumber!,
      hasLineBreaks: row.hasLineBreaks,
      extraCharacters: row.extraCharacters,
      transferLimitYen: row.transferLimitYen,
    },
  }
}

async function readRecords(tx: Transaction, batchId: bigint): Promise<readonly StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select t.id, r.number, r.amount_yen, r.state, t.bank_code, t.bank_name, t.bank_kana, t.branch_code, t.branch_name,
      t.branch_kana, t.account_type, t.account_number, t.holder, t.partner_name
    from (
      select id as transfer_id, 0 as number, transfer_amount_yen as amount_yen, state from transfers
      where batch_id = ${batchId} and record_count = 1
      union all
      select transfer_id, number, amount_yen, state from transfer_records where batch_id = ${batchId}) r
    join transfers t on t.id = r.transfer_id
    order by t.id, r.number`.execute(tx)
  return rows
}

/** Writes the file from the stored batch alone, so that a repeated download has the same bytes and hash. */
export function writeBankFile(batch: StoredBatch): Result<BankFile, ZenginRefusal> {
  const text = writeZenginFile(...zenginFileOf(batch.source, batch.transferOn, batch.records))
  if (!text.ok) return text
  const bytes = toJisX0201(text.value)
  return ok({ bytes, sha256: createHash('sha256').update(bytes).digest('hex') })
}
