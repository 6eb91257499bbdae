import { expect, test } from 'vitest'
import { plainTile } from './board-store.ts'

const TILE = {
  ...({ id: 't1', title: '収益', shape: 'table', figure: 'revenue', granularity: 'daily' } as const),
  ...({ period: 'last7', from: null, to: null, width: 1, height: 1 } as const),
}

test('a tile that is stored with lists of ids is read with its condition', () => {
  const lists = { mediumIds: ['2', '1'], organizationIds: [], publisherIds: ['7'] }
  expect(plainTile({ ...TILE, report: 'ranking', ...lists })).toEqual({
    ...{ ...TILE, report: 'ranking', compareWith: null, groupBy: null },
    condition: 'mediumId=1,2&publisherId=7',
  })
  const labels = { authorIds: [], sectionIds: ['40'], tagIds: ['5'] }
  const { condition } = plainTile({ ...TILE, report: 'articles', groupBy: 'tag', ...lists, ...labels })
  expect(condition).toBe('mediumId=1,2&publisherId=7&sectionId=40&tagId=5')
  expect(plainTile({ ...TILE, report: 'dashboard', mediumIds: [], organizationIds: [], publisherIds: [] })).toEqual(
    plainTile({ ...TILE, report: 'dashboard', compareWith: null, groupBy: null, condition: '' }),
  )
})
