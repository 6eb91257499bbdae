import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { ALERTS_MUTED_KEY } from '@pc/domain/report/alert-preference.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { makeReportFixture, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestDuckDb } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readAnomalyReason } from '../../changes/server/change-texts.ts'
import { COUNT_COLUMNS, SOURCE_REVENUE_COLUMNS } from '../../core/server/summary-sql.ts'
import { readAnomalies } from './anomalies.ts'
import { checkAnomalies } from './check-anomalies.ts'

const { database, drop } = await testDatabase()
const { store: stats, drop: dropStats } = await openTestDuckDb()
afterAll(async () => {
  await drop()
  await dropStats()
})
const fixture = await makeReportFixture(database)
const clock = fixedClock('2026-11-20T12:00:00+09:00')
const TODAY = day('2026-11-20')
const mails: Mail[] = []
const jobs = {
  enqueue: async (_tx: unknown, _kind: unknown, mail: Mail) => {
    mails.push(mail)
    return 'id'
  },
} as unknown as Jobs
const check = () =>
  checkAnomalies({ stats, database, clock, jobs, webOrigin: 'https://pc.example', readReason: readAnomalyReason })

const [first, second] = [fixture.publishers[1]!, fixture.publishers[5]!]
const ZERO = Object.fromEntries([...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS].map(name => [name, 0n]))
let batchNo = 0n
/** A day of both publishers on medium 1; each has 10,000 impressions, 500 clicks and 2,000 yen unless it says otherwise. */
async function deliver(date: Day, ofFirst: Partial<FactRow> | null = {}, ofSecond: Partial<FactRow> | null = {}) {
  batchNo += 1n
  const row = (publisherId: bigint, more: Partial<FactRow>): FactRow => ({
    ...{ ...ZERO, date, medium_id: 1n, publisher_id: publisherId, batch_no: batchNo, follower: null },
    ...{ article_impression: 9_000n, video_impression: 1_000n, article_click: 500n },
    ...{ publisher_revenue_micro_yen: 2_000_000_000n, ads_revenue_micro_yen: 4_000_000_000n },
    ...more,
  })
  const rows = [ofFirst && row(first.id, ofFirst), ofSecond && row(second.id, ofSecond)]
  await importFacts(stats, batchNo, { publisher_day: rows.filter(one => one !== null) })
}
const alerts = () =>
  database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('figureAlerts')
      .select(['publisherId', 'figure', 'direction', 'beganOn', 'lastOn', 'endedOn', 'value', 'usual'])
      .orderBy('id')
      .execute(),
  )
const seen = (person: ReportPerson) =>
  readAnomalies(
    database,
    { mediumIds: undefined, organizationIds: undefined, publisherIds: undefined },
    { limit: 10, offset: 0 },
    fixture.permitOf(person, 'read:list', 'insight:summary_stats.'),
  )
/** The next day arrives and is looked at. */
let at = addDays(TODAY, -1)
async function nextDay(ofFirst?: Partial<FactRow> | null, ofSecond?: Partial<FactRow> | null) {
  at = addDays(at, 1)
  clock.set(`${addDays(at, 1)}T12:00:00+09:00`)
  await deliver(at, ofFirst, ofSecond)
  return check()
}

beforeAll(async () => {
  await database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('roles')
      .values([{ name: 'insight:publisher_admin' }, { name: 'insight:viewer' }])
      .execute()
    const uid = fixture.permitOf('admin', 'read:list', 'insight:summary_stats.').viewer.uid
    await tx.insertInto('userRoles').values({ uid, roleName: 'insight:publisher_admin' }).execute()
    await tx.updateTable('users').set({ emailVerifiedAt: new Date() }).execute()
  })
  for (let back = 57; back > 0; back -= 1) await deliver(addDays(TODAY, -back))
})
beforeEach(() => {
  mails.length = 0
})

test('days as usual raise nothing, and are looked at once', async () => {
  expect(await check()).toEqual([{ mediumId: 1n, day: '2026-11-19', begun: 0, ended: 0, isInCommon: false }])
  expect(await check()).toEqual([])
  expect([await alerts(), mails]).toEqual([[], []])
})

