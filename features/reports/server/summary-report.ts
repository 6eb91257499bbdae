import type { Permit } from '@pc/domain/access/decide.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { sumOf } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay } from '@pc/domain/month/year-month.ts'
import { comparedRange } from '@pc/domain/report/comparison.ts'
import { startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, isOver, periodOf } from '@pc/domain/report/period.ts'
import { today } from '@pc/platform/clock.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import { type ClosedMonths, readClosedMonths } from './closed-months.ts'
import { addUp, type Sums } from './figure-sums.ts'
import { once } from './once.ts'
import { readReportScope } from './report-scope.ts'
import type { ReportSources } from './report-sources.ts'
import type { SummaryRequest } from './summary-request.ts'
import {
  COUNT_COLUMNS,
  dataUntil,
  daySums,
  periodDemographics,
  periodFollowers,
  SOURCE_REVENUE_COLUMNS,
  type SummaryColumn,
  type SummaryQuery,
  totalDemographics,
  totalFollowers,
} from './summary-statements.ts'

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
  /** Null when nothing is compared, or nothing is known of those days. */
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
}

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
  const { reportScope, closedMonths } = await sources.database.inScope(scope, async tx => ({
    reportScope: await readReportScope(tx, scope, request.filter),
    closedMonths: await readClosedMonths(tx, request.range),
  }))
  const query: SummaryQuery = { range: request.range, granularity: request.granularity, scope: reportScope }
  const columns = scope.kind === 'all' ? [...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS] : COUNT_COLUMNS
  const compared = request.compareWith && comparedRange(request.compareWith, request.range)
  const rows = await sources.stats.snapshot(async (run): Promise<SummaryRows> => {
    const [until] = await run(dataUntil(reportScope.mediumIds), options)
    const days = reportScope.entries.length === 0 ? [] : await run(daySums(query, columns), options)
    const hasFollowers = days.some(row => row.followers !== null)
    return {
      until: (until?.data_until ?? null) as Day | null,
      days,
      comparedDays:
        compared && days.length > 0 ? await run(daySums({ ...query, range: compared }, columns), options) : [],
      // A day's followers came with its sums.
      followers: hasFollowers && query.granularity !== 'daily' ? await run(periodFollowers(query), options) : [],
      totalFollowers: hasFollowers ? await run(totalFollowers(query), options) : [],
    }
  })
  return summaryOf(request, rows, closedMonths, today(sources.clock), columns, {
    byPeriod: once(async () =>
      Map.groupBy(await sources.stats.query(periodDemographics(query), options), row => row.bucket),
    ),
    total: once(() => sources.stats.query(totalDemographics(query), options)),
  })
}

interface SummaryRows {
  readonly until: Day | null
  /** One per day and medium that has data, ascending. */
  readonly days: readonly Row[]
  readonly comparedDays: readonly Row[]
  /** One per week or month; none for days. */
  readonly followers: readonly Row[]
  readonly totalFollowers: readonly Row[]
}
interface DemographicsReader {
  readonly byPeriod: () => Promise<ReadonlyMap<unknown, readonly Row[]>>
  readonly total: () => Promise<readonly Row[]>
}
/** The result from the rows; pure but for the demographics, which are read when asked for. */
function summaryOf(
  request: SummaryRequest,
  rows: SummaryRows,
  closedMonths: ClosedMonths,
  todayInTokyo: Day,
  columns: readonly SummaryColumn[],
  demographics: DemographicsReader,
): SummaryReport {
  const { range, granularity, page, filter } = request
  if (rows.days.length === 0) return { total: 0, nodes: [], totals: null, dataUntil: rows.until }

  const figuresOf = (days: readonly Row[]) => ({
    organizationId: onlyOne(filter.organizationIds),
    publisherId: onlyOne(filter.publisherIds),
    mediumId: onlyOne(filter.mediumIds),
    daysWithData: new Set(days.map(row => row.day)).size,
    hasBeenFinalized: days.every(row => closedMonths.has(row.medium as bigint, monthOfDay(row.day as Day))),
    sums: addUp(days, columns),
  })
  const followers = new Map(rows.followers.map(row => [row.bucket, row.followers as bigint | null]))
  const followerOf = (startsOn: Day, days: readonly Row[]) =>
    granularity === 'daily' ? sumOfKnown(days.map(row => row.followers as bigint | null)) : followers.get(startsOn)
  const periods = Map.groupBy(rows.days, row => startOfPeriod(granularity, row.day as Day))
  const comparedWith = (part: DayRange): SummaryComparison | null => {
    const days = request.compareWith && comparedRange(request.compareWith, range, part)
    const known = days ? rows.comparedDays.filter(row => row.day! >= days.from && row.day! <= days.to) : []
    return days && known.length > 0 ? { ...days, sums: addUp(known, columns) } : null
  }
  const nodes = [...periods].slice(page.offset, page.offset + page.limit).map(([startsOn, days]): SummaryFigures => {
    const period = periodOf(granularity, startsOn, range)
    return {
      ...figuresOf(days),
      date: startsOn,
      days: daysOf(period.covered),
      isComplete: isOver(period.endsOn, todayInTokyo),
      follower: followerOf(startsOn, days) ?? null,
      compared: comparedWith(period.covered),
      clickDemographics: async () => ((await demographics.byPeriod()).get(startsOn) ?? []).map(demographicOf),
    }
  })
  return {
    total: periods.size,
    nodes,
    totals: {
      ...figuresOf(rows.days),
      date: range.from,
      days: daysOf(range),
      isComplete: isOver(range.to, todayInTokyo),
      follower: (rows.totalFollowers[0]?.followers ?? null) as bigint | null,
      compared: comparedWith(range),
      clickDemographics: async () => (await demographics.total()).map(demographicOf),
    },
    dataUntil: rows.until,
  }
}

/** Null when nothing is known, which is not zero. */
function sumOfKnown(values: readonly (bigint | null)[]): bigint | null {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : sumOf(known)
}

function demographicOf(row: Row): ClickDemographic {
  return { genderId: Number(row.gender), ageId: Number(row.age), click: row.clicks as bigint }
}

/** The filter's id when it names exactly one. */
function onlyOne(ids: readonly bigint[] | undefined): bigint | null {
  return ids?.length === 1 ? ids[0]! : null
}
