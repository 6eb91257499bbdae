import { expect, test } from 'vitest'
import { type FilteredReport, filterArguments, REPORT_FILTERS } from './entity-filter.ts'
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

test.each(Object.keys(REPORT_FILTERS) as FilteredReport[])(
  '%s has the labels that are declared for it, and no others',
  report => {
    const { parse, format } = FILTER_CONDITIONS[report]
    const declared = ['authorId', 'sectionId', 'tagId'].filter(name => name in REPORT_FILTERS[report])
    const ids: Readonly<Record<string, string>> = { authorId: '3', sectionId: '40', tagId: '5' }
    const read = parse('authorId=3&mediumId=1&sectionId=40&tagId=5')
    expect(format(read as never)).toBe(['mediumId=1', ...declared.map(name => `${name}=${ids[name]}`)].join('&'))
    expect(hasLabels(read)).toBe(declared.length > 0)
  },
)

test('articles have all labels, the ranking has sections', () => {
  expect(Object.keys(REPORT_FILTERS.articles)).toEqual(expect.arrayContaining(['authorId', 'sectionId', 'tagId']))
  expect(Object.keys(REPORT_FILTERS.ranking)).toContain('sectionId')
})
