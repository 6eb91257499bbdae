/** An exact fraction with a positive denominator. It is not reduced: values come from only a few operations. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const ONE: Rational = { numerator: 1n, denominator: 1n }
export const ZERO: Rational = { numerator: 0n, denominator: 1n }

/** @throws RangeError when the divisor is 0 */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('a fraction has a divisor')
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator }
}

export function add(a: Rational, b: Rational): Rational {
  if (a.denominator === b.denominator) return { ...a, numerator: a.numerator + b.numerator }
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  }
}

export function subtract(a: Rational, b: Rational): Rational {
  return add(a, { ...b, numerator: -b.numerator })
}

export function multiply(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator }
}

/** The greatest whole number that is not above the fraction. */
export function floor({ numerator, denominator }: Rational): bigint {
  const truncated = numerator / denominator
  return numerator < 0n && numerator % denominator !== 0n ? truncated - 1n : truncated
}

/** Negative, 0 or positive, as `sort` expects. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}
