import { sumBy } from '../money/yen.ts'
import { type Day, dayParts } from '../month/day.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'
import { MAX_HOLDER_BYTES } from './account-holder-kana.ts'
import { forbiddenCharacters, toHalfWidthKana } from './half-width-kana.ts'
import {
  DATA_LAYOUT,
  END_LAYOUT,
  HEADER_LAYOUT,
  RECORD_BYTES,
  readRecord,
  TRAILER_LAYOUT,
  writeRecord,
} from './zengin-layout.ts'

/** 1 ordinary, 2 current, 4 savings (payees only), 9 other. */
export type ZenginAccountType = '1' | '2' | '4' | '9'

export interface ZenginBranch {
  readonly bankCode: string
  readonly bankName: string
  readonly branchCode: string
  readonly branchName: string
}

export interface ZenginClient extends ZenginBranch {
  /** The code that the bank gave the platform, up to 10 digits. */
  readonly clientCode: string
  readonly clientName: string
  readonly accountType: ZenginAccountType
  readonly accountNumber: string
}

export interface ZenginTransfer extends ZenginBranch {
  readonly accountType: ZenginAccountType
  readonly accountNumber: string
  /** Half-width kana as `toAccountHolderKana` writes it. */
  readonly holder: string
  readonly amountYen: bigint
  /** Our number of the transfer, written into customer code 1, by which the bank's answer is matched. */
  readonly transferNumber: bigint
  /** From 1, written into customer code 2, in a transfer with several records; 0: the transfer has one record only. */
  readonly recordNumber: number
}

export interface ZenginFile {
  readonly client: ZenginClient
  /** The bank's business day on which the money moves. The file contains month and day only. */
  readonly transferOn: Day
  readonly transfers: readonly ZenginTransfer[]
}

export interface ZenginOptions {
  /** Writes CRLF after each record. */
  readonly withLineBreaks: boolean
  /** Signs that this bank accepts in addition to the common ones. */
  readonly extraAllowed: string
}

export type ZenginRefusal = Refusal<
  | 'bank/file-empty'
  | 'bank/code-wrong'
  | 'bank/account-number-wrong'
  | 'bank/holder-empty'
  | 'bank/holder-character-not-allowed'
  | 'bank/holder-too-long'
  | 'bank/client-name-not-allowed'
  | 'bank/amount-out-of-range'
  | 'bank/transfer-twice'
  | 'bank/total-out-of-range'
>

/** The largest amount of one transfer: ten digits. */
export const MAX_AMOUNT_YEN = 9_999_999_999n
/** The largest sum of a file: twelve digits. */
export const MAX_TOTAL_YEN = 999_999_999_999n
/** The largest number of transfers of a file: six digits. */
const MAX_COUNT = 999_999

/**
 * The file as text in which one character is one byte (`toJisX0201` makes the bytes). A value that does not fit is
 * refused with its transfer. Only names of banks and branches are cut, because they only repeat their codes.
 * Tested by `domain/bank/bank.test.ts`.
 */
export function writeZenginFile(file: ZenginFile, options: ZenginOptions): Result<string, ZenginRefusal> {
  const refusals = [...checkClient(file.client, options), ...checkTransfers(file.transfers, options)]
  if (refusals.length > 0) return refused(...refusals)
  const { month, date } = dayParts(file.transferOn)
  const header = writeRecord(HEADER_LAYOUT, {
    ...branchValues(file.client),
    recordKind: '1',
    fileKind: '21',
    codeKind: '0',
    clientCode: file.client.clientCode,
    clientName: file.client.clientName,
    transferDate: `${String(month).padStart(2, '0')}${String(date).padStart(2, '0')}`,
    accountType: file.client.accountType,
    accountNumber: file.client.accountNumber,
  })
  const data = file.transfers.map(transfer =>
    writeRecord(DATA_LAYOUT, {
      ...branchValues(transfer),
      recordKind: '2',
      clearingHouse: '0000',
      accountType: transfer.accountType,
      accountNumber: transfer.accountNumber,
      holder: transfer.holder,
      amount: transfer.amountYen.toString(),
      newCode: '0',
      customerCode1: transfer.transferNumber.toString(),
      customerCode2: transfer.recordNumber.toString(),
      transferClass: '7',
    }),
  )
  const trailer = writeRecord(TRAILER_LAYOUT, {
    recordKind: '8',
    count: String(file.transfers.length),
    total: sumBy(file.transfers, transfer => transfer.amountYen).toString(),
  })
  const records = [header, ...data, trailer, writeRecord(END_LAYOUT, { recordKind: '9' })]
  return ok(options.withLineBreaks ? records.map(record => `${record}\r\n`).join('') : records.join(''))
}

