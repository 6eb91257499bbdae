import { expect, test } from 'vitest'
import { RECORD_REFUSALS_JA } from './record-refusals.ja.ts'

const text = RECORD_REFUSALS_JA['record/edited-by-other']

test('who was faster is named with the day as screens write it', () => {
  expect(text({ editedBy: 'a@example.jp', editedAt: '2026-11-21 16:41' })).toMatch(
    /^a@example\.jpさんが2026年11月21日 16:41にこの内容を変更しました。/,
  )
})

test('where nobody is named, nothing is made up', () => {
  expect(text({ editedBy: '', editedAt: '' })).toMatch(/^ほかの方が先にこの内容を変更しました。/)
})
