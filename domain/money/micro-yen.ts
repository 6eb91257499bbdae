import { formatYen } from './yen.ts'

/** Own-ads source values are whole micro-yen: 1 yen = 1,000,000 micro-yen. */
export const MICRO_YEN_PER_YEN = 1_000_000n

/** Exact decimal text in yen: `22283950011` → `22,283.950011`. */
export function formatMicroYen(amountMicroYen: bigint): string {
  return formatScaledYen(amountMicroYen, MICRO_YEN_PER_YEN)
}

/**
 * Exact decimal text in yen of an amount in `1/scale` yen; `scale` is a power of ten. Trailing zeros of the fraction
 * are left out.
 * Tested by `domain/money/money.test.ts`.
 */
export function formatScaledYen(amount: bigint, scale: bigint): string {
  const absolute = amount < 0n ? -amount : amount
  const digits = scale.toString().length - 1
  const fraction = (absolute % scale).toString().padStart(digits, '0').replace(/0+$/, '')
  const whole = formatYen(absolute / scale)
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' || digits === 0 ? '' : `.${fraction}`}`
}
