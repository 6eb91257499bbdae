import { expect, test } from 'vitest'
import { fieldNamesOf, fieldsOf, givenOf } from './record-fields.ts'

const names = fieldNamesOf({ name: '名前', notes: '備考' })

test('of a row only the named fields are taken; one that the row lacks is not made up', () => {
  expect(fieldsOf(names, { id: 1n, name: 'a', notes: null })).toEqual({ name: 'a', notes: null })
  expect(Object.keys(fieldsOf(names, { id: 1n, name: 'a' }))).toEqual(['name'])
})

test('what was not given overwrites nothing, what was emptied does', () => {
  expect({ name: 'a', notes: 'b', ...givenOf({ name: undefined, notes: null }) }).toEqual({ name: 'a', notes: null })
})
