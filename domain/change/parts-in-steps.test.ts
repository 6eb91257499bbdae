import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sumBy } from '../money/yen.ts'
import type { ChangeUnit } from '../report/metric-identity.ts'
import type { ChangePart } from './change-parts.ts'
import { namedParts, shownDifference } from './parts-in-steps.ts'

const units = fc.constantFrom<ChangeUnit>('count', 'yen', 'ratio', 'yenPerMille', 'yenPerClick', 'seconds')
const amounts = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 15n })
const part = (id: string, difference: bigint): ChangePart => ({
  ...{ id, kind: 'changed', unit: 'yen', before: null, now: null, difference, shareBefore: 0 },
})

test('the steps of the parts sum to the difference of what screens show', () => {
  fc.assert(
    fc.property(units, amounts, fc.array(amounts, { minLength: 1, maxLength: 9 }), (unit, before, differences) => {
      const change = { unit, before, now: before + sumBy(differences, each => each) }
      const named = namedParts(
        change,
        differences.map((difference, place) => part(`${place}`, difference)),
        ({ id }) => `部分 ${id}`,
      )
      expect(sumBy(named, each => each.steps)).toBe(shownDifference(change))
      expect(named[0]?.label).toBe('部分 0')
    }),
    { numRuns: 500 },
  )
})

test('each side is rounded down once, also below zero', () => {
  expect(shownDifference({ unit: 'yen', before: 1_999_999n, now: 2_000_000n })).toBe(1n)
  expect(shownDifference({ unit: 'yen', before: -1n, now: 0n })).toBe(1n)
  expect(namedParts({ unit: 'yen', before: 0n, now: 0n }, [], () => '')).toEqual([])
})
