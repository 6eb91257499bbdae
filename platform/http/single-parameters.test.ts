import { expect, test } from 'vitest'
import { singleParameters } from './single-parameters.ts'

const read = (query: string) => singleParameters(new URL(`https://a.example/?${query}`))

test('each parameter once, decoded', () => {
  expect(read('name=a%26b&size=')).toEqual({ name: 'a&b', size: '' })
  expect(read('')).toEqual({})
})

test('a parameter that stands there twice is refused, also with the same value or another spelling', () => {
  expect(read('name=a&name=a')).toBeUndefined()
  expect(read('name=a&n%61me=b')).toBeUndefined()
})
