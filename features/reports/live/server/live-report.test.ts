import { decide } from '@pc/domain/access/decide.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { csv, ingestFixture } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readLiveToday } from './live-report.ts'

/** Events through the real import, read back by hour. The fixture's clock stands at 2026-11-20, 12:00 in Tokyo. */
const fixture = await ingestFixture()
afterAll(() => fixture.close())
beforeEach(() => fixture.clear())

const EVENT = ['timestamp', 'type', 'medium_id', 'publisher_id', 'kind', 'article_id', 'video_id']
const events = (...rows: (readonly unknown[])[]) => csv(EVENT, rows)
const at = (day: string, time: string) => `2026-11-${day}T${time}+09:00`
const everything = { mediumIds: undefined, organizationIds: undefined, publisherIds: undefined }

const live = (filter: Partial<typeof everything> & object = {}, organizationId: bigint | null = null) => {
  const roles = [organizationId === null ? 'insight:viewer' : 'insight:publisher_admin'] as const
  const uid = '00000000-0000-7000-8000-000000000001'
  const viewer = { uid, email: 'a@example.jp', roles, organizationId, scope: viewerScope(uid, roles, organizationId) }
  const permit = decide(viewer, 'read:list', 'insight:summary_stats.')!
  const { database, stats, clock } = fixture.context
  return readLiveToday({ database, stats, clock }, { ...everything, ...filter }, permit)
}
const impressions = async (...args: Parameters<typeof live>) => {
  const { hours } = await live(...args)
  return hours.flatMap(each => (each.articleImpressions > 0n ? [[each.hour, each.articleImpressions]] : []))
}

test('nothing is known before the first event, which is not zero', async () => {
  expect(await live()).toEqual({ date: '2026-11-20', hours: [], yesterday: [], lastWeek: [], arrivedAt: null })
})

test('hours of Tokyo, of today up to now and of the whole day before', async () => {
  await fixture.take(
    'events',
    events(
      [at('20', '00:00:00'), 'impression', 1, 2, 'article', 5, ''],
      [at('20', '09:59:59'), 'impression', 1, 2, 'article', 5, ''],
      [at('20', '09:00:00'), 'click', 1, 2, 'video', '', 7],
      [at('19', '23:59:59'), 'watch', 1, 2, 'live', '', ''],
      [at('17', '10:00:00'), 'impression', 1, 2, 'article', 5, ''],
    ),
  )
  const { date, hours, yesterday, arrivedAt } = await live()
  expect(date).toBe('2026-11-20')
  expect(hours.map(each => each.hour)).toEqual(Array.from({ length: hours.length }, (_, hour) => hour))
  expect(hours[0]).toMatchObject({ articleImpressions: 1n, videoClicks: 0n })
  expect(hours[9]).toMatchObject({ articleImpressions: 1n, videoClicks: 1n })
  expect(hours[8]).toMatchObject({ articleImpressions: 0n })
  expect(yesterday).toHaveLength(24)
  expect(yesterday[23]).toMatchObject({ liveWatchCount: 1n })
  expect(arrivedAt).not.toBeNull()
  const kept = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('eventHours').select('startsAt').orderBy('startsAt').execute(),
  )
  // Back to the same weekday of last week, and no further.
  expect(kept.map(row => row.startsAt.toISOString())[0]).toBe('2026-11-17T01:00:00.000Z')
})

test('batches add up, a correction takes the place of its predecessor, a repetition changes nothing', async () => {
  const one = (minute: string) => events([at('20', `08:${minute}:00`), 'impression', 1, 2, 'article', 5, ''])
  await fixture.take('events', one('01'), { batchId: 'a' })
  await fixture.take('events', one('02'), { batchId: 'b' })
  await fixture.take('events', one('02'), { batchId: 'b' })
  expect(await impressions()).toEqual([[8, 2n]])
  await fixture.take('events', events([at('20', '07:30:00'), 'impression', 1, 2, 'article', 5, '']), { batchId: 'a' })
  expect(await impressions()).toEqual([
    [7, 1n],
    [8, 1n],
  ])
})

test('the same weekday of last week, hour by hour', async () => {
  await fixture.take(
    'events',
    events(
      [at('20', '08:00:00'), 'click', 1, 2, 'article', 5, ''],
      [at('13', '08:59:59'), 'click', 1, 2, 'article', 5, ''],
      [at('13', '23:00:00'), 'click', 1, 2, 'video', '', 7],
      [at('12', '23:59:59'), 'click', 1, 2, 'article', 5, ''],
      [at('14', '00:00:00'), 'click', 1, 2, 'article', 5, ''],
    ),
  )
  const { hours, lastWeek, yesterday } = await live()
  expect(hours[8]).toMatchObject({ articleClicks: 1n })
  expect(yesterday).toEqual([])
  expect(lastWeek).toHaveLength(24)
  expect(lastWeek.flatMap(each => (each.articleClicks + each.videoClicks > 0n ? [each.hour] : []))).toEqual([8, 23])
})

test('the filter and the rows of the reader', async () => {
  await fixture.take(
    'events',
    events(
      [at('20', '01:00:00'), 'impression', 1, 2, 'article', 5, ''],
      [at('20', '02:00:00'), 'impression', 2, 1, 'article', 6, ''],
    ),
  )
  expect(await impressions({ mediumIds: [1n] } as never)).toEqual([[1, 1n]])
  expect(await impressions({ publisherIds: [1n] } as never)).toEqual([[2, 1n]])
  const { organizationId } = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('publishers').select('organizationId').where('id', '=', 2n).executeTakeFirstOrThrow(),
  )
  const own = await fixture.context.database.inScope(SYSTEM, tx =>
    tx.selectFrom('publishers').select('id').where('organizationId', '=', organizationId).execute(),
  )
  const expected = own.some(({ id }) => id === 1n)
    ? [
        [1, 1n],
        [2, 1n],
      ]
    : [[1, 1n]]
  expect(await impressions({}, organizationId)).toEqual(expected)
  expect(await impressions({}, 999_999n)).toEqual([])
})

test('a day that ends while it is read stays whole', async () => {
  await fixture.take('events', events([at('20', '11:00:00'), 'impression', 1, 2, 'article', 5, '']))
  const { database, stats } = fixture.context
  const midnight = Date.parse('2026-11-21T00:00:00+09:00')
  const ticks = [midnight - 1, midnight]
  const clock = { now: () => ticks.shift() ?? midnight }
  const viewer = {
    uid: '',
    email: '',
    roles: ['insight:viewer'],
    organizationId: null,
    scope: { kind: 'all' },
  } as const
  const permit = decide(viewer, 'read:list', 'insight:summary_stats.')!
  const { date, hours } = await readLiveToday({ database, stats, clock }, everything, permit)
  expect([date, hours.length, hours[11]?.articleImpressions]).toEqual(['2026-11-20', 24, 1n])
})

test('days that are over for long are forgotten', async () => {
  await fixture.take('events', events([at('20', '01:00:00'), 'impression', 1, 2, 'article', 5, '']))
  const later = { ...fixture.context, clock: fixedClock('2026-11-28T00:00:00+09:00') }
  const { database, stats, clock } = later
  const permit = decide(
    { uid: '', email: '', roles: ['insight:viewer'], organizationId: null, scope: { kind: 'all' } },
    'read:list',
    'insight:summary_stats.',
  )!
  expect(await readLiveToday({ database, stats, clock }, everything, permit)).toMatchObject({
    hours: [],
    yesterday: [],
    lastWeek: [],
  })
})
