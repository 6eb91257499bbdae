/**
 * Pseudo-random numbers that are the same on every machine, so that the demonstration data do not differ between runs.
 */
export interface SeededRandom {
  /** From 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  /** Around 1, never negative; `spread` 0.1 keeps nearly all values between 0.7 and 1.3. */
  around(spread: number): number
  /** Mostly small, sometimes very large: exp of a normal value with mean 0. */
  longTail(spread: number): number
  pick<T>(items: readonly T[]): T
}

/** One independent stream per purpose: adding a publisher changes no figure of another publisher. */
export function seededRandom(...purpose: readonly (string | number | bigint)[]): SeededRandom {
  let state = hash(purpose.join('\u0001'))
  // mulberry32 (Tommy Ettinger, public domain)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  /** The sum of uniform values is close to normal, and exact on every machine; logarithms and cosines are not. */
  const normal = () =>
    next() + next() + next() + next() + next() + next() + next() + next() + next() + next() + next() + next() - 6
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    around: spread => Math.max(0, 1 + spread * normal()),
    longTail: spread => Math.exp(spread * normal()),
    pick: items => items[Math.floor(next() * items.length)]!,
  }
}

/** FNV-1a, then a final mix. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
