import { expect, test } from 'vitest'
import { mutantsOf } from './mutants.ts'

const changes = (source: string, withValues: boolean) =>
  mutantsOf('rule.ts', source, { withValues }).map(({ change }) => change)

test('a comparison at its edge, a condition that always and never holds, an answer that is not given', () => {
  expect(changes('export const isDue = (day: number) => { if (day > 3) return true }', false)).toEqual([
    ...['day > 3 → true', 'day > 3 → false', 'day > 3 → day >= 3', 'true → undefined', 'true → false'],
  ])
})

test('in a module of law each day, month, rate and limit is also one less and one more', () => {
  const source = `const LINES = [{ from: day('2026-01-01'), month: 202612 as Month, rate: 10, limitYen: 100n, floor: 1 }]`
  expect(changes(source, true)).toEqual([
    ...["'2026-01-01' → '2025-12-31'", "'2026-01-01' → '2026-01-02'"],
    ...['202612 → 202611', '202612 → 202701', '10 → 9', '10 → 11', '100n → 99n', '100n → 101n'],
  ])
  expect(changes(source, false)).toEqual([])
})
