import { expect, test } from 'vitest'
import { roundDown } from './round-down.ts'

test('a hair below a whole number is it, a little more is not', () => {
  expect(roundDown(0.55, 1000)).toBe(550)
  expect(roundDown(0.549_999_999_999_5, 1000)).toBe(549)
  expect(roundDown(0, 1000)).toBe(0)
  expect(roundDown(-2)).toBe(-2)
  expect(roundDown(-0.55, 1000)).toBe(-550)
})

test('the tenths of quotients are those of exact division', () => {
  const wrong: unknown[] = []
  for (let divisor = 1n; divisor < 10_000_000_000n; divisor = divisor * 3n + 7n)
    for (let part = 0n; part < 100_000_000_000n; part = part * 2n + 13n)
      for (const near of [part, (divisor * 550n) / 1000n, (divisor * 550n) / 1000n - 1n]) {
        if (near < 0n) continue
        const tenths = roundDown(Number(near) / Number(divisor), 1000)
        if (BigInt(tenths) !== (near * 1000n) / divisor) wrong.push({ near, divisor, tenths })
      }
  expect(wrong).toEqual([])
})
