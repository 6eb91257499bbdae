/** Longest reason why a transfer was paid, returned, recalled or abandoned, in characters. */
export const MAX_TRANSFER_REASON = 200
/** Longest reference that the bank gives to a recall, in characters. */
export const MAX_BANK_REFERENCE = 100

/** @param reason trimmed */
export function isTransferReason(reason: string): boolean {
  return reason !== '' && reason.length <= MAX_TRANSFER_REASON
}

/**
 * A result from the bank's file needs a reason only when the money was returned; a result entered by hand always needs
 * one.
 */
export function isResultReason(
  reason: string,
  { outcome, by }: { readonly outcome: 'paid' | 'returned'; readonly by: 'file' | 'hand' },
): boolean {
  return isTransferReason(reason) || (reason === '' && by === 'file' && outcome === 'paid')
}
