import { expect, test } from 'vitest'
import { readRawRows, withRow } from './raw-rows.ts'

const ROW = { agreementId: '7', publisherId: '101', amount: '-500' }

test.each([
  ['an empty text', '', '契約ID,パブリッシャーID,金額,理由\n7,101,-500,\n'],
  [
    'a header in another order',
    '金額,契約ID,パブリッシャーID\n1,2,3',
    '金額,契約ID,パブリッシャーID\n1,2,3\n-500,7,101\n',
  ],
  [
    'cells of a spreadsheet',
    '契約ID\tパブリッシャーID\t金額\r\n1\t2\t3\r\n',
    '契約ID\tパブリッシャーID\t金額\n1\t2\t3\n7\t101\t-500\n',
  ],
  ['no header yet', '1,2,3', '契約ID,パブリッシャーID,金額,理由\n1,2,3\n7,101,-500,\n'],
])('a row is added to %s', async (_what, text, expected) => {
  const added = withRow(text, 'amounts', ROW)
  expect(added).toBe(expected)
  const { rows, problem } = await readRawRows(added, 'amounts')
  expect(problem).toBeUndefined()
  expect(rows.at(-1)).toMatchObject(ROW)
})

test('of a pool it holds a weight', () => {
  const row = { agreementId: '7', publisherId: '101', weight: '3' }
  expect(withRow('', 'weights', row)).toBe('契約ID,パブリッシャーID,重み\n7,101,3\n')
})
