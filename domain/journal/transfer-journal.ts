import { floorDivide } from '../money/floor-division.ts'
import { magnitude } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import type { PlannedTransfer } from '../transfer/transfer.ts'
import { recordName } from '../transfer/transfer-records.ts'
import { type JournalEntry, type JournalLine, plainLine, taxCategoryOf } from './journal-entry.ts'

/** What the journal needs of a transfer. */
export interface BookedTransfer
  extends Pick<
    PlannedTransfer,
    'paymentIncludingTaxYen' | 'withholdingYen' | 'feeYen' | 'feeBorneByPayeeYen' | 'transferAmountYen'
  > {
  readonly transferId: bigint
  readonly partnerName: string
}

/**
 * The entry on the day the bank pays. A fee that the payee bears comes out of the payable; the platform's own fee is a
 * cost.
 */
export function transferEntry(transfer: BookedTransfer, paidOn: Day, feeTaxPercent: number): JournalEntry {
  const lines = [
    plainLine('debit', 'payable', transfer.paymentIncludingTaxYen),
    ...feeLines(transfer.feeYen - transfer.feeBorneByPayeeYen, feeTaxPercent),
  ]
  if (transfer.withholdingYen > 0n) {
    lines.push(plainLine('credit', 'withholding_payable', transfer.withholdingYen))
  }
  lines.push(plainLine('credit', 'bank', transfer.transferAmountYen))
  if (transfer.feeYen > 0n) lines.push(plainLine('credit', 'bank', transfer.feeYen))
  return {
    stage: 'settlement',
    on: paidOn,
    reference: `transfer:${transfer.transferId}`,
    partnerName: transfer.partnerName,
    description: '媒体報酬 振込',
    lines,
  }
}

/**
 * The entry when a paid transfer comes back: the money is on the account again, and the payee is owed as before. The
 * bank keeps its fee, so a fee that the payee bore becomes the platform's.
 */
export function returnEntry(transfer: BookedTransfer, returnedOn: Day, feeTaxPercent: number): JournalEntry {
  const lines = [plainLine('debit', 'bank', transfer.transferAmountYen)]
  if (transfer.withholdingYen > 0n) lines.push(plainLine('debit', 'withholding_payable', transfer.withholdingYen))
  lines.push(...feeLines(transfer.feeBorneByPayeeYen, feeTaxPercent))
  lines.push(plainLine('credit', 'payable', transfer.paymentIncludingTaxYen))
  return {
    stage: 'settlement',
    on: returnedOn,
    reference: `transfer:${transfer.transferId}`,
    partnerName: transfer.partnerName,
    description: '媒体報酬 振込の組戻し',
    lines,
  }
}

/** One record of a transfer that has several, as the bank moved it. */
export interface BookedRecord {
  readonly number: number
  readonly amountYen: bigint
  readonly feeYen: bigint
  readonly paidOn: Day | null
  readonly returnedOn: Day | null
}

/**
 * The entries of a transfer with several records: one for each movement at the bank. Withholding and a fee that the
 * payee bears belong to the whole transfer: they are booked with the first record that is paid, and reversed when no
 * record is left. The bank keeps the fee of a record that comes back.
 * Tested by `domain/journal/journal.test.ts`.
 */
export function recordEntries(
  transfer: BookedTransfer & { readonly returnedOn: Day | null },
  records: readonly BookedRecord[],
  feeTaxPercentOf: (on: Day) => number,
): readonly JournalEntry[] {
  const paid = records
    .flatMap(record => (record.paidOn === null ? [] : [{ ...record, paidOn: record.paidOn }]))
    .toSorted((a, b) => (a.paidOn === b.paidOn ? a.number - b.number : a.paidOn < b.paidOn ? -1 : 1))
  const { withholdingYen, feeBorneByPayeeYen, partnerName, transferId } = transfer
  const withheldLines = (side: JournalLine['side']) =>
    withholdingYen > 0n ? [plainLine(side, 'withholding_payable', withholdingYen)] : []
  const entryOf = (on: Day, number: number, description: string, lines: readonly JournalLine[]): JournalEntry => ({
    stage: 'settlement',
    on,
    reference: `transfer:${recordName(transferId, number)}`,
    partnerName,
    description,
    lines,
  })
  const entries = paid.map(({ number, amountYen, feeYen, paidOn }, index) => {
    const isFirst = index === 0
    const borneYen = isFirst ? feeBorneByPayeeYen : 0n
    return entryOf(paidOn, number, '媒体報酬 振込', [
      plainLine('debit', 'payable', amountYen + (isFirst ? withholdingYen : 0n) + borneYen),
      ...feeLines(feeYen - borneYen, feeTaxPercentOf(paidOn)),
      ...(isFirst ? withheldLines('credit') : []),
      plainLine('credit', 'bank', amountYen),
      ...(feeYen > 0n ? [plainLine('credit', 'bank', feeYen)] : []),
    ])
  })
  for (const { number, amountYen, returnedOn } of paid) {
    if (returnedOn === null) continue
    const lines = [plainLine('debit', 'bank', amountYen), plainLine('credit', 'payable', amountYen)]
    entries.push(entryOf(returnedOn, number, '媒体報酬 振込の組戻し', lines))
  }
  const { returnedOn } = transfer
  const decidedYen = withholdingYen + feeBorneByPayeeYen
  if (returnedOn === null || paid.length === 0 || decidedYen === 0n) return entries
  const lines = [
    ...withheldLines('debit'),
    ...feeLines(feeBorneByPayeeYen, feeTaxPercentOf(returnedOn)),
    plainLine('credit', 'payable', decidedYen),
  ]
  return [...entries, entryOf(returnedOn, 0, '媒体報酬 振込の組戻し', lines)]
}

/**
 * What the bank charges on a day on which a transfer or one of its records came back or was recalled; null for nothing.
 */
export function returnFeeEntry(
  transfer: Pick<BookedTransfer, 'transferId' | 'partnerName'> & {
    /** The record's number; 0: the transfer has one record only. */
    readonly recordNumber: number
  },
  returnFeeYen: bigint,
  chargedOn: Day,
  feeTaxPercent: number,
): JournalEntry | null {
  if (returnFeeYen === 0n) return null
  return {
    stage: 'settlement',
    on: chargedOn,
    reference: `transfer:${recordName(transfer.transferId, transfer.recordNumber)}`,
    partnerName: transfer.partnerName,
    description: '組戻手数料',
    lines: [...feeLines(returnFeeYen, feeTaxPercent), plainLine('credit', 'bank', returnFeeYen)],
  }
}

/** What the platform pays the bank, tax included, split into fee and tax; negative when the payee bore more. */
function feeLines(givenYen: bigint, feeTaxPercent: number): readonly JournalLine[] {
  if (givenYen === 0n) return []
  const feeYen = magnitude(givenYen)
  const feeTaxYen = floorDivide(feeYen * BigInt(feeTaxPercent), BigInt(100 + feeTaxPercent))
  return [
    {
      side: givenYen > 0n ? 'debit' : 'credit',
      account: 'bank_fee',
      amountYen: feeYen - feeTaxYen,
      deductibleTaxYen: feeTaxYen,
      nonDeductibleTaxYen: 0n,
      taxCategory: taxCategoryOf(feeTaxPercent, 100),
      generatedMonth: null,
    },
  ]
}