/**
 * Codes and names of bank and branch. The names only repeat the codes, so long ones are cut and characters that the
 * bank cannot read are left out.
 */
function branchValues(branch: ZenginBranch): Readonly<Record<string, string>> {
  return {
    bankCode: branch.bankCode,
    bankName: branchName(branch.bankName),
    branchCode: branch.branchCode,
    branchName: branchName(branch.branchName),
  }
}

function branchName(name: string): string {
  const half = toHalfWidthKana(name)
  return forbiddenCharacters(half).length > 0 ? '' : half.slice(0, 15).trimEnd()
}

function checkClient(client: ZenginClient, options: ZenginOptions): readonly ZenginRefusal[] {
  const refusals = [...checkAccount(client, ['client'])]
  if (!/^\d{1,10}$/.test(client.clientCode)) refusals.push(refusal('bank/code-wrong', ['client', 'clientCode']))
  const isNameWrong =
    client.clientName.trim() === '' ||
    client.clientName.length > 40 ||
    forbiddenCharacters(client.clientName, options.extraAllowed).length > 0
  if (isNameWrong) refusals.push(refusal('bank/client-name-not-allowed', ['client', 'clientName']))
  if (client.accountType === '4') refusals.push(refusal('bank/code-wrong', ['client', 'accountType']))
  return refusals
}

function checkTransfers(transfers: readonly ZenginTransfer[], options: ZenginOptions): readonly ZenginRefusal[] {
  if (transfers.length === 0) return [refusal('bank/file-empty')]
  const refusals = transfers.flatMap((transfer, index) => checkTransfer(transfer, index, options))
  const numbers = new Set(transfers.map(transfer => `${transfer.transferNumber}-${transfer.recordNumber}`))
  if (numbers.size !== transfers.length) refusals.push(refusal('bank/transfer-twice', ['transfers']))
  const totalYen = sumBy(transfers, transfer => transfer.amountYen)
  if (totalYen > MAX_TOTAL_YEN || transfers.length > MAX_COUNT) {
    refusals.push(refusal('bank/total-out-of-range', ['transfers']))
  }
  return refusals
}

function checkTransfer(transfer: ZenginTransfer, index: number, options: ZenginOptions): ZenginRefusal[] {
  const path = ['transfers', index] as const
  const data = { transferNumber: transfer.transferNumber.toString() }
  const refusals = [...checkAccount(transfer, path)]
  if (transfer.holder.trim() === '') refusals.push(refusal('bank/holder-empty', [...path, 'holder'], data))
  const forbidden = forbiddenCharacters(transfer.holder, options.extraAllowed)
  if (forbidden.length > 0) {
    const characters = forbidden.join('')
    refusals.push(refusal('bank/holder-character-not-allowed', [...path, 'holder'], { ...data, characters }))
  }
  if (transfer.holder.length > MAX_HOLDER_BYTES) {
    const bytes = transfer.holder.length
    refusals.push(refusal('bank/holder-too-long', [...path, 'holder'], { ...data, bytes, limit: MAX_HOLDER_BYTES }))
  }
  if (transfer.amountYen <= 0n || transfer.amountYen > MAX_AMOUNT_YEN) {
    refusals.push(refusal('bank/amount-out-of-range', [...path, 'amountYen'], data))
  }
  if (transfer.transferNumber <= 0n || transfer.transferNumber > MAX_AMOUNT_YEN) {
    refusals.push(refusal('bank/code-wrong', [...path, 'transferNumber'], data))
  }
  return refusals
}

function checkAccount(
  account: ZenginBranch & { readonly accountNumber: string; readonly accountType: string },
  path: readonly (string | number)[],
): ZenginRefusal[] {
  const refusals: ZenginRefusal[] = []
  if (!/^\d{4}$/.test(account.bankCode)) refusals.push(refusal('bank/code-wrong', [...path, 'bankCode']))
  if (!/^\d{3}$/.test(account.branchCode)) refusals.push(refusal('bank/code-wrong', [...path, 'branchCode']))
  if (!['1', '2', '4', '9'].includes(account.accountType)) {
    refusals.push(refusal('bank/code-wrong', [...path, 'accountType']))
  }
  if (!/^\d{1,7}$/.test(account.accountNumber)) {
    refusals.push(refusal('bank/account-number-wrong', [...path, 'accountNumber']))
  }
  return refusals
}

