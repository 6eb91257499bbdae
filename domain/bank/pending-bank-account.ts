import { addDays, type Day } from '../month/day.ts'

/** Days between the approval of an account and its first use. */
export const BANK_ACCOUNT_WAITING_DAYS = 3

/** Characters of the reason why a requested account is rejected. */
export const MAX_REJECTION_REASON = 500

/** The first day on which an agreement can take an account that is approved today. */
export function usableFrom(approvedOn: Day): Day {
  return addDays(approvedOn, BANK_ACCOUNT_WAITING_DAYS)
}

/** @param from null: an account that never had to wait */
export function isWaiting(from: Day | null, today: Day): boolean {
  return from !== null && today < from
}
