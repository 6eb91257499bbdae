/**
 * Registration numbers of qualified invoice issuers: `T` and 13 digits, the first of them not 0. A company's is `T` and
 * its corporate number, whose first digit is a check digit; other payees have a number of their own, for which no
 * algorithm is published.
 */
const FORMAT = /^T[1-9][0-9]{12}$/

export type PayeeKind = 'company' | 'individual'

export interface RegistrationNumberCheck {
  readonly isFormatValid: boolean
  readonly isCheckDigitValid: boolean
  /** `doubtful`: an individual's number whose check digit does not fit, a warning only. */
  readonly verdict: 'valid' | 'doubtful' | 'invalid'
}

/**
 * A valid verdict never replaces the look-up in the public register: the check digit works modulo 9 and cannot see a 0
 * that should be a 9, nor the other way round, and it says nothing about cancelled registrations.
 */
export function checkRegistrationNumber(text: string, payeeKind: PayeeKind): RegistrationNumberCheck {
  if (!FORMAT.test(text)) return { isFormatValid: false, isCheckDigitValid: false, verdict: 'invalid' }
  const isCheckDigitValid = Number(text[1]) === corporateCheckDigit(text.slice(2))
  const whenWrong = payeeKind === 'company' ? 'invalid' : 'doubtful'
  return { isFormatValid: true, isCheckDigitValid, verdict: isCheckDigitValid ? 'valid' : whenWrong }
}

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

/** Full-width letters and digits, small letters and separators as people type them: `ｔ７１２３…`, `T7-1234-…`. */
export function normalizeRegistrationNumber(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\-‐‑–—−]/g, '')
}
