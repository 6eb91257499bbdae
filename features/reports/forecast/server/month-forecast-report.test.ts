import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { yearMonth } from '@pc/domain/month/year-month.ts'
import { FORECAST_HISTORY_DAYS, forecastMonth } from '@pc/domain/report/month-forecast.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { makeReportFixture, REPORT_MEDIA, type ReportPerson } from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom, randomPublisherFacts } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EntityFilter } from '../../core/server/report-scope.ts'
import { readMonthForecast } from './month-forecast-report.ts'

/** The forecast over real stores, against days that are summed up again in plain TypeScript from the same rows. */
const MONTH = yearMonth(2026, 3)
const clock = fixedClock('2026-03-20T10:00:00+09:00')
const FIRST = addDays(day('2026-03-01'), -FORECAST_HISTORY_DAYS)
const { database, drop } = await testDatabase()
afterAll(drop)
const { publishers, permitOf, maySee } = await makeReportFixture(database)
const rows = randomPublisherFacts(randomFrom(11), {
  from: addDays(FIRST, -3),
  days: FORECAST_HISTORY_DAYS + 25, // to the 22nd: today and two days that have not come
  publisherIds: publishers.map(({ id }) => id),
  mediumIds: REPORT_MEDIA,
  batchNo: 1n,
  gaps: 0.1,
})
  .publisher_day!.map(row => ({ ...row, ssp_revenue_micro_yen: 1_000_000n }) as FactRow)
  // The last medium is two days late; the second has lost a day.
  .filter(row => !(row.medium_id === 9n && row.date! > '2026-03-17' && row.date! < '2026-03-20'))
  .filter(row => !(row.medium_id === 2n && row.date === '2026-03-05'))

const everything: EntityFilter = { mediumIds: undefined, organizationIds: undefined, publisherIds: undefined }
const IMPRESSIONS = ['article_impression', 'video_impression', 'live_impression'] as const

function expected(person: ReportPerson, filter: EntityFilter, columns: readonly string[]) {
  // The editor's agreements are of the first two media.
  const own = person === 'editor' ? REPORT_MEDIA.slice(0, 2) : REPORT_MEDIA
  const media = own.filter(id => filter.mediumIds?.includes(id) ?? true)
  const isLate = (date: string) =>
    (media.includes(9n) && date > '2026-03-17') || (media.includes(2n) && date === '2026-03-05')
  const known = new Map<Day, bigint>()
  for (let date = FIRST; date < '2026-03-20'; date = addDays(date, 1)) {
    if (isLate(date)) continue
    const seen = rows.filter(
      row =>
        row.date === date &&
        maySee(person, row.medium_id, row.publisher_id) &&
        media.includes(row.medium_id as bigint) &&
        (filter.publisherIds ?? [row.publisher_id]).includes(row.publisher_id as bigint),
    )
    if (seen.length > 0 || known.size > 0)
      known.set(
        date,
        seen.reduce((sum, row) => columns.reduce((all, name) => all + (row[name] as bigint), sum), 0n),
      )
  }
  return forecastMonth(MONTH, known)
}

describe.each(STATS_ENGINES)('on %s', engineName => {
  let engine: StatsEngine
  beforeAll(async () => {
    engine = await openTestStats(engineName)
    await importFacts(engine.store, 1n, { publisher_day: rows })
  })
  afterAll(() => engine?.drop())
  const read = (person: ReportPerson, filter: EntityFilter) =>
    readMonthForecast(
      { stats: engine.store, database, clock },
      filter,
      permitOf(person, 'read:list', 'insight:summary_stats.'),
    )

  test.each(['staff', 'admin', 'editor'] as const)('%s: the days of the own rows that are complete', async person => {
    for (const filter of [
      everything,
      { ...everything, mediumIds: [1n] },
      { ...everything, mediumIds: [1n, 9n], publisherIds: [publishers[1]!.id, publishers[6]!.id] },
    ]) {
      const report = await read(person, filter)
      expect(report.forecast(...IMPRESSIONS)).toEqual(expected(person, filter, IMPRESSIONS) ?? null)
      expect(report.forecast('publisher_revenue_micro_yen')).toEqual(
        expected(person, filter, ['publisher_revenue_micro_yen']) ?? null,
      )
    }
  })

  test('how many days are known, and until when', async () => {
    expect(await read('staff', everything)).toMatchObject({
      ...{ month: MONTH, days: 31, knownDays: 16, dataUntil: '2026-03-17' },
    })
    expect(await read('staff', { ...everything, mediumIds: [1n] })).toMatchObject({
      ...{ knownDays: 19, dataUntil: '2026-03-19' },
    })
    expect((await read('staff', everything)).forecast(...IMPRESSIONS)).not.toBeNull()
    const nobody = await read('idleEditor', everything)
    expect([nobody.knownDays, nobody.dataUntil, nobody.forecast(...IMPRESSIONS)]).toEqual([0, null, null])
  })
})
