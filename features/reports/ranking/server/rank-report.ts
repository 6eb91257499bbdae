import type { Permit } from '@pc/domain/access/decide.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { type Comparison, comparableRange, withCompared } from '@pc/domain/report/comparison.ts'
import type { Reader } from '@pc/platform/postgres/database.ts'
import { inOrderOf } from '@pc/platform/postgres/page-of-ids.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import { absentDays, type LateMedium, readArrival, readLateMedia } from '../../core/server/arrival.ts'
import { addUp, type Sums } from '../../core/server/figure-sums.ts'
import { pageOfPublishers, readPublisherNames } from '../../core/server/publisher-names.ts'
import type { ReportRequest } from '../../core/server/report-arguments.ts'
import { type CommonOrder, commonOrderOf } from '../../core/server/report-order.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import { COUNT_COLUMNS, rowsOfMedia, type SummaryColumn, totalSums } from '../../core/server/summary-statements.ts'
import {
  mediaOf,
  RANK_COLUMNS,
  RANK_FIGURES,
  RANKED_BY,
  type RankFigure,
  type RankQuery,
  rankedPublishers,
  rankPage,
  ranksOf,
  ranksOfPage,
} from './rank-statements.ts'

export interface RankRequest extends ReportRequest {
  readonly order: { readonly name: RankFigure | CommonOrder['by']; readonly isDescending: boolean }
  readonly compareWith: Comparison
  /** What is read beside the ranks and the publishers' own figures: everything, unless it is said. */
  readonly wanted?: RankDetails
}

export interface RankDetails {
  /** The figures of the compared days; their ranks are always there. */
  readonly compared: boolean
  /** The platform's own revenues. */
  readonly revenueDetail: boolean
  /** Which medium the rows of each publisher are of. */
  readonly medium?: boolean
}
const EVERYTHING: RankDetails = { compared: true, revenueDetail: true, medium: true }

/** The figures of a publisher, before they are shown. */
export interface PublisherRank {
  readonly publisherId: bigint
  /** Set when its rows are all of one medium. */
  readonly mediumId: bigint | null
  readonly rank: number
  /** Null when the publisher had no rows in the compared days, or there are no such days. */
  readonly previousRank: number | null
  readonly publisherName: string | null
  readonly sums: Sums
  readonly compared: ComparedSums | null
}
export interface ComparedSums {
  readonly from: Day
  readonly to: Day
  readonly sums: Sums
}
export interface RankTotals {
  readonly sums: Sums
  readonly compared: ComparedSums | null
}
export interface RankReport {
  readonly total: number
  readonly nodes: readonly PublisherRank[]
  /** Null when there is no data. */
  readonly totals: RankTotals | null
  readonly dataUntil: Day | null
  /** The media of its rows of which days of the range have not arrived: these days are not compared. */
  readonly lateMedia: () => Promise<readonly LateMedium[]>
}

