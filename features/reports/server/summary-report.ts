import type { Permit } from '@pc/domain/access/decide.ts'
import { sumBy, sumOf } from '@pc/domain/money/yen.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, isOver, periodOf } from '@pc/domain/report/period.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { Row, StatsStore } from '@pc/platform/stats/port.ts'
import { readReportScope } from './report-scope.ts'
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

/** Exact sums, money in micro-yen. The source revenues are there for staff only. */
export type Sums = Readonly<Partial<Record<SummaryColumn, bigint>>>
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
  readonly sums: Sums
  /** Read when it is asked for: one statement for all periods. */
  clickDemographics(): Promise<readonly ClickDemographic[]>
}
export interface SummaryReport {
  readonly total: number
  readonly nodes: readonly SummaryFigures[]
  readonly totals: SummaryFigures | null
  readonly dataUntil: Day | null
}

export interface ReportSources {
  readonly stats: StatsStore
  readonly database: Database
  readonly clock: Clock
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
    closedMonths: await readClosedMonths(tx, request),
  }))
  const query: SummaryQuery = { range: request.range, granularity: request.granularity, scope: reportScope }
  const columns = scope.kind === 'all' ? [...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS] : COUNT_COLUMNS
  const rows = await sources.stats.snapshot(async (run): Promise<SummaryRows> => {
    const [until] = await run(dataUntil(reportScope.mediumIds), options)
    const days = reportScope.entries.length === 0 ? [] : await run(daySums(query, columns), options)
    const hasFollowers = days.some(row => row.followers !== null)
    return {
      until: (until?.data_until ?? null) as Day | null,
      days,
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
  /** One per week or month; none for days. */
  readonly followers: readonly Row[]
  readonly totalFollowers: readonly Row[]
}
interface DemographicsReader {
  readonly byPeriod: () => Promise<ReadonlyMap<unknown, readonly Row[]>>
  readonly total: () => Promise<readonly Row[]>
}
type ClosedMonths = ReadonlySet<string>
const closing = (mediumId: bigint, month: YearMonth) => `${mediumId} ${month}`

async function readClosedMonths(tx: Transaction, { range }: SummaryRequest): Promise<ClosedMonths> {
  const rows = await tx
    .selectFrom('monthClosings')
    .select(['mediumId', 'month'])
    .where('month', '>=', monthOfDay(range.from))
    .where('month', '<=', monthOfDay(range.to))
    .execute()
  return new Set(rows.map(row => closing(row.mediumId, row.month as YearMonth)))
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
    hasBeenFinalized: days.every(row => closedMonths.has(closing(row.medium as bigint, monthOfDay(row.day as Day)))),
    sums: addUp(days, columns),
  })
  const followers = new Map(rows.followers.map(row => [row.bucket, row.followers as bigint | null]))
  const followerOf = (startsOn: Day, days: readonly Row[]) =>
    granularity === 'daily' ? sumOfKnown(days.map(row => row.followers as bigint | null)) : followers.get(startsOn)
  const periods = Map.groupBy(rows.days, row => startOfPeriod(granularity, row.day as Day))
  const nodes = [...periods].slice(page.offset, page.offset + page.limit).map(([startsOn, days]): SummaryFigures => {
    const period = periodOf(granularity, startsOn, range)
    return {
      ...figuresOf(days),
      date: startsOn,
      days: daysOf(period.covered),
      isComplete: isOver(period.endsOn, todayInTokyo),
      follower: followerOf(startsOn, days) ?? null,
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
      clickDemographics: async () => (await demographics.total()).map(demographicOf),
    },
    dataUntil: rows.until,
  }
}

function addUp(days: readonly Row[], columns: readonly SummaryColumn[]): Sums {
  return Object.fromEntries(columns.map(column => [column, sumBy(days, row => row[`sum_${column}`] as bigint)]))
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

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read()
    return running
  }
}
