import { MICRO_YEN_PER_YEN } from '../money/micro-yen.ts'

/**
 * Whole yen as reports show them, rounded down once from the exact sum. A correction can make a sum negative; it is
 * then rounded away from zero.
 * Tested by `domain/report/report.test.ts`.
 */
export function shownYen(amountMicroYen: bigint): bigint {
  const truncated = amountMicroYen / MICRO_YEN_PER_YEN
  return amountMicroYen < 0n && amountMicroYen % MICRO_YEN_PER_YEN !== 0n ? truncated - 1n : truncated
}
