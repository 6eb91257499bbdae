import { type Day, day } from '@pc/domain/month/day.ts'
import { monthOfDay, type YearMonth } from '@pc/domain/month/year-month.ts'
import { quoted } from '../checking/column-checks.ts'
import { DATASET_COLUMNS, type Dataset, type FactDataset, isContentDataset } from '../checking/dataset-columns.ts'
import type { InspectedRows } from '../checking/prepare-batch.ts'
import { daySql } from '../publishing/build-facts.ts'
import type { ReadingEngine } from '../reading/reading-engine.ts'

/** The figures of a delivery's good rows, for a person to compare with the sender's before publishing. */
export interface RowsSummary {
  /** All rows of the file, wrong ones included. */
  readonly rows: bigint
  readonly badRows: bigint
  readonly firstDay: Day | null
  readonly lastDay: Day | null
  readonly totals: readonly Total[]
  /** The first {@link LISTED_DAYS} days in order; empty for articles and videos. */
  readonly days: readonly DayTotals[]
  readonly dayCount: number
  /** The media and months that the rows are about. */
  readonly months: readonly { readonly mediumId: bigint; readonly month: YearMonth }[]
}

export interface Total {
  readonly column: string
  readonly label: string
  /** Exact: summed in 128 bits. */
  readonly total: bigint
}

export interface DayTotals {
  readonly day: Day
  readonly rows: bigint
  /** In the order of the totals. */
  readonly totals: readonly bigint[]
}

const LISTED_DAYS = 400

interface Metric {
  readonly column: string
  readonly label: string
  readonly sum: string
}

const EVENT_LABELS = { impression: '表示回数', click: 'クリック数', watch: '閲覧・再生数' } as const

/** Adds up the view `good`. The engine sums in 128 bits, which no file can exceed. */
export async function summariseRows(
  engine: ReadingEngine,
  dataset: Dataset,
  rows: InspectedRows,
): Promise<RowsSummary> {
  const counted = { rows: rows.total, badRows: rows.bad }
  if (isContentDataset(dataset))
    return { ...counted, firstDay: null, lastDay: null, totals: [], days: [], dayCount: 0, months: [] }
  const metrics = metricsOf(dataset, rows.columns)
  const sums = metrics.map(({ sum }, at) => `cast(coalesce(${sum}, 0) as varchar) as total_${at}`)
  const totalsOf = (row: Readonly<Record<string, unknown>> | undefined) =>
    metrics.map((_, at) => BigInt(String(row?.[`total_${at}`] ?? 0)))
  const dayColumn = daySql(dataset)
  const [whole] = await engine.rows(
    `select cast(min(${dayColumn}) as varchar) as first, cast(max(${dayColumn}) as varchar) as last, ` +
      `count(distinct ${dayColumn}) as day_count, ${sums.join(', ')} from good`,
  )
  const days = await engine.rows(
    `select cast(${dayColumn} as varchar) as day, count(*) as rows, ${sums.join(', ')} from good ` +
      `group by ${dayColumn} order by ${dayColumn} limit ${LISTED_DAYS}`,
  )
  const months = await engine.rows(
    `select medium_id, cast(min(${dayColumn}) as varchar) as day from good group by medium_id, date_trunc('month', ${dayColumn}) order by all`,
  )
  const totals = totalsOf(whole)
  return {
    ...counted,
    firstDay: whole?.first == null ? null : day(String(whole.first)),
    lastDay: whole?.last == null ? null : day(String(whole.last)),
    totals: metrics.map(({ column, label }, at) => ({ column, label, total: totals[at] ?? 0n })),
    days: days.map(row => ({ day: day(String(row.day)), rows: row.rows as bigint, totals: totalsOf(row) })),
    dayCount: Number(whole?.day_count ?? 0n),
    months: months.map(row => ({ mediumId: row.medium_id as bigint, month: monthOfDay(day(String(row.day))) })),
  }
}

/** The columns to add up. Followers are a level per day and not a sum; the ids of events are not figures. */
function metricsOf(dataset: FactDataset, given: ReadonlySet<string>): readonly Metric[] {
  if (dataset === 'events') {
    return Object.entries(EVENT_LABELS).map(([type, label]) => ({
      column: type,
      label,
      sum: `count(*) filter (where type = '${type}')`,
    }))
  }
  return DATASET_COLUMNS[dataset]
    .filter(({ name, type }) => type.kind === 'count' && name !== 'follower' && given.has(name))
    .map(({ name, label }) => ({ column: name, label, sum: `sum(${quoted(name)})` }))
}
