import { expect, test } from 'vitest'
import { moveCursor } from './point-cursor.ts'

test('keys move by a point, by seven, and to both ends, and stop there', () => {
  expect(['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'].map(key => moveCursor(key, 4, 10))).toEqual([
    3, 5, 0, 9, 0, 9,
  ])
  expect([moveCursor('ArrowLeft', 0, 10), moveCursor('ArrowRight', 9, 10)]).toEqual([0, 9])
})

test('without a point the first key to the left is at the last one; Escape leaves, other keys change nothing', () => {
  expect([moveCursor('ArrowLeft', undefined, 10), moveCursor('ArrowRight', undefined, 10)]).toEqual([9, 9])
  expect([moveCursor('Escape', 4, 10), moveCursor('a', 4, 10), moveCursor('a', undefined, 10)]).toEqual([
    undefined,
    4,
    undefined,
  ])
})
