/** Characters of a reason why a transfer was paid, came back, was recalled or given up. */
export const MAX_TRANSFER_REASON = 200
/** Characters of the bank's reference for a recall. */
export const MAX_BANK_REFERENCE = 100

/** @param reason without spaces around it */
export function isTransferReason(reason: string): boolean {
  return reason !== '' && reason.length <= MAX_TRANSFER_REASON
}

/** A result from the bank's file needs a reason only when the money came back; a result by hand always. */
export function isResultReason(
  reason: string,
  { outcome, by }: { readonly outcome: 'paid' | 'returned'; readonly by: 'file' | 'hand' },
): boolean {
  return isTransferReason(reason) || (reason === '' && by === 'file' && outcome === 'paid')
}
