import { addDays, type Day, daysBetween } from '@pc/domain/month/day.ts'
import { firstDayOf, lastDayOf, type YearMonth } from '@pc/domain/month/year-month.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import { joined, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { MonthKey } from './month-key.ts'

/** A publisher's own-ads source amounts of a month, in micro-yen. */
export interface OwnAds {
  readonly microYen: bigint
  /** One amount for each day from the first, separated by spaces: as it is kept with the month. */
  readonly days: string
}
export type OwnAdsOfMonth = ReadonlyMap<bigint, OwnAds>

/** A rule's days in a snapshot: the text of {@link OwnAds}, or a list in months that an early version stored. */
export type KeptDays = string | readonly bigint[]

/** Micro-yen of each day, from the first. */
export function ownAdsOfDays(days: KeptDays): readonly bigint[] {
  return (typeof days === 'string' ? days.split(' ') : days).map(BigInt)
}

/** For queries of a whole month, in the statistics store. */
const TIMEOUT_MS = 60_000

/**
 * The own ads of each publisher. The statistics store writes the days as text, as they are kept: a month has millions of
 * amounts, which would be slow to convert here.
 */
export async function readOwnAds(stats: StatsStore, { mediumId, month }: MonthKey): Promise<OwnAdsOfMonth> {
  const days = daysOf(month)
  const texts = days.map(date => {
    const amount = sumInt(sql`case when date = ${date} then ads_revenue_micro_yen else 0 end`)
    return sql`cast(cast(${amount} as bigint) as varchar)`
  })
  const rows = await stats.query(
    sql`select publisher_id as publisher, cast(${sumInt(sql`ads_revenue_micro_yen`)} as bigint) as total,
        concat_ws(' ', ${joined(texts, sql`, `)}) as amounts
      from ${table('publisher_day')}
      where medium_id = ${mediumId} and date between ${firstDayOf(month)} and ${lastDayOf(month)}
      group by publisher_id order by publisher_id`,
    { timeoutMs: TIMEOUT_MS },
  )
  return new Map(
    rows.map(row => [row.publisher as bigint, { microYen: row.total as bigint, days: row.amounts as string }]),
  )
}

/** Every day of the month, in order. */
export function daysOf(month: YearMonth): readonly Day[] {
  const first = firstDayOf(month)
  return Array.from({ length: daysBetween(first, lastDayOf(month)) + 1 }, (_, index) => addDays(first, index))
}

/** Days of the month on which publishers of the medium have figures. Figures of the batches in `notOf` do not count. */
export async function readDaysWithStatistics(
  stats: StatsStore,
  { mediumId, month }: MonthKey,
  notOf: readonly bigint[],
): Promise<ReadonlySet<Day>> {
  const ofMonth = sql`medium_id = ${mediumId} and date between ${firstDayOf(month)} and ${lastDayOf(month)}`
  const rows = await stats.query(
    notOf.length === 0
      ? sql`select distinct date as day from ${table('medium_day')} where ${ofMonth} order by date`
      : sql`select distinct date as day from ${table('publisher_day')}
          where ${ofMonth} and not (batch_no in ${notOf}) order by date`,
    { timeoutMs: TIMEOUT_MS },
  )
  return new Set(rows.map(row => row.day as Day))
}

export interface FirstDays {
  /** The first day with publishers' figures, from which payments are computed. */
  readonly ofPublishers: Day | undefined
  /** The first day with any figures, those of articles and videos included. */
  readonly ofAny: Day
}

/** The first days of each medium that has figures. */
export async function readFirstDays(stats: StatsStore): Promise<ReadonlyMap<bigint, FirstDays>> {
  const rows = await stats.query(
    sql`${joined(
      (['medium_day', 'medium_article_day', 'medium_video_day'] as const).map(
        (name, index) =>
          sql`select ${BigInt(index)} as source, medium_id as medium, min(date) as first_day from ${table(name)} group by medium_id`,
      ),
      sql` union all `,
    )} order by medium, source`,
  )
  const byMedium = Map.groupBy(rows, row => row.medium as bigint)
  return new Map(
    [...byMedium].map(([medium, found]) => {
      const [ofAny] = found.map(row => row.first_day as Day).toSorted()
      return [
        medium,
        { ofPublishers: found.find(row => row.source === 0n)?.first_day as Day | undefined, ofAny: ofAny! },
      ]
    }),
  )
}

/** What own ads brought the medium in the month, in micro-yen. */
export async function readOwnAdsTotal(stats: StatsStore, { mediumId, month }: MonthKey): Promise<bigint> {
  const [row] = await stats.query(
    sql`select cast(coalesce(${sumInt(sql`ads_revenue_micro_yen`)}, 0) as bigint) as total from ${table('medium_day')}
      where medium_id = ${mediumId} and date between ${firstDayOf(month)} and ${lastDayOf(month)}`,
  )
  return row!.total as bigint
}
