import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { firstDayOf, lastDayOf, monthRange, yearMonth } from '@pc/domain/month/year-month.ts'
import { FORECAST_HISTORY_DAYS, forecastMonth } from '@pc/domain/report/month-forecast.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoDays } from './demo-contents.ts'
import { insertMasterData } from './demo-master-data.ts'
import { demoDay } from './demo-statistics.ts'

const { database, ownerUrl, drop } = await testDatabase()
afterAll(drop)

const LAST_MONTH = yearMonth(2026, 7)
const MONTHS = monthRange(yearMonth(2026, 5), LAST_MONTH)
const FIRST = addDays(day('2026-05-01'), -FORECAST_HISTORY_DAYS)
const [IMPRESSIONS, REVENUE] = [4, 17]
type Series = Map<Day, bigint>
/** Series by medium, publisher and column of the delivery, and sums over all of them. */
const ofOne = new Map<string, Series>()
const ofAll = new Map<string, Series>()

function add(to: Map<string, Series>, key: string, date: Day, value: bigint) {
  const series = to.get(key) ?? new Map()
  to.set(key, series.set(date, (series.get(date) ?? 0n) + value))
}

/** Limits the duration of statements: none may write so many contents that a busy machine cannot finish it in time. */
async function limitStatements(): Promise<void> {
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  await owner.query(`create function public.few() returns trigger language plpgsql as $$ begin
    if (select count(*) from made) > 500 then raise 'too many at a time'; end if; return null; end $$`)
  for (const table of ['medium_articles', 'videos'])
    await owner.query(`create trigger few after insert on public.${table} referencing new table as made
      for each statement execute function public.few()`)
  await owner.end()
}

beforeAll(async () => {
  await limitStatements()
  const period = { first: FIRST, last: lastDayOf(LAST_MONTH) }
  const channels = await database.inScope(SYSTEM, tx => insertMasterData(tx, period))
  for (const date of demoDays(period.first, period.last)) {
    for (const line of demoDay(channels, date).summaries) {
      const cells = line.split(',')
      for (const at of [IMPRESSIONS, REVENUE]) {
        add(ofOne, `${cells[1]} ${cells[2]} ${at}`, date, BigInt(cells[at]!))
        add(ofAll, `${at}`, date, BigInt(cells[at]!))
      }
    }
  }
})

/** Compares the forecast after the 10th of each month with the month's actual total. */
function backtest(all: ReadonlyMap<string, Series>) {
  const errors: number[] = []
  let inside = 0
  for (const series of all.values()) {
    for (const month of MONTHS) {
      const end = addDays(firstDayOf(month), 9)
      const known = new Map([...series].filter(([date]) => date <= end))
      const forecast = forecastMonth(month, known)
      const days = demoDays(firstDayOf(month), lastDayOf(month))
      const actual = days.reduce((sum, date) => sum + (series.get(date) ?? 0n), 0n)
      if (!forecast || actual === 0n) continue
      errors.push(Math.abs(Number(forecast.expected - actual)) / Number(actual))
      if (forecast.low <= actual && actual <= forecast.high) inside += 1
    }
  }
  return {
    count: errors.length,
    error: errors.reduce((sum, one) => sum + one, 0) / errors.length,
    inside: inside / errors.length,
  }
}

test('ten days into a month its forecast is near, and most months end inside of the range', () => {
  const [one, all] = [backtest(ofOne), backtest(ofAll)]
  expect(one.count).toBeGreaterThan(400)
  expect(one.error).toBeLessThan(0.09)
  expect(one.inside).toBeGreaterThan(0.7)
  expect(all.error).toBeLessThan(0.04)
})
