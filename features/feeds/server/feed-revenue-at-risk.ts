import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { FeedState } from '@pc/domain/feed/feed-health.ts'
import { feedShare, missingShare, REVENUE_DAYS, revenueAtRiskYen } from '@pc/domain/feed/revenue-at-risk.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

/** Reads one entry per publisher, medium and day that has data, within the scope. Wired to `features/reports`. */
export type ReadDailyRevenue = (
  reader: Reader,
  scope: Scope,
  requested: {
    readonly publisherIds: readonly bigint[]
    readonly mediumIds: readonly bigint[]
    readonly range: { readonly from: Day; readonly to: Day }
  },
) => Promise<readonly { readonly publisherId: bigint; readonly mediumId: bigint; readonly microYen: bigint }[]>

export interface RevenueAtRisk {
  /** Yen per day, rounded down. */
  readonly yenPerDay: bigint
  /** The missing share of the feed's usual articles, in whole percent. */
  readonly missingPercent: number
}

/**
 * Estimates the revenue that a shortage of articles may cost per day. Has entries only for feeds that deliver too little and
 * whose publisher's revenue is sufficiently known within the scope.
 */
export async function readRevenueAtRisk(
  parts: { readonly reader: Reader; readonly readDailyRevenue: ReadDailyRevenue; readonly today: Day },
  scope: Scope,
  feedIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, RevenueAtRisk>> {
  const { reader, readDailyRevenue, today } = parts
  const rows = await feedsBeside(reader, feedIds)
  const wanted = new Set(feedIds)
  const short = rows.flatMap(row => {
    const missing = wanted.has(row.id) ? missingShare({ ...row, state: row.state as FeedState }) : 0n
    return missing > 0n ? [{ ...row, missing }] : []
  })
  if (short.length === 0) return new Map()
  const revenues = await readDailyRevenue(reader, scope, {
    publisherIds: [...new Set(short.map(row => row.publisherId))],
    mediumIds: [...new Set(short.map(row => row.mediumId))],
    range: { from: addDays(today, -REVENUE_DAYS), to: addDays(today, -1) },
  })
  const place = (row: { readonly publisherId: bigint; readonly mediumId: bigint }) =>
    `${row.publisherId}/${row.mediumId}`
  const daysOf = Map.groupBy(revenues, place)
  return new Map(
    short.flatMap(row => {
      const others = rows.filter(other => other.id !== row.id && place(other) === place(row))
      const share = feedShare(
        row.usualHundredths,
        others.map(other => other.usualHundredths),
      )
      const days = (daysOf.get(place(row)) ?? []).map(day => day.microYen)
      const yenPerDay = revenueAtRiskYen(days, share, row.missing)
      return yenPerDay === undefined
        ? []
        : [[row.id, { yenPerDay, missingPercent: Number(row.missing / 100n) }] as const]
    }),
  )
}

/** All enabled feeds of the given feeds' publishers on the same media, the given ones among them. */
async function feedsBeside(reader: Reader, feedIds: readonly bigint[]) {
  return reader
    .selectFrom('feeds as f')
    .leftJoin('feedHealth as h', 'h.feedId', 'f.id')
    .select(['f.id', 'f.publisherId', 'f.mediumId', 'h.volumeItems', 'h.usualHundredths'])
    .select(eb => eb.fn.coalesce('h.state', eb.val('unchecked')).as('state'))
    .where('f.enabled', '=', true)
    .where('f.isDeleteFeed', '=', false)
    .where(
      sql<boolean>`(f.publisher_id, f.medium_id) in (
        select o.publisher_id, o.medium_id from feeds o where o.id = any(${feedIds}::bigint[]))`,
    )
    .execute()
}
