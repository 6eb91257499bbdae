import type { Permit } from '@pc/domain/access/decide.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { comparableRange, comparedRange, withCompared } from '@pc/domain/report/comparison.ts'
import { daysOf, isOver, periodOf } from '@pc/domain/report/period.ts'
import { today } from '@pc/platform/clock.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { type Arrival, absentDays, type LateMedium, readArrival, readLateMedia } from '../../core/server/arrival.ts'
import { readClosedMonths } from '../../core/server/closed-months.ts'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import { contentDataUntil } from '../../core/server/content-statements.ts'
import { addUp, dayFacts, type Sums } from '../../core/server/figure-sums.ts'
import { memoize } from '../../core/server/memoize.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import {
  COUNT_COLUMNS,
  daySums,
  followers,
  periodDemographics,
  periodSums,
  rowsOfMedia,
  SOURCE_REVENUE_COLUMNS,
  type SummaryColumn,
  type SummaryQuery,
  totalDemographics,
} from '../../core/server/summary-statements.ts'
import type { SummaryDetails, SummaryRequest } from './summary-request.ts'

export interface ClickDemographic {
  readonly genderId: number
  readonly ageId: number
  readonly click: bigint
}
/** The figures of one period or of the whole range, before they are shown. */
export interface SummaryFigures {
  readonly date: Day
  readonly days: number
  readonly daysWithData: number
  readonly isComplete: boolean
  readonly hasBeenFinalized: boolean
  readonly organizationId: bigint | null
  readonly publisherId: bigint | null
  readonly mediumId: bigint | null
  readonly follower: bigint | null
  /** The source revenues are there for staff only. */
  readonly sums: Sums
  /** Null when nothing is compared, or those days are not known: of days that have not arrived, none are compared. */
  readonly compared: SummaryComparison | null
  /** Read when it is asked for: one statement for all periods. */
  clickDemographics(): Promise<readonly ClickDemographic[]>
}
export interface SummaryComparison {
  readonly from: Day
  readonly to: Day
  readonly sums: Sums
}
export interface SummaryReport {
  readonly total: number
  readonly nodes: readonly SummaryFigures[]
  readonly totals: SummaryFigures | null
  readonly dataUntil: Day | null
  /** Of the statistics by article and by video, which arrive apart from those by publisher. */
  readonly articleDataUntil: () => Promise<Day | null>
  readonly videoDataUntil: () => Promise<Day | null>
  /** The media of its rows of which days of the range have not arrived: these days are not compared. */
  readonly lateMedia: () => Promise<readonly LateMedium[]>
}

const EVERYTHING: SummaryDetails = { followers: true, revenueDetail: true }

/**
 * The summary report as a chain of steps: the viewer's rows (PostgreSQL) → statements → rows (statistics store, one
 * consistent state) → result.
 */
export async function readSummary(
  sources: ReportSources,
  request: SummaryRequest,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
  signal?: AbortSignal,
): Promise<SummaryReport> {
  const options = signal ? { signal } : {}
  const reader = sources.database.reader(scope)
  const [reportScope, closedMonths] = await Promise.all([
    readReportScope(reader, scope, request.filter),
    readClosedMonths(reader, request.range),
  ])
  const query: SummaryQuery = { range: request.range, granularity: request.granularity, scope: reportScope }
  const { wanted = EVERYTHING } = request
  const readsSources = scope.kind === 'all' && wanted.revenueDetail
  const columns = readsSources ? [...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS] : COUNT_COLUMNS
  const rows = await sources.stats.snapshot(async (run): Promise<SummaryRows> => {
    // Where the whole range is not comparable, later parts of it may be.
    const compared = request.compareWith && comparedRange(request.compareWith, request.range)
    const ask: Query = statement => run(statement, options)
    const isEmpty = reportScope.entries.length === 0
    const arrives = readArrival(ask, 'medium_day', reportScope.mediumIds, request.range)
    // Only a comparison has to wait for the days that have arrived.
    const readCompared = async (days: DayRange) => {
      const absent = absentDays(request.compareWith, request.range, await arrives)
      return ask(daySums({ ...query, range: days, absent }, columns))
    }
    const [periods, known, comparedDays, arrival] = await Promise.all([
      isEmpty ? [] : ask(periodSums(query, columns, closedMonths)),
      isEmpty || !wanted.followers ? [] : ask(followers(query)),
      isEmpty || !compared ? [] : readCompared(compared),
      arrives,
    ])
    return { arrival, periods, comparedDays, followers: known }
  })
  const untilOf = async (kind: ContentKind) => {
    const [row] = await sources.stats.query(contentDataUntil(kind, reportScope.mediumIds), options)
    return (row?.data_until ?? null) as Day | null
  }
  const lateMedia = async () =>
    reportScope.entries.length === 0
      ? []
      : readLateMedia(
          statement => sources.stats.query(statement, options),
          reader,
          rows.arrival,
          ids => rowsOfMedia({ ...query, range: withCompared(request.compareWith, request.range) }, ids),
        )
  const summary = summaryOf(request, rows, today(sources.clock), columns, {
    byPeriod: memoize(async () =>
      Map.groupBy(await sources.stats.query(periodDemographics(query), options), row => row.bucket),
    ),
    total: memoize(() => sources.stats.query(totalDemographics(query), options)),
  })
  return { ...summary, articleDataUntil: () => untilOf(ARTICLES), videoDataUntil: () => untilOf(VIDEOS), lateMedia }
}

