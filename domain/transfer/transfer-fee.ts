import type { Day } from '../month/day.ts'

/** Where the money goes, seen from the sending bank. */
export type TransferDestination = 'same_branch' | 'same_bank' | 'other_bank'

/** One line of the source bank's price list, tax included; the platform's contract with its bank decides. */
export interface TransferFeeLine {
  readonly sourceBankCode: string
  readonly destination: TransferDestination
  readonly validFrom: Day
  /** The line applies to amounts from here up to the next line. */
  readonly fromAmountYen: bigint
  readonly feeYen: bigint
}
export type TransferFeeTable = readonly TransferFeeLine[]

export interface BankBranch {
  readonly bankCode: string
  readonly branchCode: string
}

function destinationOf(source: BankBranch, target: BankBranch): TransferDestination {
  if (source.bankCode !== target.bankCode) return 'other_bank'
  return source.branchCode === target.branchCode ? 'same_branch' : 'same_bank'
}

/**
 * The fee for an amount on a day; undefined when the table has no line for it. The amount is taken before a fee that
 * the payee bears is deducted, so that the fee does not depend on itself.
 */
export function transferFeeYen(
  table: TransferFeeTable,
  source: BankBranch,
  target: BankBranch,
  amountYen: bigint,
  onDay: Day,
): bigint | undefined {
  const destination = destinationOf(source, target)
  let found: TransferFeeLine | undefined
  for (const line of table) {
    if (line.sourceBankCode !== source.bankCode || line.destination !== destination) continue
    if (line.validFrom > onDay || line.fromAmountYen > amountYen) continue
    const isCloser =
      !found ||
      line.validFrom > found.validFrom ||
      (line.validFrom === found.validFrom && line.fromAmountYen > found.fromAmountYen)
    if (isCloser) found = line
  }
  return found?.feeYen
}

/** The largest fee for a returned transfer (組戻手数料) that is accepted; banks charge less than a hundredth of it. */
export const MAX_RETURN_FEE_YEN = 100_000n

/** Whether the fee in yen is within 0 … {@link MAX_RETURN_FEE_YEN}. */
export function isReturnFee(feeYen: bigint): boolean {
  return feeYen >= 0n && feeYen <= MAX_RETURN_FEE_YEN
}
