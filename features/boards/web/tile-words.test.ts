import { expect, test } from 'vitest'
import { filterText } from './tile-words.ts'

const textOf = (condition: string) => filterText({ report: 'dashboard', condition })

test('a tile says what it is narrowed to: its figures are not those of everything', () => {
  expect(textOf('')).toBe('')
  expect(textOf('publisherId=17')).toBe('パブリッシャー1件で絞り込み')
  expect(textOf('mediumId=1,2&organizationId=3')).toBe('媒体2件・組織1件で絞り込み')
})

test('a tile of publishers that is narrowed to sections says that it counts articles only', () => {
  expect(filterText({ report: 'ranking', condition: 'sectionId=4,5' })).toBe('セクション2件で絞り込み（記事のみ）')
  expect(filterText({ report: 'articles', condition: 'sectionId=4' })).toBe('セクション1件で絞り込み')
  // Videos cannot be narrowed to a section: their tiles ignore one.
  expect(filterText({ report: 'videos', condition: 'sectionId=4' })).toBe('')
})
