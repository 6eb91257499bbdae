import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('long texts are cut after characters, not after halves of them', () => {
  expect(truncate('𠮷野家の朝', 3)).toBe('𠮷野家…')
  expect(truncate('短い', 3)).toBe('短い')
})
