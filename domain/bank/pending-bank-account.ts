import { addDays, type Day } from '../month/day.ts'

/** Days between the approval of an account and its first use. */
export const BANK_ACCOUNT_WAITING_DAYS = 3

/** Longest reason for rejecting a requested account, in characters. */
export const MAX_REJECTION_REASON = 500

/**
 * The first day on which an agreement can use an account that is approved on `approvedOn`.
 * Tested by `domain/bank/bank-edges.test.ts`.
 */
export function usableFrom(approvedOn: Day): Day {
  return addDays(approvedOn, BANK_ACCOUNT_WAITING_DAYS)
}

/**
 * Whether the account cannot be used yet.
 * @param from first day of use; null: the account never had to wait
 */
export function isWaiting(from: Day | null, today: Day): boolean {
  return from !== null && today < from
}
