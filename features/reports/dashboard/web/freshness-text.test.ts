import type { Day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { freshnessOf } from './freshness-text.ts'

const today = '2026-11-21' as Day
const until = (dataUntil: string | null, articleDataUntil = dataUntil, videoDataUntil = dataUntil) => ({
  dataUntil,
  articleDataUntil,
  videoDataUntil,
  lateMedia: [],
})

test('one day where all sources are equally far, with the year only when it is another', () => {
  expect(freshnessOf(until('2026-11-19'), today)).toBe('集計済み：11月19日まで')
  expect(freshnessOf(until('2025-12-31'), today)).toBe('集計済み：2025年12月31日まで')
})

test('each source where they differ', () => {
  expect(freshnessOf(until('2026-11-19', '2026-11-18'), today)).toBe(
    '集計済み：全体 11月19日まで・記事 11月18日まで・動画 11月19日まで',
  )
  expect(freshnessOf(until('2026-11-19', '2026-11-19', null), today)).toBe(
    '集計済み：全体 11月19日まで・記事 11月19日まで・動画 データなし',
  )
})

test('a medium that is behind is named', () => {
  const lateMedia = [{ mediumId: '2', name: 'みどり', dataUntil: '2026-11-18' }]
  expect(freshnessOf({ ...until('2026-11-19'), lateMedia }, today)).toBe(
    '集計済み：11月19日まで（媒体「みどり」は11月18日まで）',
  )
})

test('nothing has arrived', () => {
  expect(freshnessOf(until(null), today)).toBe('集計済みのデータはまだありません')
})
