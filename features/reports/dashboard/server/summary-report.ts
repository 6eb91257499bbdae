import type { Permit } from '@pc/domain/access/decide.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { daysOf, isOver, periodOf } from '@pc/domain/report/period.ts'
import { today } from '@pc/platform/clock.ts'
import type { Row } from '@pc/platform/stats/port.ts'
import type { ClickCell } from '../../core/server/click-demographic.ts'
import { type ClosedMonths, readClosedMonths } from '../../core/server/closed-months.ts'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import { contentDataUntil } from '../../core/server/content-sql.ts'
import {
  addUp,
  type ComparedSums,
  chosenColumns,
  comparedSums,
  dayFacts,
  type Sums,
} from '../../core/server/figure-sums.ts'
import { memoize } from '../../core/server/memoize.ts'
import {
  type PlannedComparison,
  type ReportFreshness,
  type ReportPlan,
  readPlan,
} from '../../core/server/report-plan.ts'
import { onlyOne, readReportScope } from '../../core/server/report-scope.ts'
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
} from '../../core/server/summary-sql.ts'
import type { SummaryDetails, SummaryRequest } from './summary-request.ts'

/** The exact figures of a period or of the whole range, before fields round them. */
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
  /** Contains the platform's revenue by source only for staff. */
  readonly sums: Sums
  readonly compared: ComparedSums | null
  /** Read on demand, with one statement for all periods. */
  clickDemographics(): Promise<readonly ClickCell[]>
}
export interface SummaryReport extends ReportFreshness {
  readonly total: number
  readonly nodes: readonly SummaryFigures[]
  readonly totals: SummaryFigures | null
  /** Last delivered days of the figures by article and by video, which are delivered apart from those by publisher. */
  readonly articleDataUntil: () => Promise<Day | null>
  readonly videoDataUntil: () => Promise<Day | null>
}

const EVERYTHING: SummaryDetails = { followers: true, columns: [...COUNT_COLUMNS, ...SOURCE_REVENUE_COLUMNS] }

/** Reads the dashboard's figures by period and in total, from one snapshot of the statistics store. */
export async function readSummary(
  sources: ReportSources,
  given: SummaryRequest,
  { scope }: Permit<'read:list', 'insight:summary_stats.'>,
  signal?: AbortSignal,
): Promise<SummaryReport> {
  const request = { wanted: EVERYTHING, ...given }
  const plan = await planSummary(sources, request, scope, signal)
  const { rows, columns, isEmpty, stats, options } = plan
  const { read, comparison, freshness } = await readPlan(plan, async (ask, compares) => {
    const readCompared = async () => {
      const { rowsOfParts } = await compares
      return rowsOfParts ? ask(daySums(rowsOfParts, columns)) : []
    }
    const [periods, known, comparedDays] = await Promise.all([
      isEmpty ? [] : ask(periodSums(rows, columns, plan.closedMonths)),
      isEmpty || !request.wanted.followers ? [] : ask(followers(rows)),
      isEmpty || !request.compareWith ? [] : readCompared(),
    ])
    return { periods, followers: known, comparedDays }
  })
  const untilOf = async (kind: ContentKind) => {
    const [row] = await stats.query(contentDataUntil(kind, rows.scope.mediumIds), options)
    return (row?.data_until ?? null) as Day | null
  }
  const demographics = {
    byPeriod: memoize(async () => Map.groupBy(await stats.query(periodDemographics(rows), options), row => row.bucket)),
    total: memoize(() => stats.query(totalDemographics(rows), options)),
  }
  return {
    ...summaryOf(request, columns, { ...read, comparison, demographics, today: today(sources.clock) }),
    ...freshness,
    articleDataUntil: () => untilOf(ARTICLES),
    videoDataUntil: () => untilOf(VIDEOS),
  }
}

interface SummaryPlan extends ReportPlan<SummaryQuery, SummaryColumn> {
  readonly closedMonths: ClosedMonths
}

async function planSummary(
  { database, stats }: ReportSources,
  { range, filter, compareWith, granularity, wanted }: SummaryRequest & { readonly wanted: SummaryDetails },
  viewer: Scope,
  signal: AbortSignal | undefined,
): Promise<SummaryPlan> {
  const reader = database.reader(viewer)
  const [scope, closedMonths] = await Promise.all([
    readReportScope(reader, viewer, filter),
    readClosedMonths(reader, range),
  ])
  const readable = viewer.kind === 'all' ? EVERYTHING.columns : COUNT_COLUMNS
  return {
    rows: { range, scope, granularity },
    columns: chosenColumns(readable, wanted.columns),
    compareWith,
    closedMonths,
    arrivalTable: 'medium_day',
    isEmpty: scope.entries.length === 0,
    rowsOfMedia,
    reader,
    stats,
    options: signal ? { signal } : {},
  }
}

interface ReadSummary {
  /** One row per period that has data, ascending. */
  readonly periods: readonly Row[]
  /** One row per compared day. */
  readonly comparedDays: readonly Row[]
  /** One row per week or month; for a daily report per month, because `periods` has those of days. Empty if not selected. */
  readonly followers: readonly Row[]
  readonly comparison: PlannedComparison<SummaryQuery>
  /** Read on demand. */
  readonly demographics: {
    readonly byPeriod: () => Promise<ReadonlyMap<unknown, readonly Row[]>>
    readonly total: () => Promise<readonly Row[]>
  }
  readonly today: Day
}

function summaryOf(
  { range, granularity, page, filter, isDescending }: SummaryRequest,
  columns: readonly SummaryColumn[],
  { periods, comparedDays, followers: known, comparison, demographics, today }: ReadSummary,
): Pick<SummaryReport, 'total' | 'nodes' | 'totals'> {
  if (periods.length === 0) return { total: 0, nodes: [], totals: null }
  const figuresOf = (rows: readonly Row[]) => ({
    organizationId: onlyOne(filter.organizationIds),
    publisherId: onlyOne(filter.publisherIds),
    mediumId: onlyOne(filter.mediumIds),
    ...dayFacts(rows),
    sums: addUp(rows, columns),
  })
  const followersOf = new Map(known.map(row => [row.bucket, row.followers as bigint | null]))
  const followerOf = (row: Row) => (granularity === 'daily' ? row.followers : followersOf.get(row.bucket as Day))
  const ordered = isDescending ? periods.toReversed() : periods
  const nodes = ordered.slice(page.offset, page.offset + page.limit).map((row): SummaryFigures => {
    const startsOn = row.bucket as Day
    const period = periodOf(granularity, startsOn, range)
    return {
      ...figuresOf([row]),
      date: startsOn,
      days: daysOf(period.covered),
      isComplete: isOver(period.endsOn, today),
      follower: (followerOf(row) ?? null) as bigint | null,
      compared: comparedSums(comparison.daysOf(period.covered), comparedDays, columns),
      clickDemographics: async () => ((await demographics.byPeriod()).get(startsOn) ?? []).map(demographicOf),
    }
  })
  return {
    total: periods.length,
    nodes,
    totals: {
      ...figuresOf(periods),
      date: range.from,
      days: daysOf(range),
      isComplete: isOver(range.to, today),
      follower: (known[0]?.total_followers ?? null) as bigint | null,
      compared: comparedSums(comparison.daysOf(), comparedDays, columns),
      clickDemographics: async () => (await demographics.total()).map(demographicOf),
    },
  }
}

function demographicOf(row: Row): ClickCell {
  return { genderId: Number(row.gender), ageId: Number(row.age), click: row.clicks as bigint }
}
