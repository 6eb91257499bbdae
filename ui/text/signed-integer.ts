import { formatInteger } from './format.ts'

/** A difference: `+1,234`, `-1,234`, `±0`. */
export function signedInteger(amount: number): string {
  return amount === 0 ? '±0' : `${amount > 0 ? '+' : ''}${formatInteger(amount)}`
}
