/** Amounts in yen are plain `bigint`s whose names end in `Yen`. There is no fraction of a yen outside micro-yen. */

/** The sum of the items' amounts; 0 without items. */
export function sumBy<T>(items: Iterable<T>, amountOf: (item: T) => bigint): bigint {
  let sum = 0n
  for (const item of items) sum += amountOf(item)
  return sum
}

/**
 * The largest amount that a person may enter. More is a typing error, and a million of these still fit into 64 bits.
 */
export const MAX_ENTRY_YEN = 1_000_000_000_000n

/** Tested by `domain/money/money.test.ts`. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The amount without its sign. */
export function magnitude(amountYen: bigint): bigint {
  return amountYen < 0n ? -amountYen : amountYen
}

export function signOf(amountYen: bigint): -1n | 0n | 1n {
  return amountYen < 0n ? -1n : amountYen > 0n ? 1n : 0n
}

/** `-1234567` → `-1,234,567`. */
export function formatYen(amountYen: bigint): string {
  const digits = magnitude(amountYen)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
  return amountYen < 0n ? `-${digits}` : digits
}
