import { expect, test } from 'vitest'
import { fromToText } from './change-text.ts'

test.each([
  ['count', 48_211_000, 46_402_311, '48,211,000 → 46,402,311'],
  ['ratio', 0.0155, 0.0143, '1.55% → 1.43%'],
  ['yenPerClick', 1.4, 1.5, '1.4 → 1.5'],
  ['yenPerClick', 1.842, 1.823, '1.84 → 1.82'],
  ['yenPerMille', 52.1112, 52.1119, '52.111 → 52.112'],
  ['yenPerMille', -1.842, -1.823, '−1.84 → −1.82'],
  ['yenPerMille', 52.1, 52.1, '52.1 → 52.1'],
  ['yenPerClick', null, 1.8, '— → 1.8'],
] as const)('%s from %s to %s is %s', (unit, before, now, text) => {
  expect(fromToText(unit, before, now)).toBe(text)
})
