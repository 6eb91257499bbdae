import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, isOver, type Period, periodOf } from '@pc/domain/report/period.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { Row, StatsStore } from '@pc/platform/stats/port.ts'
import { readReportScope } from './report-scope.ts'
import type { SummaryRequest } from './summary-request.ts'
import {
  COUNT_COLUMNS,
  dataDays,
  dataUntil,
  periodDemographics,
  periodFollowers,
  periodSums,
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
  const rows = await sources.stats.snapshot(async run => {
    const until = await run(dataUntil(reportScope.mediumIds), options)
    const found = reportScope.entries.length === 0 ? [] : await run(periodSums(query, columns), options)
    if (found.length === 0) return { until, sums: [], followers: [], totalFollowers: [], days: [] }
    return {
      until,
      sums: found,
      followers: await run(periodFollowers(query), options),
      totalFollowers: await run(totalFollowers(query), options),
      days: await run(dataDays(query), options),
    }
  })
  return summaryOf(request, rows, closedMonths, today(sources.clock), columns, {
    byPeriod: once(async () =>
      Map.groupBy(await sources.stats.query(periodDemographics(query), options), row => row.bucket),
    ),
    total: once(() => sources.stats.query(totalDemographics(query), options)),
  })
}

export interface SummaryRows {
  readonly until: readonly Row[]
  readonly sums: readonly Row[]
  readonly followers: readonly Row[]
  readonly totalFollowers: readonly Row[]
  readonly days: readonly Row[]
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
export function summaryOf(
  request: SummaryRequest,
  rows: SummaryRows,
  closedMonths: ClosedMonths,
  todayInTokyo: Day,
  columns: readonly SummaryColumn[],
  demographics: DemographicsReader,
): SummaryReport {
  const { range, granularity, page, filter } = request
  const named = {
    organizationId: onlyOne(filter.organizationIds),
    publisherId: onlyOne(filter.publisherIds),
    mediumId: onlyOne(filter.mediumIds),
  }
  const dataUntilDay = (rows.until[0]?.data_until ?? null) as Day | null
  if (rows.sums.length === 0) return { total: 0, nodes: [], totals: null, dataUntil: dataUntilDay }

  const coverage = coverageByPeriod(granularity, rows.days, closedMonths)
  const followers = new Map(rows.followers.map(row => [row.bucket, row.followers as bigint | null]))
  const figuresOf = (period: Period, row: Row): SummaryFigures => {
    const covered = coverage.get(period.startsOn)
    return {
      ...named,
      date: period.startsOn,
      days: daysOf(period.covered),
      daysWithData: covered?.days.size ?? 0,
      isComplete: isOver(period.endsOn, todayInTokyo),
      hasBeenFinalized: covered?.isFinal ?? false,
      follower: followers.get(period.startsOn) ?? null,
      sums: sumsOf(row, columns),
      clickDemographics: async () => ((await demographics.byPeriod()).get(period.startsOn) ?? []).map(demographicOf),
    }
  }
  const all = rows.sums.map(row => figuresOf(periodOf(granularity, row.bucket as Day, range), row))
  return {
    total: all.length,
    nodes: all.slice(page.offset, page.offset + page.limit),
    totals: {
      ...named,
      date: range.from,
      days: daysOf(range),
      daysWithData: new Set(rows.days.map(row => row.day)).size,
      isComplete: isOver(range.to, todayInTokyo),
      hasBeenFinalized: all.every(each => each.hasBeenFinalized),
      follower: (rows.totalFollowers[0]?.followers ?? null) as bigint | null,
      sums: Object.fromEntries(columns.map(column => [column, all.reduce((sum, { sums }) => sum + sums[column]!, 0n)])),
      clickDemographics: async () => (await demographics.total()).map(demographicOf),
    },
    dataUntil: dataUntilDay,
  }
}

/** Days with data of each period, and whether all of them lie in closed months of their media. */
function coverageByPeriod(granularity: Granularity, dataDayRows: readonly Row[], closedMonths: ClosedMonths) {
  const coverage = new Map<Day, { days: Set<Day>; isFinal: boolean }>()
  for (const row of dataDayRows) {
    const day = row.day as Day
    const startsOn = startOfPeriod(granularity, day)
    const period = coverage.get(startsOn) ?? { days: new Set(), isFinal: true }
    period.days.add(day)
    period.isFinal &&= closedMonths.has(closing(row.medium as bigint, monthOfDay(day)))
    coverage.set(startsOn, period)
  }
  return coverage
}

function sumsOf(row: Row, columns: readonly SummaryColumn[]): Sums {
  return Object.fromEntries(columns.map(column => [column, row[`sum_${column}`] as bigint]))
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