/** A data record as read from a file. */
export interface ReadTransfer extends ZenginTransfer {
  /** The last seven bytes, which the standard leaves empty. */
  readonly reserved: string
}

export interface ReadZenginFile {
  readonly client: ZenginClient
  /** `MMDD`. */
  readonly transferDate: string
  readonly transfers: readonly ReadTransfer[]
  readonly count: number
  readonly totalYen: bigint
}

export type ReadZenginRefusal = Refusal<
  'bank/record-length-wrong' | 'bank/record-order-wrong' | 'bank/record-unreadable' | 'bank/trailer-differs'
>

/** Some transmission programs end a file with this control character. */
const END_OF_FILE = String.fromCharCode(0x1a)

/** Reads a file with or without line breaks. A file whose trailer disagrees with its records is refused. */
export function parseZenginFile(text: string): Result<ReadZenginFile, ReadZenginRefusal> {
  const lines = text.replace(/\r?\n/g, '')
  const flat = lines.endsWith(END_OF_FILE) ? lines.slice(0, -1) : lines
  if (flat.length === 0 || flat.length % RECORD_BYTES !== 0) {
    return refused(refusal('bank/record-length-wrong', [], { bytes: flat.length }))
  }
  const records = Array.from({ length: flat.length / RECORD_BYTES }, (_, index) =>
    flat.slice(index * RECORD_BYTES, (index + 1) * RECORD_BYTES),
  )
  const kinds = records.map(record => record[0]).join('')
  if (!/^12+89$/.test(kinds)) return refused(refusal('bank/record-order-wrong', [], { kinds: kinds.slice(0, 40) }))

  const header = readRecord(HEADER_LAYOUT, records[0]!)
  const trailer = readRecord(TRAILER_LAYOUT, records.at(-2)!)
  const dataRecords = records.slice(1, -2)
  for (const [index, record] of dataRecords.entries()) {
    const data = readRecord(DATA_LAYOUT, record)
    const isReadable =
      /^\d{10}$/.test(data.amount!) && /^[\d ]{10}$/.test(data.customerCode1!) && /^[1249]$/.test(data.accountType!)
    if (!isReadable) return refused(refusal('bank/record-unreadable', [], { record: index + 2 }))
  }
  if (!/^\d{6}$/.test(trailer.count!) || !/^\d{12}$/.test(trailer.total!)) {
    return refused(refusal('bank/record-unreadable', [], { record: records.length - 1 }))
  }
  const transfers = dataRecords.map(readTransfer)
  const count = Number(trailer.count)
  const totalYen = BigInt(trailer.total!)
  if (count !== transfers.length || totalYen !== sumBy(transfers, transfer => transfer.amountYen)) {
    return refused(refusal('bank/trailer-differs', [], { count, total: totalYen.toString() }))
  }
  const client: ZenginClient = {
    ...branchOf(header),
    clientCode: header.clientCode!,
    clientName: header.clientName!,
    accountType: accountTypeOf(header.accountType!),
    accountNumber: header.accountNumber!,
  }
  return ok({ client, transferDate: header.transferDate!, transfers, count, totalYen })
}

function readTransfer(record: string): ReadTransfer {
  const data = readRecord(DATA_LAYOUT, record)
  return {
    ...branchOf(data),
    accountType: accountTypeOf(data.accountType!),
    accountNumber: data.accountNumber!,
    holder: data.holder!,
    amountYen: BigInt(data.amount!),
    transferNumber: BigInt(data.customerCode1!.trim() || '0'),
    // Some banks return spaces where they ignore a field.
    recordNumber: /^\d{10}$/.test(data.customerCode2!) ? Number(data.customerCode2) : 0,
    reserved: data.reserved!,
  }
}

function branchOf(values: Readonly<Record<string, string>>): ZenginBranch {
  return {
    bankCode: values.bankCode!,
    bankName: values.bankName!,
    branchCode: values.branchCode!,
    branchName: values.branchName!,
  }
}

function accountTypeOf(text: string): ZenginAccountType {
  return text === '1' || text === '2' || text === '4' ? text : '9'
}
