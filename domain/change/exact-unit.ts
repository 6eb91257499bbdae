import { formatScaledYen } from '../money/micro-yen.ts'
import { formatYen, magnitude } from '../money/yen.ts'
import type { ChangeUnit } from '../report/metric-identity.ts'
import { floor, type Rational } from './rational.ts'

interface UnitRule {
  /**
   * Exact units per unit of the store, or per quotient of two sums. Money is stored in micro-yen and time in milliseconds
   * already, so their factor is 1.
   */
  readonly perQuotient: bigint
  /** Exact units per yen, per count, or per whole of a ratio; the divisor of {@link exactText}. */
  readonly scale: bigint
  /** Exact units per step that screens show: 1 yen, 1 count, 0.01 points, 0.1 yen, 1 second. */
  readonly step: bigint
}

/**
 * Differences are computed in exact units, fine enough that the parts of a difference sum to it, and are shown in the
 * coarser steps.
 */
const RULES: Readonly<Record<ChangeUnit, UnitRule>> = {
  count: { perQuotient: 1n, scale: 1n, step: 1n },
  yen: { perQuotient: 1n, scale: 1_000_000n, step: 1_000_000n },
  ratio: { perQuotient: 1_000_000_000n, scale: 1_000_000_000n, step: 100_000n },
  yenPerMille: { perQuotient: 1_000n, scale: 1_000_000n, step: 100_000n },
  yenPerClick: { perQuotient: 1n, scale: 1_000_000n, step: 100_000n },
  seconds: { perQuotient: 1n, scale: 1_000n, step: 1_000n },
  secondsPerWatch: { perQuotient: 1n, scale: 1_000n, step: 1_000n },
}

/** A sum or quotient in exact units, as a fraction of them. */
export function inExactUnits(unit: ChangeUnit, { numerator, denominator }: Rational): Rational {
  return { numerator: numerator * RULES[unit].perQuotient, denominator }
}

/** Decimal text with all decimals: yen, counts, or a ratio in which 1 is the whole. */
export function exactText(unit: ChangeUnit, amount: bigint): string {
  return formatScaledYen(amount, RULES[unit].scale).replaceAll(',', '')
}

/**
 * The amount in the steps that a screen shows (1 yen, 1 count, 0.01 points, 0.1 yen), rounded down on the number line.
 */
export function shownSteps(unit: ChangeUnit, amount: bigint): bigint {
  return floor(inSteps(unit, amount))
}

/** The amount in steps, not rounded. */
export function inSteps(unit: ChangeUnit, amount: bigint): Rational {
  return { numerator: amount, denominator: RULES[unit].step }
}

/** Steps as a number of yen, counts or wholes. */
export function stepsAsNumber(unit: ChangeUnit, steps: bigint): number {
  return Number(steps) / Number(RULES[unit].scale / RULES[unit].step)
}

/** A difference in steps without its sign: 1,234円 · 1,234回 · 0.15pt · 12.3円 */
export function sizeText(unit: ChangeUnit, steps: bigint): string {
  const size = magnitude(steps)
  if (unit === 'count') return `${formatYen(size)}回`
  if (unit === 'yen') return `${formatYen(size)}円`
  if (unit === 'seconds' || unit === 'secondsPerWatch') return durationText(size)
  if (unit === 'ratio') return `${formatYen(size / 100n)}.${String(size % 100n).padStart(2, '0')}pt`
  return `${formatYen(size / 10n)}.${size % 10n}円`
}

/** 1時間2分3秒 */
function durationText(seconds: bigint): string {
  const [hours, minutes] = [seconds / 3_600n, (seconds / 60n) % 60n]
  return `${hours > 0n ? `${formatYen(hours)}時間` : ''}${minutes > 0n ? `${minutes}分` : ''}${seconds % 60n}秒`
}

/** A difference in steps with its sign: +1,234円 · −0.15pt · ±0円 */
export function signedText(unit: ChangeUnit, steps: bigint): string {
  return `${steps > 0n ? '+' : steps < 0n ? '−' : '±'}${sizeText(unit, steps)}`
}
