import type { Permit } from '@pc/domain/access/decide.ts'
import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { inOrderOf } from '@pc/platform/postgres/page-of-ids.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { addUp, type ComparedSums, comparedSums, type Sums } from '../../core/server/figure-sums.ts'
import { rowValue } from '../../core/server/labelled-rows.ts'
import { readPageByChange } from '../../core/server/order-by-change.ts'
import { pageOfPublishers, readPublisherNames } from '../../core/server/publisher-names.ts'
import { publisherRows } from '../../core/server/publisher-rows.ts'
import type { ReportRequest } from '../../core/server/report-arguments.ts'
import { type CommonOrder, columnsOf, commonOrderOf, type SortFigure } from '../../core/server/report-order.ts'
import { type PlannedRows, type ReportFreshness, type ReportPlan, readPlan } from '../../core/server/report-plan.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { COUNT_COLUMNS, rowsOfMedia, type SummaryColumn, totalSums } from '../../core/server/summary-sql.ts'
import {
  mediaOf,
  RANK_COLUMNS,
  RANK_FIGURES,
  RANKED_BY,
  type RankFigure,
  rankedPublishers,
  rankPage,
  ranksOf,
  ranksOfPage,
} from './rank-sql.ts'

export interface RankRequest extends ReportRequest {
  readonly order: { readonly name: RankFigure | CommonOrder['by']; readonly isDescending: boolean }
  /** Optional parts to read besides ranks and publishers' figures; all by default. */
  readonly wanted?: RankDetails
}

export interface RankDetails {
  /** The figures of the compared days; ranks of the compared days are always read. */
  readonly compared: boolean
  /** The platform's own revenue. */
  readonly revenueDetail: boolean
  /** `mediumId` of each publisher. */
  readonly medium?: boolean
}
type WantedRequest = RankRequest & Required<Pick<RankRequest, 'wanted'>>
const EVERYTHING: RankDetails = { compared: true, revenueDetail: true, medium: true }

/** The rank and exact figures of a publisher, before fields round them. */
export interface PublisherRank {
  readonly publisherId: bigint
  /** The medium when all rows of the publisher are of one, else null. */
  readonly mediumId: bigint | null
  readonly rank: number
  /** Null when the publisher had no rows in the compared days, or nothing is compared. */
  readonly previousRank: number | null
  readonly publisherName: string | null
  readonly sums: Sums
  readonly compared: ComparedSums | null
}
export interface RankTotals {
  readonly sums: Sums
  readonly compared: ComparedSums | null
}
export interface RankReport extends ReportFreshness {
  readonly total: number
  readonly nodes: readonly PublisherRank[]
  /** Null when there is no data. */
  readonly totals: RankTotals | null
}

/**
 * Reads a page of the ranking from one snapshot of the statistics store.
 * Tested by `features/reports/ranking/server/labelled-ranking.test.ts`.
 */
export async function readRanking(
  sources: ReportSources,
  given: RankRequest,
  { scope }: Permit<'read:list', 'insight:publisher_rank.'>,
  signal?: AbortSignal,
): Promise<RankReport> {
  const request = { wanted: EVERYTHING, ...given }
  const plan = await planRanking(sources, request, scope, signal)
  const { read, comparison, freshness } = await readPlan(plan, async (ask, compares) => {
    const { rows: earlier } = await compares
    const ranks = plan.isEmpty ? NO_RANKS : await readRanks(ask, plan, request, earlier)
    const ids = request.wanted.medium ? ranks.page.map(publisherOf) : []
    return { ...ranks, media: ids.length > 0 ? await ask(mediaOf(plan.rows, ids)) : [] }
  })
  if (read.totals.length === 0 && read.page.length === 0) return { total: 0, nodes: [], totals: null, ...freshness }
  const names = await readPublisherNames(plan.reader, read.page.map(publisherOf))
  return { ...rankingOf(plan, request, read, comparison.daysOf(), names), ...freshness }
}

type RankPlan = ReportPlan<PlannedRows, SummaryColumn>

async function planRanking(
  { database, stats }: ReportSources,
  { range, filter, compareWith, wanted }: WantedRequest,
  viewer: Scope,
  signal: AbortSignal | undefined,
): Promise<RankPlan> {
  const reader = database.reader(viewer)
  const scope = await readReportScope(reader, viewer, filter)
  return {
    rows: { range, scope },
    columns: wanted.revenueDetail ? RANK_COLUMNS : COUNT_COLUMNS,
    compareWith,
    arrivalTable: 'medium_day',
    isEmpty: scope.entries.length === 0,
    rowsOfMedia,
    reader,
    stats,
    options: signal ? { signal } : {},
  }
}

const publisherOf = (row: Row) => row.publisher as bigint

