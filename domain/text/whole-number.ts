const MAX_DIGITS = 30

/**
 * The whole number of a cell that people filled in or a spreadsheet wrote: digits with an optional minus;
 * thousands separators only where they belong. Undefined for everything else: nobody pays 15 for 1.5 or 12 for 1,2.
 */
export function readWholeNumber(text: string): bigint | undefined {
  const plain = text.trim()
  if (plain.length > MAX_DIGITS || !/^-?(\d+|\d{1,3}(,\d{3})+)$/.test(plain)) return undefined
  return BigInt(plain.replaceAll(',', ''))
}
