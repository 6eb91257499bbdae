import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { readMatchingItems } from '../../core/server/content-filter.ts'
import { CONTENT_REVENUE_COLUMN } from '../../core/server/content-kind.ts'
import { type ContentQuery, contentRowsOfMedia } from '../../core/server/content-sql.ts'
import { chosenColumns } from '../../core/server/figure-sums.ts'
import { columnsOf } from '../../core/server/report-order.ts'
import type { ReportPlan } from '../../core/server/report-plan.ts'
import { readReportScope } from '../../core/server/report-scope.ts'
import type { ReportSources } from '../../core/server/report-sources.ts'
import type { ContentRequest } from './content-request.ts'

export type ContentPlan = ReportPlan<ContentQuery>

/** Plans rows, totals and files alike: the viewer's rows that pass the filters, and the columns to read. */
export async function planContent(
  { database, stats }: ReportSources,
  { kind, range, compareWith, filter, master, itemIds, order, wantedColumns }: ContentRequest,
  viewer: Scope,
  signal: AbortSignal | undefined,
): Promise<ContentPlan> {
  const reader = database.reader(viewer)
  const [scope, matching] = await Promise.all([
    readReportScope(reader, viewer, filter),
    readMatchingItems(database, viewer, kind, master),
  ])
  const ids = both(itemIds, matching)
  const readable = viewer.kind === 'all' ? [...kind.counts, CONTENT_REVENUE_COLUMN] : kind.counts
  const ordering = 'figure' in order ? columnsOf(order.figure) : []
  return {
    rows: {
      ...{ kind, range, scope, itemIds: ids },
      ...(scope.labels ? { knownPublisherIds: scope.labels.publisherIds } : {}),
    },
    columns: chosenColumns(readable, wantedColumns && [...wantedColumns, ...ordering]),
    compareWith,
    arrivalTable: kind.mediumDay,
    isEmpty: scope.entries.length === 0 || ids?.length === 0,
    rowsOfMedia: contentRowsOfMedia,
    reader,
    stats,
    options: signal ? { signal } : {},
  }
}

/** The intersection of two id filters; undefined does not restrict. */
function both(one: readonly bigint[] | undefined, other: readonly bigint[] | undefined): readonly bigint[] | undefined {
  if (!one || !other) return one ?? other
  const known = new Set(other)
  return one.filter(id => known.has(id))
}
