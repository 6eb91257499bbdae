import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import type { Day } from '@pc/domain/month/day.ts'
import { startOfPeriod } from '@pc/domain/report/granularity.ts'
import { daysOf, periodsOf, stateWithoutData } from '@pc/domain/report/period.ts'
import type { ExportCell, ExportKind } from '@pc/domain/spreadsheet/export-column.ts'
import { dayAt } from '@pc/platform/clock.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { type ContentMaster, readContentMaster } from '../../core/server/content-master.ts'
import { type ContentQuery, itemPage, itemSums } from '../../core/server/content-sql.ts'
import {
  CONTENT_FIGURES,
  definitionOf,
  type ExportPart,
  type ExportSource,
  figurePart,
  singlePart,
} from '../../core/server/export-figures.ts'
import { addUp } from '../../core/server/figure-sums.ts'
import { comparedOf, type OpenedExport, openExport, stateOf, stateText } from '../../core/server/opened-export.ts'
import { readPublisherNames } from '../../core/server/publisher-names.ts'
import { isCommonOrder } from '../../core/server/report-order.ts'
import { readPlan } from '../../core/server/report-plan.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { ReportColumn } from '../../report-columns.ts'
import type { ContentFigures } from './content-figures.ts'
import { planContent } from './content-plan.ts'
import type { ContentReport } from './content-report.ts'
import type { ContentRequest } from './content-request.ts'
import { readItemsByChange } from './find-contents.ts'

/** Bounds the rows that are converted in one go: larger batches would block the event loop for other requests. */
const ID_BATCH_SIZE = 5_000
const ITEM_BATCH_SIZE = 1_000

/**
 * Every article or video of a report. The ids in order come from one snapshot of the store and are kept in memory (eight
 * bytes each). Figures are read in batches while the file is written, so that a slow download of a large file blocks
 * neither imports nor other reports.
 */
export async function openItemExport(
  sources: ReportSources,
  request: ContentRequest,
  scope: Scope,
  columns: readonly ReportColumn[],
  signal: AbortSignal,
): Promise<OpenedExport> {
  const { kind, compareWith, order, changedBy } = request
  if ('by' in order && order.by === 'DATE') throw new Error('items have no date')
  const plan = await planContent(sources, request, scope, signal)
  const {
    read: ids,
    comparison,
    freshness,
  } = await readPlan(plan, async (ask, compares) => {
    let found = new BigInt64Array(0)
    if (plan.isEmpty) return found
    const { rows: earlier } = changedBy ? await compares : { rows: undefined }
    const read = async (page: Page) => {
      if (changedBy && earlier && !isCommonOrder(order))
        return readItemsByChange(ask, plan.rows, order, { earlier, changedBy }, page)
      const rows = await ask(itemPage(plan.rows, order, page))
      return { ids: rows.map(row => row.item as bigint), total: Number(rows[0]?.total ?? 0n) }
    }
    for (let offset = 0; ; offset += ID_BATCH_SIZE) {
      const { ids: piece, total } = await read({ limit: ID_BATCH_SIZE, offset })
      if (offset === 0) found = new BigInt64Array(total)
      for (const [at, id] of piece.entries()) found[offset + at] = id
      if (offset + piece.length >= found.length || piece.length === 0) return found
    }
  })
  const compared = comparison.daysOf() ?? null
  // Each article or video is one row over the whole range, so rows are compared only when the range is.
  const about = { ...freshness, total: ids.length, compared, hasComparedRows: compared !== null }
  const parts = columns.map(column => itemPart(column, compareWith !== undefined))
  const namesPublishers = columns.some(column => column.id === 'publisher')
  const readSums = async (of: ContentQuery, piece: readonly bigint[]) => {
    const statement = itemSums({ ...of, itemIds: piece }, plan.columns, new Map())
    return Map.groupBy(await plan.stats.query(statement, plan.options), row => row.item as bigint)
  }
  return openExport(about, parts, async function* () {
    for (let at = 0; at < ids.length; at += ITEM_BATCH_SIZE) {
      const piece = [...ids.subarray(at, at + ITEM_BATCH_SIZE)]
      const [now, before, masters] = await Promise.all([
        readSums(plan.rows, piece),
        comparison.rows ? readSums(comparison.rows, piece) : undefined,
        readContentMaster(plan.reader, kind, piece),
      ])
      const publisherOf = (id: bigint) => ((now.get(id) ?? before?.get(id))?.[0]?.publisher ?? null) as bigint | null
      const publisherIds = [...new Set(piece.map(publisherOf))].filter(id => id !== null)
      const names = await readPublisherNames(plan.reader, namesPublishers ? publisherIds : [])
      yield piece.map((id): ItemRow => {
        const isZeroWithout = changedBy !== undefined && before !== undefined
        const [own = [], past = isZeroWithout ? [] : undefined] = [now.get(id), before?.get(id)]
        const publisherId = publisherOf(id)
        return {
          id,
          publisherId,
          publisherName: (publisherId !== null && names.get(publisherId)) || null,
          master: masters.get(id),
          source: { sums: addUp(own, plan.columns), compared: past ? addUp(past, plan.columns) : null },
        }
      })
    }
  })
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

/** The table by period, periods without data included. Few enough to be read at once. */
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
  return openExport({ ...report, ...comparedOf(report), total: rows.length }, parts, () => [rows])
}

function periodRow(period: ContentFigures): PeriodRow {
  const { date, days, sums, compared } = period
  if (date === null) throw new Error('a period has a day')
  return { date, days, state: stateOf(period), source: { sums, compared: compared?.sums ?? null } }
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