interface Ranks {
  readonly page: readonly Row[]
  readonly total: bigint
  /** Ranks of the page's publishers in the compared days. */
  readonly previous: readonly Row[]
  readonly totals: readonly Row[]
  readonly comparedTotals: readonly Row[]
}
const NO_RANKS: Ranks = {
  page: [],
  total: 0n,
  previous: [],
  totals: [],
  comparedTotals: [],
}

async function readRanks(
  ask: Query,
  { rows, columns, reader }: RankPlan,
  { order, page, wanted, changedBy }: WantedRequest,
  earlier: PlannedRows | undefined,
): Promise<Ranks> {
  const before = wanted.compared ? columns : []
  const common = commonOrderOf(order.name)
  const figure = RANK_FIGURES[common ? RANKED_BY : (order.name as RankFigure)]
  const figureOrder = { figure, isDescending: order.isDescending }
  if (common !== undefined || (changedBy && earlier)) {
    const found =
      common !== undefined
        ? await pageByCommonOrder(ask, reader, rows, { by: common, isDescending: order.isDescending }, page)
        : await readPageByChange(ask, bothRanges(rows, earlier!, figure), figureOrder, changedBy!, page)
    const { ids, total } = found
    const [ranked, previous, totals, comparedTotals] = await Promise.all([
      ids.length === 0 ? [] : ask(ranksOf(rows, figure, ids, columns)),
      ids.length === 0 || !earlier ? [] : ask(ranksOf(earlier, figure, ids, before)),
      ask(totalSums(rows, columns)),
      earlier && wanted.compared ? ask(totalSums(earlier, columns)) : [],
    ])
    const isRanked = new Set(ranked.map(publisherOf))
    const gone = ids.filter(id => !isRanked.has(id)).map(id => goneRow(id, columns, (found.present ?? 0n) + 1n))
    return {
      page: inOrderOf(ids, [...ranked, ...gone], publisherOf),
      total: BigInt(total),
      previous,
      totals,
      comparedTotals,
    }
  }
  const [found, previous, totals, comparedTotals] = await Promise.all([
    ask(rankPage(rows, figureOrder, page, columns)),
    earlier ? ask(ranksOfPage(earlier, rows, figureOrder, page, before)) : [],
    ask(totalSums(rows, columns)),
    earlier && wanted.compared ? ask(totalSums(earlier, columns)) : [],
  ])
  if (totals.length === 0) return NO_RANKS
  // Beyond the last page there are no rows, which carry the total: one row is read for it.
  const [first] = found.length > 0 ? found : await ask(rankPage(rows, figureOrder, { limit: 1, offset: 0 }, []))
  return { page: found, total: (first?.total ?? 0n) as bigint, previous, totals, comparedTotals }
}

/** The row of a publisher that has rows only in the compared days, for lists by change: all figures 0, ranked last. */
const goneRow = (publisher: bigint, columns: readonly string[], position: bigint): Row => ({
  ...{ publisher, position },
  ...Object.fromEntries(columns.map(column => [`sum_${column}`, 0n])),
})

async function pageByCommonOrder(
  ask: Query,
  reader: Reader,
  rows: PlannedRows,
  order: CommonOrder,
  page: Page,
): Promise<{ readonly ids: readonly bigint[]; readonly total: number; readonly present?: bigint }> {
  const ranked = (await ask(rankedPublishers(rows))).map(publisherOf)
  return { ids: await pageOfPublishers(reader, ranked, order, page), total: ranked.length }
}

function bothRanges(now: PlannedRows, before: PlannedRows, figure: SortFigure) {
  const rows = (query: PlannedRows) => publisherRows(query, columnsOf(figure))
  return { now: rows(now), before: rows(before), key: 'publisher_id', valueIn: rowValue(now.scope) }
}

function rankingOf(
  { columns }: RankPlan,
  { wanted, changedBy }: WantedRequest,
  read: Ranks & { readonly media: readonly Row[] },
  compared: DayRange | undefined,
  names: ReadonlyMap<bigint, string>,
): Omit<RankReport, keyof ReportFreshness> {
  const previous = new Map(read.previous.map(row => [publisherOf(row), row]))
  const mediumOf = new Map(
    read.media.map(row => [row.publisher, row.first_medium === row.last_medium ? (row.first_medium as bigint) : null]),
  )
  return {
    total: Number(read.total),
    nodes: read.page.map((row): PublisherRank => {
      const publisherId = publisherOf(row)
      const before = previous.get(publisherId)
      return {
        publisherId,
        mediumId: mediumOf.get(publisherId) ?? null,
        rank: Number(row.position),
        previousRank: before ? Number(before.position) : null,
        publisherName: names.get(publisherId) ?? null,
        sums: addUp([row], columns),
        compared: comparedSums(
          compared,
          before && wanted.compared ? [before] : [],
          columns,
          wanted.compared && changedBy !== undefined,
        ),
      }
    }),
    totals: { sums: addUp(read.totals, columns), compared: comparedSums(compared, read.comparedTotals, columns) },
  }
}
