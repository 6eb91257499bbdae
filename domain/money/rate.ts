import { floorDivide } from './floor-division.ts'

/** A revenue-share rate is an integer in units: 100 units = 1 %, 10,000 units = 100 %. */
export const RATE_UNITS_PER_WHOLE = 10_000n
const MAX_RATE_UNITS = Number(RATE_UNITS_PER_WHOLE)

/** Whether the value is a whole number of rate units from 0 to 100 %. */
export function isRateUnits(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= MAX_RATE_UNITS
}

/** The rate as a bigint factor; throws when it is not between 0 and 100 %. */
export function rateFactor(rateUnits: number): bigint {
  if (!isRateUnits(rateUnits)) throw new RangeError(`not a rate: ${rateUnits}`)
  return BigInt(rateUnits)
}

/**
 * ⌊amount × rate⌋ for an amount that is not negative.
 * Tested by `domain/money/money.test.ts`.
 */
export function applyRate(amountYen: bigint, rateUnits: number): bigint {
  return floorDivide(amountYen * rateFactor(rateUnits), RATE_UNITS_PER_WHOLE)
}

/** Exactly, for rates of law and settings: 1,021 units → `10.21%`, 5,000 → `50%`. */
export function rateText(rateUnits: number): string {
  return `${rateUnits / 100}%`
}

/** One decimal, rounded down, as tables show a share (`formatRateUnits` in `ui/text/format.ts`): 4,555 units → `45.5%`. */
export function formatRate(rateUnits: number): string {
  const tenths = Number(rateFactor(rateUnits) / 10n)
  return `${Math.trunc(tenths / 10)}.${tenths % 10}%`
}
