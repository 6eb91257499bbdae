import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergedColumns } from './merged-columns.ts'

test.each([
  ['nothing elsewhere: as chosen', 'abc', 'cb', 'abc', 'cb'],
  ['one taken in here, one elsewhere', 'ab', 'acb', 'abd', 'acbd'],
  ['one left out here, one elsewhere', 'abcd', 'abc', 'bcd', 'bc'],
  ['the same one taken in at both places', 'ab', 'abc', 'abc', 'abc'],
  ['nothing changed here: as it is elsewhere', 'abc', 'abc', 'ca', 'ca'],
  ['one taken in as the first', 'ab', 'cab', 'ba', 'cba'],
  ['moved here: that order, and what came meanwhile after it', 'abc', 'cab', 'abcd', 'cabd'],
  ['moved here, and left out elsewhere', 'abc', 'cab', 'bc', 'cb'],
])('%s', (_, opened, chosen, now, expected) => {
  expect(mergedColumns([...opened], [...chosen], [...now]).join('')).toBe(expected)
})

test('what one side changed is changed, what neither changed stays, and nothing is twice', () => {
  const columns = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'])
  fc.assert(
    fc.property(columns, columns, columns, (opened, chosen, now) => {
      const merged = mergedColumns(opened, chosen, now)
      for (const id of ['a', 'b', 'c', 'd', 'e']) {
        const [was, here, elsewhere] = [opened, chosen, now].map(list => list.includes(id))
        const isThere = here === was ? elsewhere : here
        expect(merged.filter(one => one === id)).toHaveLength(isThere ? 1 : 0)
      }
    }),
  )
})
