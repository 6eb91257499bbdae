import { expect, test } from 'vitest'
import { filterArguments } from './entity-filter.ts'
import { entityCondition, filterCountsText, hasFilter } from './filter-conversions.ts'

test('the filters of a condition become arguments, words and an address, and nothing chosen is none of them', () => {
  const nothing = entityCondition.parse(undefined)
  expect(filterArguments(nothing)).toEqual({})
  expect(filterCountsText(nothing)).toBe('')
  expect(hasFilter(nothing)).toBe(false)
  const chosen = entityCondition.parse('mediumId=2,1&publisherId=7')
  expect(filterArguments({ ...chosen, sectionId: ['40'] })).toEqual({
    mediumIds: ['1', '2'],
    publisherIds: ['7'],
    sectionIds: ['40'],
  })
  expect(filterCountsText(chosen)).toBe('媒体2件・パブリッシャー1件')
  expect(hasFilter(chosen)).toBe(true)
  expect(entityCondition.format(chosen)).toBe('mediumId=1,2&publisherId=7')
})
