import { expect, test } from 'vitest'
import { filterText } from './tile-words.ts'

const ALL = { mediumIds: [], organizationIds: [], publisherIds: [], authorIds: [], sectionIds: [], tagIds: [] }

test('a tile says what it is narrowed to: its figures are not those of everything', () => {
  expect(filterText(ALL)).toBe('')
  expect(filterText({ ...ALL, publisherIds: ['17'] })).toBe('パブリッシャー1件で絞り込み')
  expect(filterText({ ...ALL, mediumIds: ['1', '2'], organizationIds: ['3'] })).toBe('媒体2件・組織1件で絞り込み')
})
