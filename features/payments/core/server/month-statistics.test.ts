import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { TABLES } from '@pc/platform/stats/tables.ts'
import { openTestStats, STATS_ENGINES } from '@pc/testing/statistics/stats-engines.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { expect, test } from 'vitest'
import { readOwnAds } from './month-statistics.ts'

const FEBRUARY = 202602 as YearMonth

test.each(STATS_ENGINES)(
  '%s: own ads of each publisher, one amount for each day of the month',
  { timeout: 120_000 },
  async engine => {
    const { store, drop } = await openTestStats(engine)
    const none = Object.fromEntries(TABLES.publisher_day.columns.map(([column]) => [column, 0n]))
    const row = (date: string, mediumId: bigint, publisherId: bigint, microYen: bigint) => ({
      ...none,
      ...{ date, batch_no: 1n, medium_id: mediumId, publisher_id: publisherId, ads_revenue_micro_yen: microYen },
    })
    const facts = {
      publisher_day: [
        row('2026-02-01', 1n, 7n, 1_000_000n),
        row('2026-02-28', 1n, 7n, 9_007_199_254_740_993n),
        row('2026-02-10', 1n, 8n, 0n),
        // Another medium, and the days around the month.
        row('2026-02-10', 2n, 7n, 5n),
        row('2026-01-31', 1n, 7n, 5n),
        row('2026-03-01', 1n, 7n, 5n),
      ],
    }
    await importFacts(store, 1n, facts)
    const days = (of: Readonly<Record<number, bigint>>) =>
      Array.from({ length: 28 }, (_, index) => of[index + 1] ?? 0n).join(' ')
    expect([...(await readOwnAds(store, { mediumId: 1n, month: FEBRUARY }))]).toEqual([
      [7n, { microYen: 9_007_199_255_740_993n, days: days({ 1: 1_000_000n, 28: 9_007_199_254_740_993n }) }],
      [8n, { microYen: 0n, days: days({}) }],
    ])
    await drop()
  },
)
