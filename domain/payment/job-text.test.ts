import { expect, test } from 'vitest'
import type { Day } from '../month/day.ts'
import { enteredText, jobKindLabel, jobName, jobText } from './job-text.ts'
import { JOB_KINDS } from './manual-operation.ts'

test('an entry is known by what it is and when it was made', () => {
  expect(JOB_KINDS.map(jobKindLabel)).toEqual([
    'SSP収益の分配',
    '動画SSP収益の分配',
    'ライブSSP収益の分配',
    '個別調整（CSV）',
    '取り消し（リセット）',
  ])
  expect(enteredText('2026-07-03' as Day)).toBe('7月3日登録')
  expect(jobText({ kind: 'ssp', enteredOn: '2026-11-20' as Day })).toBe('「SSP収益の分配」（11月20日登録）')
})

test('in a refusal by its text, and by its number where nothing more is known', () => {
  expect(jobName(12)).toBe('処理12')
  expect(jobName('12')).toBe('処理12')
  expect(jobName('「SSP収益の分配」（7月3日登録）')).toBe('「SSP収益の分配」（7月3日登録）')
})
