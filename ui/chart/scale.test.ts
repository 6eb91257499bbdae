import { expect, test } from 'vitest'
import { valueScale } from './scale.ts'

test('without corrections zero stands at the bottom', () => {
  const scale = valueScale({ least: 3, greatest: 95 }, 100, 0, 3)
  expect(scale.ticks).toEqual([0, 50, 100])
  expect([scale.at(0), scale.at(50), scale.at(100)]).toEqual([100, 50, 0])
  expect(valueScale({ least: 0, greatest: 0 }, 100, 0, 3).ticks).toEqual([0, 1])
})

test('a negative sum has its place below zero, inside of the panel', () => {
  const scale = valueScale({ least: -40, greatest: 95 }, 100, 0, 3)
  expect(scale.ticks).toEqual([-50, 0, 50, 100])
  expect(scale.at(-50)).toBeCloseTo(100)
  expect(scale.at(100)).toBeCloseTo(0)
  expect(scale.at(-40)).toBeGreaterThan(scale.at(0))
  const onlyNegative = valueScale({ least: -7, greatest: -2 }, 100, 0, 3)
  expect([onlyNegative.ticks[0]! <= -7, onlyNegative.ticks.at(-1)]).toEqual([true, 0])
})