test('a drop raises one alert, is notified once, goes on, and clears once', async () => {
  // Impressions fall to a fifth; clicks and revenue stay.
  const low = { article_impression: 1_000n, video_impression: 1_000n }
  expect(await nextDay(low)).toMatchObject([{ day: '2026-11-20', begun: 1, ended: 0 }])
  const alert = {
    ...{ publisherId: first.id, figure: 'impressions', direction: 'drop', beganOn: '2026-11-20', endedOn: null },
    ...{ value: 2_000n, usual: 10_000n },
  }
  expect(await alerts()).toEqual([{ ...alert, lastOn: '2026-11-20' }])
  expect(mails.map(({ to }) => to)).toEqual(['admin@example.jp'])
  expect(mails[0]!.subject).toBe('数値の急な変化のお知らせ（メディア1、11月20日）')
  expect(mails[0]!.text).toContain('表示回数が減りました。2,000回（ふだんの金曜日は10,000回）')
  expect(mails[0]!.text).toContain('前の週の同じ曜日との比較では、いちばんの要因は、記事の減少（−8,000回）です。')
  expect(mails[0]!.text).toContain(`from=2026-11-07&to=2026-11-20&mediumId=1&publisherId=${first.id}`)

  // 6,000 would not begin anything, but it is not back yet either.
  expect(await nextDay({ article_impression: 5_000n })).toMatchObject([{ begun: 0, ended: 0 }])
  expect(await alerts()).toEqual([{ ...alert, lastOn: '2026-11-21', value: 6_000n }])
  expect(await nextDay()).toMatchObject([{ begun: 0, ended: 1 }])
  expect(await alerts()).toEqual([{ ...alert, lastOn: '2026-11-21', value: 6_000n, endedOn: '2026-11-22' }])
  expect(await nextDay()).toMatchObject([{ begun: 0, ended: 0 }])
  expect(mails).toHaveLength(1)
})

test('everybody sees the own publishers only, and hears of them only', async () => {
  await nextDay({ article_click: 0n }, { publisher_revenue_micro_yen: 9_000_500_000n })
  expect(fixture.organizationIds[0]).toBe(first.organizationId)
  expect(fixture.organizationIds[1]).toBe(second.organizationId)
  const clicks = {
    publisherId: first.id,
    mediumId: 1n,
    mediumName: 'メディア1',
    figure: 'clicks',
    value: 0n,
    usual: 500n,
  }
  const revenue = { publisherId: second.id, figure: 'revenue', direction: 'rise', value: 9_000_500_000n }
  expect(await seen('staff')).toMatchObject({ total: 2, nodes: [clicks, revenue] })
  expect(await seen('admin')).toMatchObject({ total: 1, nodes: [clicks] })
  const worksFor = fixture.editorPairs.has(`1 ${first.id}`)
  expect(await seen('editor')).toMatchObject(worksFor ? { total: 1, nodes: [clicks] } : { total: 0, nodes: [] })
  expect(await seen('idleEditor')).toEqual({ total: 0, nodes: [] })
  // The other organisation has nobody who could be told.
  expect(mails.map(({ to }) => to)).toEqual(['admin@example.jp'])
  expect(mails[0]!.text).not.toContain('収益')
  await nextDay()
  expect(await seen('staff')).toEqual({ total: 0, nodes: [] })
})

test('who has muted them is not written to; a publisher without a row had nothing', async () => {
  const uid = fixture.permitOf('admin', 'read:list', 'insight:summary_stats.').viewer.uid
  await database.inScope(SYSTEM, tx =>
    tx.insertInto('preferences').values({ uid, key: ALERTS_MUTED_KEY, value: sql<string>`'true'::jsonb` }).execute(),
  )
  expect(await nextDay(null)).toMatchObject([{ begun: 3 }])
  expect(mails).toEqual([])
  expect(await seen('admin')).toMatchObject({ total: 3 })
  await nextDay()
})

test('a day is looked at when nothing of it has arrived for an hour, days that were missed are caught up with', async () => {
  at = addDays(at, 1)
  await deliver(at)
  at = addDays(at, 1)
  await deliver(at)
  clock.set(`${addDays(at, 1)}T12:00:00+09:00`)
  const arrived = (minutesAgo: number) => ({
    ...{ dataset: 'summary-daily', batchId: `b${minutesAgo}`, contentSha256: 'x', state: 'applied' },
    appliedAt: new Date(clock.now() - minutesAgo * 60_000),
  })
  await database.inScope(SYSTEM, tx => tx.insertInto('ingestBatches').values(arrived(59)).execute())
  expect(await check()).toEqual([])
  await database.inScope(SYSTEM, tx => tx.deleteFrom('ingestBatches').execute())
  await database.inScope(SYSTEM, tx => tx.insertInto('ingestBatches').values(arrived(60)).execute())
  expect((await check()).map(one => one.day)).toEqual([addDays(at, -1), at])
})

test('a medium that delivers nothing on a day says nothing of its publishers', async () => {
  at = addDays(at, 2)
  await deliver(at)
  clock.set(`${addDays(at, 1)}T12:00:00+09:00`)
  expect((await check()).map(one => one.day)).toEqual([at])
  expect((await seen('staff')).total).toBe(0)
})
