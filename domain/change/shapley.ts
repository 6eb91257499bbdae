import { add, multiply, ONE, type Rational, rational, subtract, ZERO } from './rational.ts'

/** A factor of a product, before and now. */
export interface FactorValues {
  readonly before: Rational
  readonly now: Rational
}

/**
 * What each factor contributes to the difference of a product (Shapley 1953): the mean, over all orders in which the
 * factors could have changed one after the other, of what its own change adds. The contributions sum to the difference
 * exactly and do not depend on the order of the factors. A factor that did not change contributes 0. With two factors
 * it is the change times the mean of the other factor.
 * Tested by `domain/change/change-parts.test.ts`.
 */
export function shapleyOfProduct(factors: readonly FactorValues[]): readonly Rational[] {
  return factors.map((factor, place) => {
    const others = factors.filter((_, other) => other !== place)
    const own = subtract(factor.now, factor.before)
    return subsetsOf(others).reduce((sum, { changed, unchanged }) => {
      const weight = rational(factorial(changed.length) * factorial(unchanged.length), factorial(factors.length))
      const rest = [...changed.map(({ now }) => now), ...unchanged.map(({ before }) => before)].reduce(multiply, ONE)
      return add(sum, multiply(weight, multiply(rest, own)))
    }, ZERO)
  })
}

/** Every subset of the other factors, as those that have changed already. */
function subsetsOf(factors: readonly FactorValues[]) {
  return Array.from({ length: 2 ** factors.length }, (_, bits) => ({
    changed: factors.filter((_factor, place) => (bits >> place) % 2 === 1),
    unchanged: factors.filter((_factor, place) => (bits >> place) % 2 === 0),
  }))
}

function factorial(of: number): bigint {
  return of <= 1 ? 1n : BigInt(of) * factorial(of - 1)
}
