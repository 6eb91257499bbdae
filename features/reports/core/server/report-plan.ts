import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import type { MediumDays } from '@pc/domain/report/arrival.ts'
import {
  type Comparison,
  comparableRange,
  comparedRange,
  withCompared,
  withoutTheirDays,
} from '@pc/domain/report/comparison.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import type { Query, QueryOptions, StatsStore } from '@pc/platform/stats/port.ts'
import { type Sql, sql } from '@pc/platform/stats/sql.ts'
import { type Arrival, type ArrivalTable, readArrival } from './arrival.ts'
import { ARTICLES } from './content-kind.ts'
import type { ReportScope } from './report-scope.ts'

/** The rows that a report is about. Each report folder extends it by what its statements need. */
export interface PlannedRows {
  readonly range: DayRange
  readonly scope: ReportScope
  /** Excluded days of media: in compared ranges, those whose counterparts have not arrived. */
  readonly absent?: readonly MediumDays[]
}

/** Everything that {@link readPlan} needs to read a report. */
export interface ReportPlan<Rows extends PlannedRows = PlannedRows, Column extends string = string> {
  readonly rows: Rows
  readonly columns: readonly Column[]
  readonly compareWith: Comparison | undefined
  /** The whole range when the rows' range is a part of it: parts are compared with parts of the compared range. */
  readonly within?: DayRange
  readonly arrivalTable: ArrivalTable
  /** No row can match, so only the arrival of days is read. */
  readonly isEmpty: boolean
  /** The `from` clause (without the keyword) of the rows of some media. */
  readonly rowsOfMedia: (rows: Rows, mediumIds: readonly bigint[]) => Sql
  readonly reader: Reader
  readonly stats: StatsStore
  readonly options: QueryOptions
}

/** The compared days and rows of a report, as far as they have arrived. */
export interface PlannedComparison<Rows> {
  /** The days that `part` (default: the whole range) is compared with; undefined: not comparable. */
  readonly daysOf: (part?: DayRange) => DayRange | undefined
  /** The rows that the whole range is compared with. */
  readonly rows: Rows | undefined
  /** The rows that parts of the range are compared with. Set even when the whole is not comparable: later parts may be. */
  readonly rowsOfParts: Rows | undefined
}

/** A medium that has not delivered all days that others have, for the note to the reader. */
export interface LateMedium {
  readonly mediumId: bigint
  /** Null where the reader's scope does not see the medium. */
  readonly name: string | null
  readonly dataUntil: Day
}

/** How far the report's data has arrived. */
export interface ReportFreshness {
  readonly dataUntil: Day | null
  /** Media of the report's rows with missing days in the range; these days are left out of comparisons. */
  readonly lateMedia: () => Promise<readonly LateMedium[]>
  /** Set in publishers' reports that a label filter reduces to figures of articles. */
  readonly isOfArticlesOnly?: true
}

/**
 * Reads a planned report from one snapshot of the statistics store.
 * @param read runs the report's statements; it should await `comparison` only for compared figures, to run in parallel
 */
export async function readPlan<Rows extends PlannedRows, Read>(
  plan: ReportPlan<Rows>,
  read: (ask: Query, comparison: Promise<PlannedComparison<Rows>>, arrival: Promise<Arrival>) => Promise<Read>,
): Promise<{ readonly read: Read; readonly comparison: PlannedComparison<Rows>; readonly freshness: ReportFreshness }> {
  const { rows, stats, options } = plan
  const arrivalTable = rows.scope.labels ? ARTICLES.mediumDay : plan.arrivalTable
  return stats.snapshot(async run => {
    const ask: Query = statement => run(statement, options)
    const arrives = readArrival(ask, arrivalTable, rows.scope.mediumIds, rows.range)
    const compares = arrives.then(arrival => comparisonOf(plan, arrival))
    const [found, arrival, comparison] = await Promise.all([read(ask, compares, arrives), arrives, compares])
    return { read: found, comparison, freshness: freshnessOf(plan, arrival) }
  })
}

function comparisonOf<Rows extends PlannedRows>(
  { rows, compareWith, within = rows.range }: ReportPlan<Rows>,
  { known, missing }: Arrival,
): PlannedComparison<Rows> {
  if (!compareWith) return { daysOf: () => undefined, rows: undefined, rowsOfParts: undefined }
  const absent = withoutTheirDays(compareWith, within, missing)
  const rowsIn = (days: DayRange | undefined) => days && { ...rows, range: days, absent }
  const daysOf = (part: DayRange = rows.range) => comparableRange(compareWith, within, known, part)
  return { daysOf, rows: rowsIn(daysOf()), rowsOfParts: rowsIn(comparedRange(compareWith, within, rows.range)) }
}

function freshnessOf<Rows extends PlannedRows>(plan: ReportPlan<Rows>, arrival: Arrival): ReportFreshness {
  return {
    dataUntil: arrival.known?.to ?? null,
    lateMedia: () => readLateMedia(plan, arrival),
    ...(plan.rows.scope.labels && plan.arrivalTable === 'medium_day' ? { isOfArticlesOnly: true } : {}),
  }
}

/** The media with missing days of which the report has any rows. */
async function readLateMedia<Rows extends PlannedRows>(
  { rows, compareWith, within = rows.range, isEmpty, rowsOfMedia, reader, stats, options }: ReportPlan<Rows>,
  { missing, media }: Arrival,
): Promise<readonly LateMedium[]> {
  if (isEmpty || missing.length === 0) return []
  const all = { ...rows, range: withCompared(compareWith, within) }
  const late = missing.map(({ mediumId }) => mediumId)
  const found = await stats.query(
    sql`select distinct medium_id from ${rowsOfMedia(all, late)} order by medium_id`,
    options,
  )
  const ids = found.map(row => row.medium_id as bigint)
  if (ids.length === 0) return []
  const named = await reader.selectFrom('media').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return ids.map(mediumId => ({
    mediumId,
    name: names.get(mediumId) ?? null,
    dataUntil: media.find(medium => medium.mediumId === mediumId)!.last,
  }))
}
