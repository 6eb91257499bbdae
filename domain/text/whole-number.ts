/** Longest text, in characters, sign and separators included. No amount needs more. */
const MAX_DIGITS = 30

/** Minus signs of keyboards and account books: −1,000 and ▲1,000 are -1000. */
const MINUS = /^[−▲△]/

/**
 * The whole number of a cell that a person or a spreadsheet wrote: digits of any width, an optional minus, and
 * thousands separators in the right places. Undefined for anything else, so that 1.5 is never paid as 15 nor 1,2 as 12.
 */
export function readWholeNumber(text: string): bigint | undefined {
  const plain = text.normalize('NFKC').trim().replace(MINUS, '-')
  if (plain.length > MAX_DIGITS || !/^-?(\d+|\d{1,3}(,\d{3})+)$/.test(plain)) return undefined
  return BigInt(plain.replaceAll(',', ''))
}
