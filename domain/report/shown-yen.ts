import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'

/**
 * Money in reports is whole yen, rounded down once per value from the exact sum. A correction can make a sum negative:
 * down is then away from zero, as on the number line.
 */
export function shownYen(amountMicroYen: bigint): bigint {
  const truncated = amountMicroYen / MICRO_YEN_PER_YEN
  return amountMicroYen < 0n && amountMicroYen % MICRO_YEN_PER_YEN !== 0n ? truncated - 1n : truncated
}
