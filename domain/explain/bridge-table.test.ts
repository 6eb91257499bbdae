import { expect, test } from 'vitest'
import { bridgeFileName, bridgeTable } from './bridge-table.ts'

const BRIDGE = {
  month: '2026-07',
  steps: [
    { label: '速報', amount: 1000, level: 1000, lines: [] },
    {
      label: '調整',
      amount: -40,
      level: 960,
      lines: [
        { label: '訂正', amount: -50 },
        { label: '追加', amount: 10 },
      ],
    },
  ],
}

test('a step is a row with the running sum; its lines stand below it without one', () => {
  expect(bridgeTable(BRIDGE)).toEqual([
    ['発生月', '項目', '内訳', '金額（円）', '累計（円）'],
    ['2026-07', '速報', '', 1000, 1000],
    ['2026-07', '調整', '', -40, 960],
    ['2026-07', '調整', '訂正', -50, ''],
    ['2026-07', '調整', '追加', 10, ''],
  ])
  expect(bridgeFileName(BRIDGE)).toBe('速報から確定まで_2026-07.csv')
})
