const MAX_DIGITS = 30

/** Minus signs of keyboards and of account books: −1,000 and ▲1,000 are -1000. */
const MINUS = /^[−▲△]/

/**
 * The whole number of a cell that people filled in or a spreadsheet wrote: digits, full width included, with an optional
 * minus; thousands separators only where they belong. Undefined for everything else: nobody pays 15 for 1.5 or 12 for 1,2.
 */
export function readWholeNumber(text: string): bigint | undefined {
  const plain = text.normalize('NFKC').trim().replace(MINUS, '-')
  if (plain.length > MAX_DIGITS || !/^-?(\d+|\d{1,3}(,\d{3})+)$/.test(plain)) return undefined
  return BigInt(plain.replaceAll(',', ''))
}