interface SummaryRows {
  readonly arrival: Arrival
  /** One per period that has data, ascending. */
  readonly periods: readonly Row[]
  /** One per day. */
  readonly comparedDays: readonly Row[]
  /** One per week, or per month for days too: a day's own come with its sums. None where nobody asks for them. */
  readonly followers: readonly Row[]
}
interface DemographicsReader {
  readonly byPeriod: () => Promise<ReadonlyMap<unknown, readonly Row[]>>
  readonly total: () => Promise<readonly Row[]>
}
/** The result from the rows; pure but for the demographics, which are read when asked for. */
function summaryOf(
  request: SummaryRequest,
  rows: SummaryRows,
  todayInTokyo: Day,
  columns: readonly SummaryColumn[],
  demographics: DemographicsReader,
): Omit<SummaryReport, 'articleDataUntil' | 'videoDataUntil' | 'lateMedia'> {
  const { range, granularity, page, filter } = request
  const { known } = rows.arrival
  if (rows.periods.length === 0) return { total: 0, nodes: [], totals: null, dataUntil: known?.to ?? null }

  const figuresOf = (periods: readonly Row[]) => ({
    organizationId: onlyOne(filter.organizationIds),
    publisherId: onlyOne(filter.publisherIds),
    mediumId: onlyOne(filter.mediumIds),
    ...dayFacts(periods),
    sums: addUp(periods, columns),
  })
  const followersOf = new Map(rows.followers.map(row => [row.bucket, row.followers as bigint | null]))
  const followerOf = (row: Row) => (granularity === 'daily' ? row.followers : followersOf.get(row.bucket as Day))
  const comparedWith = (part: DayRange): SummaryComparison | null => {
    const days = request.compareWith && comparableRange(request.compareWith, range, known, part)
    const there = days ? rows.comparedDays.filter(row => row.bucket! >= days.from && row.bucket! <= days.to) : []
    return days && there.length > 0 ? { ...days, sums: addUp(there, columns) } : null
  }
  const ordered = request.isDescending ? rows.periods.toReversed() : rows.periods
  const nodes = ordered.slice(page.offset, page.offset + page.limit).map((row): SummaryFigures => {
    const startsOn = row.bucket as Day
    const period = periodOf(granularity, startsOn, range)
    return {
      ...figuresOf([row]),
      date: startsOn,
      days: daysOf(period.covered),
      isComplete: isOver(period.endsOn, todayInTokyo),
      follower: (followerOf(row) ?? null) as bigint | null,
      compared: comparedWith(period.covered),
      clickDemographics: async () => ((await demographics.byPeriod()).get(startsOn) ?? []).map(demographicOf),
    }
  })
  return {
    total: rows.periods.length,
    nodes,
    totals: {
      ...figuresOf(rows.periods),
      date: range.from,
      days: daysOf(range),
      isComplete: isOver(range.to, todayInTokyo),
      follower: (rows.followers[0]?.total_followers ?? null) as bigint | null,
      compared: comparedWith(range),
      clickDemographics: async () => (await demographics.total()).map(demographicOf),
    },
    dataUntil: known?.to ?? null,
  }
}

function demographicOf(row: Row): ClickDemographic {
  return { genderId: Number(row.gender), ageId: Number(row.age), click: row.clicks as bigint }
}

/** The filter's id when it names exactly one. */
function onlyOne(ids: readonly bigint[] | undefined): bigint | null {
  return ids?.length === 1 ? ids[0]! : null
}
