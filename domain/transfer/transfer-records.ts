import { MAX_AMOUNT_YEN } from '../bank/zengin-record.ts'

/** Bounds of the setting for the largest amount of one record (振込限度額 of the bank). */
export const MIN_TRANSFER_LIMIT_YEN = 1_000_000n
export const MAX_TRANSFER_LIMIT_YEN = MAX_AMOUNT_YEN
/** If a payee needs more records, the limit is wrong. */
export const MAX_RECORDS = 999

/** One record of the bank file. Most transfers have one; above the bank's limit a transfer has several. */
export interface TransferRecord {
  readonly amountYen: bigint
  /** The bank's whole fee for the record, no matter who bears it. */
  readonly feeYen: bigint
}

/** Records that an amount takes when one record carries at most `limitYen`: rounded up, and 0 for 0 yen. */
export function countRecords(amountYen: bigint, limitYen: bigint): bigint {
  return (amountYen + limitYen - 1n) / limitYen
}

/** The amount split into as few amounts as possible: full ones first, the rest last. They sum to it, and none is 0. */
export function splitAmount(amountYen: bigint, limitYen: bigint): readonly bigint[] {
  const count = Number(countRecords(amountYen, limitYen))
  return Array.from({ length: count }, (_, index) =>
    index < count - 1 ? limitYen : amountYen - limitYen * BigInt(count - 1),
  )
}

/** The name of a record in bank files, tables and on screens. Number 0: the transfer has one record only. */
export function recordName(transferId: bigint, number: number): string {
  return number === 0 ? `${transferId}` : `${transferId}-${number}`
}

/** Whether a record sends a returned one again. A cancelled record sends nothing. */
export function isResend<R extends { readonly replaces: number | null; readonly state: string }>(
  record: R,
): record is R & { readonly replaces: number } {
  return record.replaces !== null && record.state !== 'cancelled'
}

/** The numbers of the records of one transfer that were sent again. */
export function resentNumbers(
  records: readonly { readonly replaces: number | null; readonly state: string }[],
): ReadonlySet<number> {
  return new Set(records.filter(isResend).map(record => record.replaces))
}
