/**
 * ⌊dividend ÷ divisor⌋ for values that are not negative; throws for others. bigint division truncates towards zero,
 * which is the floor only there.
 * Tested by `domain/money/money.test.ts`.
 */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) throw new RangeError(`only amounts that are not negative are divided: ${dividend}`)
  if (divisor <= 0n) throw new RangeError(`not a divisor: ${divisor}`)
  return dividend / divisor
}

/** For amounts that may be negative (returns): the floor of the magnitude, with the sign. */
export function divideTowardZero(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n) throw new RangeError(`not a divisor: ${divisor}`)
  return dividend / divisor
}
