import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { knownRange, type MediumDays, type MediumEnds, missingDays } from '@pc/domain/report/arrival.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { type Sql, sql, table } from '@pc/platform/stats/sql.ts'

/** Sums by medium and day: what has arrived of publishers, of articles, of videos. */
export type ArrivalTable = 'medium_day' | 'medium_article_day' | 'medium_video_day'

/** What has arrived of the media that a report is about, no matter whose it is. */
export interface Arrival {
  /** The first and the last day for which anything of them has arrived. */
  readonly known: DayRange | undefined
  /** The days of the report's range that others have delivered and these media have not. */
  readonly missing: readonly MediumDays[]
  readonly media: readonly MediumEnds[]
}

/** @param mediumIds undefined: of all media */
export async function readArrival(
  ask: Query,
  from: ArrivalTable,
  mediumIds: readonly bigint[] | undefined,
  range: DayRange,
): Promise<Arrival> {
  const media = (await ask(mediumEnds(from, mediumIds))).map(row => ({
    mediumId: row.medium_id as bigint,
    first: row.data_from as Day,
    last: row.data_until as Day,
  }))
  return { known: knownRange(media), missing: missingDays(media, range), media }
}

/** @param mediumIds undefined: of all */
export const isOfMedia = (mediumIds: readonly bigint[] | undefined): Sql =>
  mediumIds ? sql`medium_id in ${mediumIds}` : sql`1 = 1`

/** `medium_id`, `data_from` and `data_until`: the first and the last day that have arrived of each medium. */
function mediumEnds(from: ArrivalTable, mediumIds: readonly bigint[] | undefined): Sql {
  return sql`
    select medium_id, min(date) as data_from, max(date) as data_until from ${table(from)}
    where ${isOfMedia(mediumIds)} group by medium_id order by medium_id`
}

/** `medium_id` and `date` of every day for which anything of a medium has arrived, no matter whose it is. */
export function deliveredDays(
  range: DayRange,
  mediumIds: readonly bigint[] | undefined,
  from: ArrivalTable = 'medium_day',
): Sql {
  return sql`select distinct medium_id, date from ${table(from)}
    where date between ${range.from} and ${range.to} and ${isOfMedia(mediumIds)}
    order by medium_id, date`
}
