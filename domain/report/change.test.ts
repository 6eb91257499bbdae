import { expect, test } from 'vitest'
import { changeTenths } from './change.ts'

test.each([
  ['a whole tenth that floating point puts below itself', 1.1, 1, 100],
  ['the same of a loss', 0.9, 1, -100],
  ['the same where a figure grew many thousandfold', 99_433_680, 3_000, 33_143_560],
  ['a loss of not quite everything', 1, 2_000_000_000_000, -999],
  ['a loss of everything', 0, 7, -1_000],
  ['nothing new', 5, 5, 0],
  ['towards zero', 1_999, 1_000, 999],
  ['towards zero, of a loss', 2, 3, -333],
])('%s', (_case, now, before, tenths) => expect(changeTenths(now, before)).toBe(tenths))

test('the tenths of whole numbers are those of exact division', () => {
  const wrong: unknown[] = []
  for (let before = 1n; before < 400n; before += 7n) {
    for (let now = 0n; now < 60_000_000_000n; now = now * 3n + 17n) {
      const exact = Number(((now - before) * 1_000n) / before)
      const tenths = changeTenths(Number(now), Number(before))
      if (tenths !== exact) wrong.push({ now, before, exact, tenths })
    }
  }
  expect(wrong).toEqual([])
})

test('nothing to compare with', () => expect(changeTenths(5, 0)).toBeUndefined())
