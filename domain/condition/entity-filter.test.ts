import { expect, test } from 'vitest'
import { filterArguments } from './entity-filter.ts'
import { entityCondition, FILTER_CONDITIONS, filterCountsText, hasFilter, hasLabels } from './filter-conversions.ts'

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

test('a report has the labels that are declared for it, and no others', () => {
  const named = 'authorId=3&mediumId=1&sectionId=40&tagId=5'
  expect(FILTER_CONDITIONS.articles.format(FILTER_CONDITIONS.articles.parse(named))).toBe(
    'mediumId=1&authorId=3&sectionId=40&tagId=5',
  )
  expect(FILTER_CONDITIONS.ranking.format(FILTER_CONDITIONS.ranking.parse(named))).toBe('mediumId=1&sectionId=40')
  expect(FILTER_CONDITIONS.videos.format(FILTER_CONDITIONS.videos.parse(named))).toBe('mediumId=1')
  expect(hasLabels(FILTER_CONDITIONS.ranking.parse(named))).toBe(true)
  expect(hasLabels(FILTER_CONDITIONS.dashboard.parse(named))).toBe(false)
})