/** The ranking in three steps like every report: the viewer's rows, statements over one state of the store, result. */
export async function readRanking(
  { database, stats }: ReportSources,
  request: RankRequest,
  { scope }: Permit<'read:list', 'insight:publisher_rank.'>,
  signal?: AbortSignal,
): Promise<RankReport> {
  const { range, filter, wanted = EVERYTHING } = request
  const columns = wanted.revenueDetail ? RANK_COLUMNS : COUNT_COLUMNS
  const reportScope = await readReportScope(database.reader(scope), scope, filter)
  const options = signal ? { signal } : {}
  const query: RankQuery = { range, scope: reportScope }
  const read = await stats.snapshot(async run => {
    const ask: Query = statement => run(statement, options)
    const arrival = await readArrival(ask, 'medium_day', reportScope.mediumIds, range)
    const compared = comparableRange(request.compareWith, range, arrival.known)
    const earlier = compared && {
      ...query,
      range: compared,
      absent: absentDays(request.compareWith, range, arrival),
    }
    const rows =
      reportScope.entries.length === 0
        ? emptyRows
        : await readRows(ask, request, query, columns, earlier, database.reader(scope))
    const ids = rows.page.map(row => row.publisher as bigint)
    const media = wanted.medium && ids.length > 0 ? await ask(mediaOf(query, ids)) : []
    return { ...rows, media, arrival, compared }
  })
  const about = {
    dataUntil: read.arrival.known?.to ?? null,
    lateMedia: async () =>
      reportScope.entries.length === 0
        ? []
        : readLateMedia(
            statement => stats.query(statement, options),
            database.reader(scope),
            read.arrival,
            ids => rowsOfMedia({ ...query, range: withCompared(request.compareWith, range) }, ids),
          ),
  }
  if (read.totals.length === 0) return { total: 0, nodes: [], totals: null, ...about }
  const publisherIds = read.page.map(row => row.publisher as bigint)
  const names = await readPublisherNames(database.reader(scope), publisherIds)
  const previous = new Map(read.previous.map(row => [row.publisher as bigint, row]))
  const { compared } = read
  const mediumOf = new Map(
    read.media.map(row => [row.publisher, row.first_medium === row.last_medium ? (row.first_medium as bigint) : null]),
  )
  const comparison = (rows: readonly Row[]): ComparedSums | null =>
    compared && rows.length > 0 ? { ...compared, sums: addUp(rows, columns) } : null
  return {
    total: Number(read.total),
    nodes: read.page.map((row): PublisherRank => {
      const publisherId = row.publisher as bigint
      const before = previous.get(publisherId)
      return {
        publisherId,
        mediumId: mediumOf.get(publisherId) ?? null,
        rank: Number(row.position),
        previousRank: before ? Number(before.position) : null,
        publisherName: names.get(publisherId) ?? null,
        sums: addUp([row], columns),
        compared: comparison(before && wanted.compared ? [before] : []),
      }
    }),
    totals: { sums: addUp(read.totals, columns), compared: comparison(read.comparedTotals) },
    ...about,
  }
}

interface RankRows {
  readonly page: readonly Row[]
  readonly total: bigint
  /** Of the publishers of the page, in the compared days. */
  readonly previous: readonly Row[]
  readonly totals: readonly Row[]
  readonly comparedTotals: readonly Row[]
}
const emptyRows: RankRows = {
  page: [],
  total: 0n,
  previous: [],
  totals: [],
  comparedTotals: [],
}

async function readRows(
  ask: Query,
  { order, page, wanted = EVERYTHING }: RankRequest,
  query: RankQuery,
  columns: readonly SummaryColumn[],
  earlier: RankQuery | undefined,
  reader: Reader,
): Promise<RankRows> {
  const before = wanted.compared ? columns : []
  const common = commonOrderOf(order.name)
  if (common !== undefined) {
    const ranked = (await ask(rankedPublishers(query))).map(row => row.publisher as bigint)
    const ids = await pageOfPublishers(reader, ranked, { by: common, isDescending: order.isDescending }, page)
    const figure = RANK_FIGURES[RANKED_BY]
    const [found, previous, totals, comparedTotals] = await Promise.all([
      ids.length === 0 ? [] : ask(ranksOf(query, figure, ids, columns)),
      ids.length === 0 || !earlier ? [] : ask(ranksOf(earlier, figure, ids, before)),
      ask(totalSums(query, columns)),
      earlier && wanted.compared ? ask(totalSums(earlier, columns)) : [],
    ])
    const rows = inOrderOf(ids, found, row => row.publisher as bigint)
    return { page: rows, total: BigInt(ranked.length), previous, totals, comparedTotals }
  }
  const figureOrder = { figure: RANK_FIGURES[order.name as RankFigure], isDescending: order.isDescending }
  const [found, previous, totals, comparedTotals] = await Promise.all([
    ask(rankPage(query, figureOrder, page, columns)),
    earlier ? ask(ranksOfPage(earlier, query, figureOrder, page, before)) : [],
    ask(totalSums(query, columns)),
    earlier && wanted.compared ? ask(totalSums(earlier, columns)) : [],
  ])
  if (totals.length === 0) return emptyRows
  // Behind the last page: only the number of publishers is left to say.
  const [first] = found.length > 0 ? found : await ask(rankPage(query, figureOrder, { limit: 1, offset: 0 }, []))
  return { page: found, total: (first?.total ?? 0n) as bigint, previous, totals, comparedTotals }
}
