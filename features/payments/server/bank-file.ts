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
import { ok, type Result } from '@pc/domain/result.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { TransferSource } from './transfer-settings.ts'

/** What a line of the file is written from; all of it is kept by the transfer itself. */
export interface FileTransfer {
  readonly id: bigint
  readonly bankCode: string
  readonly bankKana: string
  readonly branchCode: string
  readonly branchKana: string
  readonly accountType: string
  readonly accountNumber: string
  readonly holder: string
  readonly transferAmountYen: bigint
}

export interface BankFile {
  readonly bytes: Uint8Array
  readonly sha256: string
}

const ACCOUNT_TYPES: Readonly<Record<string, ZenginAccountType>> = { ordinary: '1', current: '2', savings: '4' }

export function zenginFileOf(
  source: TransferSource,
  transferOn: Day,
  transfers: readonly FileTransfer[],
): [ZenginFile, ZenginOptions] {
  const file: ZenginFile = {
    client: { ...source, accountType: ACCOUNT_TYPES[source.accountType] ?? '9' },
    transferOn,
    transfers: transfers.map(transfer => ({
      bankCode: transfer.bankCode,
      bankName: transfer.bankKana,
      branchCode: transfer.branchCode,
      branchName: transfer.branchKana,
      accountType: ACCOUNT_TYPES[transfer.accountType] ?? '9',
      accountNumber: transfer.accountNumber,
      holder: transfer.holder,
      amountYen: transfer.transferAmountYen,
      transferNumber: transfer.id,
    })),
  }
  return [file, { withLineBreaks: source.hasLineBreaks, extraAllowed: source.extraCharacters }]
}

export interface StoredBatch {
  readonly id: bigint
  readonly transferOn: Day
  readonly source: TransferSource
  readonly fileSha256: string | null
  readonly transfers: readonly (FileTransfer & { readonly state: string })[]
}

/** A batch of a bank file with its transfers as they are kept, in the order of the file; undefined: there is none. */
export async function readBatch(tx: Transaction, id: bigint): Promise<StoredBatch | undefined> {
  const row = await tx
    .selectFrom('transferBatches')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'bank_file')
    .executeTakeFirst()
  if (!row) return undefined
  const transfers = await tx
    .selectFrom('transfers')
    .select(['id', 'bankCode', 'bankKana', 'branchCode', 'branchKana', 'accountType', 'accountNumber', 'holder'])
    .select(['transferAmountYen', 'state'])
    .where('batchId', '=', id)
    .orderBy('id')
    .execute()
  return {
    id,
    transferOn: row.transferOn as Day,
    fileSha256: row.fileSha256,
    transfers,
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
    },
  }
}

/** A pure function of the batch: the same bytes for ever. */
export function writeBankFile(batch: StoredBatch): Result<BankFile, ZenginRefusal> {
  const text = writeZenginFile(...zenginFileOf(batch.source, batch.transferOn, batch.transfers))
  if (!text.ok) return text
  const bytes = toJisX0201(text.value)
  return ok({ bytes, sha256: createHash('sha256').update(bytes).digest('hex') })
}
