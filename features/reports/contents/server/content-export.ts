import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { comparableRange, withCompared } from '@pc/domain/report/comparison.ts'
import { startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { ExportCell, ExportKind, ExportRow } from '@pc/platform/export/export-table.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { absentDays, readArrival, readLateMedia } from '../../core/server/arrival.ts'
import { CONTENT_REVENUE_COLUMN } from '../../core/server/content-kind.ts'
import { type ContentQuery, contentRowsOfMedia, itemPage, itemSums } from '../../core/server/content-statements.ts'
import {
  CONTENT_FIGURES,
  definitionOf,
  type ExportPart,
  type ExportSource,
  figurePart,
  singlePart,
} from '../../core/server/export-figures.ts'
import { addUp } from '../../core/server/figure-sums.ts'
import { type OpenedExport, stateText } from '../../core/server/opened-export.ts'
import { readPublisherNames } from '../../core/server/publisher-names.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { ReportColumn } from '../../report-columns.ts'
import type { ContentFigures } from './content-figures.ts'
import { type ContentMaster, readContentMaster } from './content-master.ts'
import type { ContentReport } from './content-report.ts'
import type { ContentRequest } from './content-request.ts'
import { readContentScope } from './content-scope.ts'

/** Turning more of the engine's rows into values at once would hold up other requests. */
const ID_BATCH_SIZE = 5_000
const ITEM_BATCH_SIZE = 1_000

/**
 * Every article or video of a report. Which ones, and in which order, is read from one state of the store (only the
 * ids are kept, eight bytes each); their figures piece by piece while the file is written, so that a slow reader of a
 * large file holds up neither imports nor other reports.
 */
export async function openItemExport(
  { database, stats }: ReportSources,
  request: ContentRequest,
  scope: Scope,
  columns: readonly ReportColumn[],
  signal: AbortSignal,
): Promise<OpenedExport> {
  const { kind, range, compareWith, order } = request
  if ('by' in order && order.by === 'DATE') throw new Error('items have no date')
  const reader = database.reader(scope)
  const { query, isEmpty } = await readContentScope(database, scope, request)
  const ask: Query = statement => stats.query(statement, { signal })
  const { ids, arrival } = await stats.snapshot(async run => {
    const askHere: Query = statement => run(statement, { signal })
    const found = {
      ids: new BigInt64Array(0),
      arrival: await readArrival(askHere, kind.mediumDay, query.scope.mediumIds, range),
    }
    if (isEmpty) return found
    for (let offset = 0; ; offset += ID_BATCH_SIZE) {
      const rows = await askHere(itemPage(query, order, { limit: ID_BATCH_SIZE, offset }))
      if (offset === 0) found.ids = new BigInt64Array(Number(rows[0]?.total ?? 0n))
      for (const [at, row] of rows.entries()) found.ids[offset + at] = row.item as bigint
      if (offset + rows.length >= found.ids.length || rows.length === 0) return found
    }
  })
  const sums = [...kind.counts, ...(scope.kind === 'all' ? [CONTENT_REVENUE_COLUMN] : [])]
  const compared = compareWith && comparableRange(compareWith, range, arrival.known)
  const absent = absentDays(compareWith, range, arrival)
  const parts = columns.map(column => itemPart(column, compareWith !== undefined))
  const namesPublishers = columns.some(column => column.id === 'publisher')
  const readSums = async (of: ContentQuery, piece: readonly bigint[]) => {
    const rows = await ask(itemSums({ ...of, itemIds: piece }, sums, new Map()))
    return Map.groupBy(rows, row => row.item as bigint)
  }
  return {
    total: ids.length,
    dataUntil: arrival.known?.to ?? null,
    compared: compared ?? null,
    // Articles and videos have rows of the whole range only.
    hasComparedRows: compared !== undefined,
    lateMedia: async () =>
      isEmpty
        ? []
        : readLateMedia(ask, reader, arrival, mediumIds =>
            contentRowsOfMedia({ ...query, range: withCompared(request.compareWith, range) }, mediumIds),
          ),
    columns: parts.flatMap(part => part.columns),
    async *rows() {
      for (let at = 0; at < ids.length; at += ITEM_BATCH_SIZE) {
        const piece = [...ids.subarray(at, at + ITEM_BATCH_SIZE)]
        const [now, before, masters] = await Promise.all([
          readSums(query, piece),
          compared ? readSums({ ...query, range: compared, absent }, piece) : undefined,
          readContentMaster(reader, kind, piece),
        ])
        const publisherOf = (id: bigint) => (now.get(id)?.[0]?.publisher ?? null) as bigint | null
        const publisherIds = [...new Set(piece.map(publisherOf))].filter(id => id !== null)
        const names = await readPublisherNames(reader, namesPublishers ? publisherIds : [])
        yield piece.map((id): ExportRow => {
          const [own = [], past, publisherId] = [now.get(id), before?.get(id), publisherOf(id)]
          const row: ItemRow = {
            id,
            publisherId,
            publisherName: (publisherId !== null && names.get(publisherId)) || null,
            master: masters.get(id),
            source: { sums: addUp(own, sums), compared: past ? addUp(past, sums) : null },
          }
          return parts.flatMap(part => part.cells(row))
        })
      }
    },
  }
}

interface ItemRow {
  readonly id: bigint
  readonly publisherId: bigint | null
  readonly publisherName: string | null
  readonly master: ContentMaster | undefined
  readonly source: ExportSource
}

function itemPart(column: ReportColumn, isCompared: boolean): ExportPart<ItemRow> {
  const figure = CONTENT_FIGURES[column.id]
  if (figure) return figurePart(column, figure, isCompared, row => row.source)
  const one = (kind: ExportKind, width: number, cell: (row: ItemRow) => ExportCell) =>
    singlePart(column, kind, width, cell)
  switch (column.id) {
    case 'title':
      return one('text', 48, ({ master, id }) => master?.title ?? `ID ${id}`)
    case 'publisher':
      return one('text', 32, ({ publisherName, publisherId }) =>
        publisherId === null ? null : (publisherName ?? `ID ${publisherId}`),
      )
    case 'publishedAt':
      return one('day', 12, ({ master }) => (master ? dayAt(master.publishedAt.getTime()) : null))
    case 'duration':
      return one('seconds', 12, ({ master }) => master?.durationSeconds ?? null)
    case 'itemId':
      return one('text', 20, ({ id }) => String(id))
    case 'publisherId':
      return one('text', 16, ({ publisherId }) => (publisherId === null ? null : String(publisherId)))
    case 'url':
      return one('text', 48, ({ master }) => master?.url ?? null)
    default:
      throw new Error(`no column ${column.id} in the file`)
  }
}

interface PeriodRow {
  readonly date: Day
  readonly days: number
  readonly state: Parameters<typeof stateText>[0]
  readonly source: ExportSource
}

/** The periods of articles or videos, also those without data, as the table shows them: few enough to be read at once. */
export function openPeriodExport(
  report: ContentReport,
  columns: readonly ReportColumn[],
  { range, granularity, order, compareWith }: ContentRequest,
): OpenedExport {
  const parts = columns.map(column => periodPart(column, compareWith !== undefined))
  const rows = report.nodes.map(periodRow)
  const starts = new Set(rows.map(({ date }) => startOfPeriod(granularity, date)))
  if (rows.length > 0) {
    for (const period of periodsOf(granularity, range)) {
      const { startsOn, covered } = period
      const state = stateWithoutData(period, report.dataUntil)
      const source = { sums: null, compared: null }
      if (!starts.has(startsOn)) rows.push({ date: startsOn, days: daysOf(covered), state, source })
    }
    if ('by' in order) rows.sort((a, b) => (a.date < b.date === order.isDescending ? 1 : -1))
  }
  return {
    total: rows.length,
    dataUntil: report.dataUntil,
    compared: report.totals?.compared ?? null,
    hasComparedRows: report.nodes.some(({ compared }) => compared !== null),
    lateMedia: report.lateMedia,
    columns: parts.flatMap(part => part.columns),
    async *rows() {
      yield rows.map(row => parts.flatMap(part => part.cells(row)))
    },
  }
}

function periodRow({ date, days, isComplete, hasBeenFinalized, sums, compared }: ContentFigures): PeriodRow {
  if (date === null) throw new Error('a period has a day')
  const state = isComplete ? (hasBeenFinalized ? 'final' : 'estimate') : 'running'
  return { date, days, state, source: { sums, compared: compared?.sums ?? null } }
}

function periodPart(column: ReportColumn, isCompared: boolean): ExportPart<PeriodRow> {
  const figure = CONTENT_FIGURES[column.id]
  if (figure) return figurePart(column, figure, isCompared, row => row.source)
  const definition = definitionOf(column)
  if (column.id === 'state') {
    return {
      columns: [{ header: column.label, kind: 'text', width: 12, definition }],
      cells: row => [stateText(row.state)],
    }
  }
  return {
    columns: [
      { header: '期間の初日', kind: 'day', definition },
      { header: '日数', kind: 'integer' },
    ],
    cells: row => [row.date, row.days],
  }
}
