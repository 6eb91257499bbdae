/**
 * A registration number of a qualified invoice issuer is `T` and 13 digits, the first of them not 0. For a company the
 * digits are its corporate number, whose first digit is a check digit. Other payees have numbers for which no algorithm
 * is published.
 */
const FORMAT = /^T[1-9][0-9]{12}$/

export type PayeeKind = 'company' | 'individual'

export interface RegistrationNumberCheck {
  readonly isFormatValid: boolean
  readonly isCheckDigitValid: boolean
  /** `doubtful`: an individual's number whose check digit does not match, which is only a warning. */
  readonly verdict: 'valid' | 'doubtful' | 'invalid'
}

/**
 * Checks the form of a number. `valid` does not replace the look-up in the public register: the check digit works
 * modulo 9, so it cannot tell 0 from 9, and it does not know of cancelled registrations.
 * Tested by `domain/bank/bank.test.ts`.
 */
export function checkRegistrationNumber(text: string, payeeKind: PayeeKind): RegistrationNumberCheck {
  if (!FORMAT.test(text)) return { isFormatValid: false, isCheckDigitValid: false, verdict: 'invalid' }
  const isCheckDigitValid = Number(text[1]) === corporateCheckDigit(text.slice(2))
  const whenWrong = payeeKind === 'company' ? 'invalid' : 'doubtful'
  return { isFormatValid: true, isCheckDigitValid, verdict: isCheckDigitValid ? 'valid' : whenWrong }
}

/** Whether the text looks like a number (T and 13 digits). The check digit is not calculated. */
export function isRegistrationNumberFormat(text: string): boolean {
  return FORMAT.test(text)
}

/**
 * 9 − (Σ Pₙ·Qₙ mod 9), n counted from the right over the 12 base digits, Q = 1 for odd and 2 for even n (ordinance on
 * corporate numbers, article 2, since 2015-10-05).
 */
export function corporateCheckDigit(base: string): number {
  if (!/^[0-9]{12}$/.test(base)) throw new RangeError('the base number has 12 digits')
  let sum = 0
  for (let n = 1; n <= 12; n += 1) sum += Number(base[12 - n]) * (n % 2 === 1 ? 1 : 2)
  return 9 - (sum % 9)
}

/** Removes full-width characters, lower case and separators: `ｔ７１２３…`, `T7-1234-…`. */
export function normalizeRegistrationNumber(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\-‐‑–—−]/g, '')
}
