import type { Permit } from '@pc/domain/access/decide.ts'
import { addDays, type Day } from '@pc/domain/month/day.ts'
import { dayAt } from '@pc/platform/clock.ts'
import { sql } from 'kysely'
import type { EntityFilter } from '../../core/server/report-scope.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { scopeInPostgres } from '../../core/server/scope-in-postgres.ts'

const HOURS = 24
const TOKYO = 'Asia/Tokyo'

/** Event counts within an hour, by Tokyo time. */
export interface LiveHour {
  /** 0 … 23. */
  readonly hour: number
  readonly articleImpressions: bigint
  readonly articleClicks: bigint
  readonly articleWatchCount: bigint
  readonly videoImpressions: bigint
  readonly videoClicks: bigint
  readonly videoWatchCount: bigint
  readonly liveImpressions: bigint
  readonly liveClicks: bigint
  readonly liveWatchCount: bigint
}
export interface LiveToday {
  readonly date: Day
  /** One entry per hour that has begun; empty, which does not mean 0, when no events are known. */
  readonly hours: readonly LiveHour[]
  /** All 24 hours of the day before. */
  readonly yesterday: readonly LiveHour[]
  /** All 24 hours of the same weekday a week before; empty when no events of it are kept. */
  readonly lastWeek: readonly LiveHour[]
  /** When the last events were imported; null when there are none. */
  readonly arrivedAt: Date | null
}

interface HourRow extends LiveHour {
  readonly day: Day
}

/** The figures of the running day by hour, from imported events. */
export async function readLiveToday(
  { database, clock }: ReportSources,
  filter: EntityFilter,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
): Promise<LiveToday> {
  const now = clock.now()
  const date = dayAt(now)
  const yesterday = addDays(date, -1)
  const lastWeek = addDays(date, -7)
  const begun = Math.floor(((now / 3_600_000 + 9) % HOURS) + 1)
  return database.inScope(
    scope,
    async tx => {
      const reportScope = await readReportScope(tx, scope, filter)
      const inScope = scopeInPostgres(reportScope, 'h')
      const rows = await sql<HourRow>`
        select (h.starts_at at time zone ${TOKYO})::date as day,
          extract(hour from h.starts_at at time zone ${TOKYO})::int as hour,
          sum(h.article_impression)::bigint as article_impressions, sum(h.article_click)::bigint as article_clicks,
          sum(h.article_watch)::bigint as article_watch_count,
          sum(h.video_impression)::bigint as video_impressions, sum(h.video_click)::bigint as video_clicks,
          sum(h.video_watch)::bigint as video_watch_count,
          sum(h.live_impression)::bigint as live_impressions, sum(h.live_click)::bigint as live_clicks,
          sum(h.live_watch)::bigint as live_watch_count
        from event_hours h
        where (${onDays(lastWeek, lastWeek)} or ${onDays(yesterday, date)}) and ${inScope}
        group by 1, 2 order by 1, 2`.execute(tx)
      const arrived = await sql<{ arrivedAt: Date | null }>`
        select max(h.applied_at) as arrived_at from event_hours h where ${inScope}`.execute(tx)
      const arrivedAt = arrived.rows[0]?.arrivedAt ?? null
      const hasDay = (day: Day) => rows.rows.some(row => row.day === day)
      const wholeDay = (day: Day) => (hasDay(day) ? everyHour(rows.rows, day, HOURS) : [])
      return {
        date,
        hours: hasDay(date) || hasDay(yesterday) ? everyHour(rows.rows, date, begun) : [],
        yesterday: wholeDay(yesterday),
        lastWeek: wholeDay(lastWeek),
        arrivedAt,
      }
    },
    { readOnly: true },
  )
}

const NOTHING: Omit<LiveHour, 'hour'> = {
  articleImpressions: 0n,
  articleClicks: 0n,
  articleWatchCount: 0n,
  videoImpressions: 0n,
  videoClicks: 0n,
  videoWatchCount: 0n,
  liveImpressions: 0n,
  liveClicks: 0n,
  liveWatchCount: 0n,
}

/** SQL condition: within the Tokyo days `from` to `to`, both inclusive. */
function onDays(from: Day, to: Day) {
  return sql<boolean>`(h.starts_at >= ${from}::date::timestamp at time zone ${TOKYO}
    and h.starts_at < ${addDays(to, 1)}::date::timestamp at time zone ${TOKYO})`
}

function everyHour(rows: readonly HourRow[], day: Day, hours: number): LiveHour[] {
  const known = new Map(rows.filter(row => row.day === day).map(row => [row.hour, row]))
  return Array.from({ length: hours }, (_, hour) => known.get(hour) ?? { hour, ...NOTHING })
}
