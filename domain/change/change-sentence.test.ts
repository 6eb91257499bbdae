import { expect, test } from 'vitest'
import type { NamedPart } from './change-cause.ts'
import { changeSentence, type NamedChange } from './change-sentence.ja.ts'

const YEN = 1_000_000n
const part = (label: string, shareBefore: number, yen: bigint): NamedPart => ({
  ...{ id: label, kind: 'changed', label, unit: 'yen', before: 0n, now: 0n, shareBefore },
  ...{ difference: yen * YEN, steps: yen },
})
const change = (media: readonly NamedPart[], before = 1_000_000n, now = 1_100_000n): NamedChange => ({
  ...{ label: '収益', unit: 'yen', compareWith: 'previous_period', factors: [] },
  ...{ before: before * YEN, now: now * YEN, difference: (now - before) * YEN },
  dimensions: [{ dimension: 'medium', parts: media }],
})

test('all media move alike: none of them is the reason', () => {
  const media = [part('あおい', 0.6, 62_000n), part('みどり', 0.4, 38_000n)]
  expect(changeSentence(change(media))).toContain('特定の媒体には、かたよっていません。')
})

test.each([
  ['the only one', [part('あおい', 1, 100_000n)]],
  ['one against the other', [part('あおい', 0.5, 1_000_000n), part('みどり', 0.5, -900_000n)]],
  ['a small one that moves a lot', [part('あおい', 0.99, 55_000n), part('みどり', 0.01, 45_000n)]],
])('is not said of media: %s', (_, media) => {
  expect(changeSentence(change(media))).not.toContain('かたよって')
})

test.each([0.9, 1])('articles without a section are not the reason where a publisher explains as much', share => {
  const yen = BigInt(Math.round(100_000 * share))
  const parts = [{ ...part('未設定', 0.1, 100_000n), id: '0' }, part('経済', 0.9, 0n)]
  const dimensions = [
    { dimension: 'section', parts },
    { dimension: 'publisher', parts: [part('あさひ出版', 0.1, yen), part('みどり', 0.9, 100_000n - yen)] },
  ] as const
  expect(changeSentence({ ...change([]), dimensions })).toContain('あさひ出版')
  expect(changeSentence({ ...change([]), dimensions: dimensions.slice(0, 1) })).toContain('未設定')
})

test('times are told as times', () => {
  const play = {
    ...change([]),
    label: '再生時間',
    unit: 'seconds',
    before: 0n,
    now: 3_723_999n,
    difference: 3_723_999n,
  } as const
  expect(changeSentence(play)).toBe('再生時間は、前の期間より1時間2分3秒増えました。')
  const average = { ...play, label: '平均再生時間', unit: 'secondsPerWatch', before: 9_000n, now: 4_000n } as const
  expect(changeSentence({ ...average, difference: -5_000n })).toBe(
    '平均再生時間は、前の期間より5秒（−55.5%）短くなりました。',
  )
})

test('the percentage is that of the figures as they are shown', () => {
  const shown = { ...change([]), before: 10_900_000n, now: 15_100_000n, difference: 4_200_000n }
  expect(changeSentence(shown)).toContain('5円（+50.0%）')
})
