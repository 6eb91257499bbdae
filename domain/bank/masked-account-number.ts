const SHOWN_DIGITS = 3

/**
 * `1234567` → `****567`: enough to recognise an account, not enough to use it.
 * Tested by `domain/bank/bank-edges.test.ts`.
 */
export function maskedAccountNumber(number: string): string {
  return '*'.repeat(Math.max(0, number.length - SHOWN_DIGITS)) + number.slice(-SHOWN_DIGITS)
}
