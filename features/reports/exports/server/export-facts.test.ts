import { day } from '@pc/domain/month/day.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { expect, test } from 'vitest'
import { exportFacts } from './export-facts.ts'

const run = (from: string, to: string) => ({ from: day(from), to: day(to) })
/** The facts of a file without filters, which asks the database for no name. */
async function factsOf(more: Partial<Parameters<typeof exportFacts>[2]>) {
  const filter = { mediumIds: undefined, organizationIds: undefined, publisherIds: undefined }
  const about: Parameters<typeof exportFacts>[2] = {
    range: run('2026-11-01', '2026-11-30'),
    compareWith: 'previous_period',
    compared: null,
    hasComparedRows: false,
    lateMedia: [],
    granularity: 'daily',
    filter,
    dataUntil: day('2026-11-19'),
    ...more,
  }
  const parts = { database: undefined as never, clock: fixedClock('2026-11-20T10:00:00+09:00') }
  return new Map(await exportFacts(parts, { kind: 'all' }, about))
}

test('the heading says what the rows are compared with, also where all of them together are not', async () => {
  expect((await factsOf({})).get('比較')).toBe('前の期間（比較できるデータがありません）')
  expect((await factsOf({ hasComparedRows: true })).get('比較')).toBe(
    '前の期間（合計は比較できません。データのある行だけを比べています）',
  )
  const compared = run('2026-10-02', '2026-10-20')
  expect((await factsOf({ compared, hasComparedRows: true })).get('比較')).toBe(
    '前の期間（2026年10月2日〜2026年10月20日）',
  )
})

test('a medium that is behind is named', async () => {
  const lateMedia = [{ mediumId: 2n, name: 'みどり', dataUntil: day('2026-11-18') }]
  const facts = await factsOf({ compared: run('2026-10-02', '2026-10-20'), hasComparedRows: true, lateMedia })
  expect(facts.get('比較')).toBe(
    '前の期間（2026年10月2日〜2026年10月20日。媒体ごとに、届いている日どうしを比べています）',
  )
  expect(facts.get('集計済み')).toBe('2026年11月19日まで（媒体「みどり」は2026年11月18日まで）')
})

test('where only articles count, the heading says what is not included', async () => {
  expect((await factsOf({ isOfArticlesOnly: true })).get('集計の対象')).toMatch(/SSP.*動画.*含みません/)
  expect((await factsOf({})).has('集計の対象')).toBe(false)
})
