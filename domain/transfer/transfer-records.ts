import { MAX_AMOUNT_YEN } from '../bank/zengin-record.ts'

/** The bank's limit for one record (振込限度額) is a setting within these. */
export const MIN_TRANSFER_LIMIT_YEN = 1_000_000n
export const MAX_TRANSFER_LIMIT_YEN = MAX_AMOUNT_YEN
/** More records for one payee are a wrong limit, not a payment. */
export const MAX_RECORDS = 999

/** One record of the bank file. Most transfers have one; above the bank's limit a transfer has several. */
export interface TransferRecord {
  readonly amountYen: bigint
  /** The whole charge of the bank, of payer and payee. */
  readonly feeYen: bigint
}

export function countRecords(amountYen: bigint, limitYen: bigint): bigint {
  return (amountYen + limitYen - 1n) / limitYen
}

/** As few amounts as possible: full ones first, the rest last. They sum to the amount, and none is 0. */
export function splitAmount(amountYen: bigint, limitYen: bigint): readonly bigint[] {
  const count = Number(countRecords(amountYen, limitYen))
  return Array.from({ length: count }, (_, index) =>
    index < count - 1 ? limitYen : amountYen - limitYen * BigInt(count - 1),
  )
}

/** How a record is called in bank files, tables and on screens; 0: the transfer has one record only. */
export function recordName(transferId: bigint, number: number): string {
  return number === 0 ? `${transferId}` : `${transferId}-${number}`
}

/** Whether a record sends another one, which came back, again. A record that was cancelled sends nothing. */
export function isResend<R extends { readonly replaces: number | null; readonly state: string }>(
  record: R,
): record is R & { readonly replaces: number } {
  return record.replaces !== null && record.state !== 'cancelled'
}

/** The numbers of those records of one transfer that were sent again. */
export function resentNumbers(
  records: readonly { readonly replaces: number | null; readonly state: string }[],
): ReadonlySet<number> {
  return new Set(records.filter(isResend).map(record => record.replaces))
}
