import { expect, test } from 'vitest'
import { FrequentStatements } from './prepared-read.ts'

const often = (frequent: FrequentStatements, text: string, values: readonly unknown[] = []) =>
  Array.from({ length: 6 }, () => frequent.find(text, values)?.name !== undefined)

test('a statement is worth preparing from its fourth time on, under one name', () => {
  const frequent = new FrequentStatements()
  expect(often(frequent, 'select a from b where c = $1', [1n])).toEqual([false, false, false, true, true, true])
  const names = ['select a from b where c = $1', 'select a from b where d = $1'].map(text => {
    often(frequent, text, [1n])
    return frequent.find(text, [2n])?.name
  })
  expect(new Set(names).size).toBe(2)
  expect(frequent.find('select a from b where c = $1', ['x'])).toEqual({
    name: names[0],
    text: 'select a from b where c = $1',
    values: ['x'],
  })
})

test('not one of all columns, of many values or of large ones', () => {
  const frequent = new FrequentStatements()
  for (const text of [
    'select * from a',
    'select "a".* from a',
    'insert into a values (1) returning *',
    'select b, * from a',
  ])
    expect(often(frequent, text), text).toEqual(Array(6).fill(false))
  expect(often(frequent, 'select count(*), 2 * b from a')).toContain(true)
  const many = Array.from({ length: 13 }, (_, n) => n)
  expect(often(frequent, 'select a from b where c in (…)', many)).toEqual(Array(6).fill(false))
  const text = 'select a from b where c = any($1)'
  expect(often(frequent, text, [many])).toContain(true)
  expect(frequent.find(text, [Array.from({ length: 201 }, (_, n) => n)])).toBeUndefined()
  expect(frequent.find(text, ['x'.repeat(1_001)])).toBeUndefined()
})

test('only so many in all, however many there are', () => {
  const frequent = new FrequentStatements()
  const kept = Array.from({ length: 1_000 }, (_, n) => often(frequent, `select ${n}`).at(-1)).filter(Boolean)
  expect(kept).toHaveLength(64)
})
