import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import { type BoardTile, type TileFigure, type TileReport, tileFilter, tileRange } from '@pc/domain/board/board.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import { filterArguments } from '@pc/domain/condition/entity-filter.ts'
import { type Day, day, parseDay } from '@pc/domain/month/day.ts'
import { dayTextWithWeekday } from '@pc/domain/month/day-text.ja.ts'
import { type Granularity, startOfPeriod } from '@pc/domain/report/granularity.ts'
import type { LateMedia } from '@pc/domain/report/late-media.ja.ts'
import { periodsOf } from '@pc/domain/report/period.ts'
import type { ChartPoint } from '@pc/ui/chart/chart-points.ts'
import { useOwnQuery } from '@pc/ui/data/use-own-query.ts'
import { formatShortDay } from '@pc/ui/text/format.ts'
import { ArticlesTileDocument, RankingTileDocument, SummaryTileDocument, VideosTileDocument } from './tile-data.gen.ts'
import { shortRange, type TileFigures } from './tile-words.ts'

/** The common shape of the four reports' answers: their documents use the same aliases. */
export interface TileAnswer {
  readonly stats: {
    readonly dataUntil: string | null
    readonly lateMedia: LateMedia
    readonly totals: TileTotals | null
    readonly nodes: readonly TileRow[]
  }
}
interface ComparedTileFigures extends TileFigures {
  readonly from: string
  readonly to: string
}
export interface TileTotals extends TileFigures {
  readonly compared: ComparedTileFigures | null
  /** Absent in a ranking's totals. */
  readonly days?: number
  readonly daysWithData?: number
}
export interface TileRow extends TileFigures {
  readonly name?: string | null
  readonly rank?: number
  readonly date?: string | null
  readonly isComplete?: boolean
  readonly hasBeenFinalized?: boolean
  readonly compared: ComparedTileFigures | null
}

const DOCUMENTS: Readonly<Record<TileReport, unknown>> = {
  dashboard: SummaryTileDocument,
  ranking: RankingTileDocument,
  articles: ArticlesTileDocument,
  videos: VideosTileDocument,
}
/** The right that each report's query needs, to show a note instead of querying in vain. The server checks it again. */
export const RESOURCES: Readonly<Record<TileReport, ResourceName>> = {
  dashboard: 'insight:summary_stats.',
  ranking: 'insight:publisher_rank.',
  articles: 'insight:article_stats.',
  videos: 'insight:video_stats.',
}
const ORDERS: Readonly<Record<TileFigure, string>> = {
  revenue: 'REVENUE_DESC',
  impressions: 'IMPRESSION_DESC',
  clicks: 'CLICK_DESC',
  ctr: 'CTR_DESC',
  watchCount: 'WATCH_DESC',
}
/** The API's greatest limit, for charts, which show all periods. */
const MAX_PERIODS = 1000
const TABLE_ROWS = 20

/** The figures of one tile. */
export function useTileData(tile: BoardTile, today: Day, document: unknown = DOCUMENTS[tile.report]) {
  const range = tileRange(tile, today)
  const result = useOwnQuery(document as TypedDocumentNode<TileAnswer, Record<string, unknown>>, {
    variables: variablesOf(tile, range),
    notifyOnNetworkStatusChange: true,
  })
  // Apollo types the answer as partial, but without `@defer` it is complete; hence the cast.
  const data = (result.data ?? result.previousData) as TileAnswer | undefined
  return { range, data, error: result.error, isLoading: result.loading, retry: () => void result.refetch() }
}

/** The query variables of a tile. Empty filters mean all rows that the reader may see. */
function variablesOf(tile: BoardTile, range: DayRange): Record<string, unknown> {
  const { report, granularity, shape, groupBy } = tile
  const filter = {
    ...range,
    ...filterArguments(tileFilter(tile)),
    // A single figure always shows a change, by default against the preceding period.
    compareWith: tile.compareWith ?? 'previous_period',
  }
  if (report === 'dashboard') return { param: { ...filter, granularity } }
  if (report === 'ranking') return { limit: TABLE_ROWS, orderBy: ORDERS[tile.figure], param: filter }
  const isByDate = shape !== 'table' && groupBy === null
  const rows = groupBy ?? (report === 'articles' ? 'article' : 'video')
  return {
    limit: isByDate ? MAX_PERIODS : TABLE_ROWS,
    orderBy: isByDate ? 'DATE_ASC' : ORDERS[tile.figure],
    param: { ...filter, granularity, groupBy: isByDate ? 'date' : rows },
  }
}

/** A point for every period of the range; periods without data have no values, which is not 0. */
export function tilePoints(
  rows: readonly TileRow[],
  { granularity, figure, compareWith }: Pick<BoardTile, 'granularity' | 'figure' | 'compareWith'>,
  range: DayRange,
  dataUntil: string | null,
): ChartPoint[] {
  const byStart = new Map(
    rows.flatMap(row => (row.date ? [[startOfPeriod(granularity, day(row.date)), row]] : [])) as [Day, TileRow][],
  )
  const until = parseDay(dataUntil ?? '')
  return periodsOf(granularity, range).map(({ startsOn, covered }) => {
    const row = byStart.get(startsOn)
    const note = row
      ? row.isComplete
        ? '速報値（確定前）'
        : '集計中（期間の途中）'
      : until === undefined || covered.from > until
        ? 'まだ集計されていません'
        : 'データなし'
    const isFinal = row?.isComplete === true && row.hasBeenFinalized === true
    return {
      key: startsOn,
      tick:
        granularity === 'monthly'
          ? `${startsOn.slice(0, 4)}/${Number(startsOn.slice(5, 7))}`
          : formatShortDay(covered.from),
      heading: rowLabel(startsOn, granularity, covered),
      state: isFinal ? 'final' : 'provisional',
      values: {
        [figure]: row ? drawn(row, figure) : null,
        ...(row?.compared && compareWith ? { [COMPARED_KEY]: drawn(row.compared, figure) } : {}),
      },
      ...(row?.compared && compareWith ? againstOf(row.compared, granularity) : {}),
      ...(isFinal ? {} : { note }),
    }
  })
}

/** The series key of the compared values, which a chart draws behind its own. */
export const COMPARED_KEY = 'compared'

function drawn(figures: TileFigures, figure: TileFigure): number | null {
  return figure === 'ctr' ? percent(figures) : figures[figure]
}

/** The label of the days that a point is compared with. */
function againstOf({ from, to }: ComparedTileFigures, granularity: Granularity) {
  const days = { from: day(from), to: day(to) }
  return { against: granularity === 'daily' ? dayTextWithWeekday(days.from) : shortRange(days, '') }
}

function rowLabel(startsOn: Day, granularity: Granularity, covered: DayRange): string {
  if (granularity === 'daily') return dayTextWithWeekday(startsOn)
  return granularity === 'monthly'
    ? `${startsOn.slice(0, 4)}年${Number(startsOn.slice(5, 7))}月`
    : shortRange(covered, '')
}

/** In percent with one decimal, rounded down. */
function percent({ clicks, impressions }: TileFigures): number | null {
  return impressions === 0 ? null : Math.floor((clicks * 1000) / impressions) / 10
}

/** The label of a table's row: a name, or a period. */
export function rowName(row: TileRow, granularity: Granularity, range: DayRange): string {
  if (row.name) return row.name
  const start = parseDay(row.date ?? '')
  if (start === undefined) return '（名称なし）'
  const covered = periodsOf(granularity, range).find(
    period => period.startsOn === startOfPeriod(granularity, start),
  )?.covered
  return rowLabel(startOfPeriod(granularity, start), granularity, covered ?? range)
}
