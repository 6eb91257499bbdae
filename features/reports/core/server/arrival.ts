import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { knownRange, type MediumDays, type MediumEnds, missingDays } from '@pc/domain/report/arrival.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { type Sql, sql, table } from '@pc/platform/stats/sql.ts'

/** Roll-ups by medium and day that tell which days have arrived: of publishers, articles, videos. */
export type ArrivalTable = 'medium_day' | 'medium_article_day' | 'medium_video_day'

/** The delivered days of a report's media, regardless of the viewer's own rows. */
export interface Arrival {
  /** The first and last delivered day of all these media together; undefined when there is none. */
  readonly known: DayRange | undefined
  /** Days of the range, per medium, that the medium has not delivered although others have. */
  readonly missing: readonly MediumDays[]
  readonly media: readonly MediumEnds[]
}

/** @param mediumIds undefined: all media @param range the report's range, for `missing` */
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

/** SQL condition on `medium_id`. @param mediumIds undefined: always true */
export const isOfMedia = (mediumIds: readonly bigint[] | undefined): Sql =>
  mediumIds ? sql`medium_id in ${mediumIds}` : sql`1 = 1`

/** Answers `medium_id`, `data_from` and `data_until`, the first and last delivered day of each medium. */
function mediumEnds(from: ArrivalTable, mediumIds: readonly bigint[] | undefined): Sql {
  return sql`
    select medium_id, min(date) as data_from, max(date) as data_until from ${table(from)}
    where ${isOfMedia(mediumIds)} group by medium_id order by medium_id`
}

/** Answers `medium_id` and `date` of every delivered day, regardless of whose rows they are. */
export function deliveredDays(
  range: DayRange,
  mediumIds: readonly bigint[] | undefined,
  from: ArrivalTable = 'medium_day',
): Sql {
  return sql`select distinct medium_id, date from ${table(from)}
    where date between ${range.from} and ${range.to} and ${isOfMedia(mediumIds)}
    order by medium_id, date`
}
