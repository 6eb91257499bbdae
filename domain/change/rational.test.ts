import { expect, test } from 'vitest'
import { add, compare, floor, multiply, ONE, rational, subtract, ZERO } from './rational.ts'

test('the whole number below a fraction, also below 0 and for a whole one', () => {
  const floors = [7n, -7n, 6n, -6n, 0n, -1n].map(numerator => floor(rational(numerator, 3n)))
  expect(floors).toEqual([2n, -3n, 2n, -2n, 0n, -1n])
  expect(floor(rational(7n, -3n))).toBe(-3n)
})

test('sums, products and order are exact; nothing is divided by 0', () => {
  const third = rational(1n, 3n)
  expect(compare(add(add(third, third), third), ONE)).toBe(0)
  expect(compare(subtract(third, third), ZERO)).toBe(0)
  expect(compare(multiply(third, rational(-3n)), rational(-1n))).toBe(0)
  expect(compare(rational(1n, -2n), ZERO)).toBeLessThan(0)
  expect(() => rational(1n, 0n)).toThrow(RangeError)
})
