import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import {
  type ContentQuery,
  hasFewRows,
  itemCount,
  itemPage,
  itemPageSums,
  itemRows,
} from '../../core/server/content-sql.ts'
import { type ChangedBy, readPageByChange } from '../../core/server/order-by-change.ts'
import { columnsOf, type FigureOrder, isCommonOrder } from '../../core/server/report-order.ts'
import { distinct } from './content-figures.ts'
import { type FoundItems, findByLifetimes, type WantedItems } from './find-by-lifetimes.ts'
import { findByTimestamps } from './find-by-timestamps.ts'

/** Finds the articles or videos of a page. Tries the faster ways first; each answers the same, or undefined if not applicable. */
export async function findItems(
  ask: Query,
  query: ContentQuery,
  wanted: WantedItems,
  compared?: ComparedItems,
): Promise<FoundItems> {
  if (compared && !isCommonOrder(wanted.order)) {
    const found = await readItemsByChange(ask, query, wanted.order, compared, wanted.page)
    return { ...found, rows: undefined }
  }
  return (
    (await findByLifetimes(ask, query, wanted)) ??
    (await findByTimestamps(ask, query, wanted)) ??
    (await findByRows(ask, query, wanted))
  )
}

/** The comparison of a list that is ordered by change. */
export interface ComparedItems {
  readonly earlier: ContentQuery
  readonly changedBy: ChangedBy
}

export function readItemsByChange(
  ask: Query,
  query: ContentQuery,
  order: FigureOrder,
  { earlier, changedBy }: ComparedItems,
  page: Page,
) {
  const rows = (of: ContentQuery) => itemRows(of, [of.kind.id, ...columnsOf(order.figure)])
  const both = { now: rows(query), before: rows(earlier), key: query.kind.id }
  return readPageByChange(ask, both, order, changedBy, page)
}

async function findByRows(
  ask: Query,
  query: ContentQuery,
  { order, page, columns, closedMonths }: WantedItems,
): Promise<FoundItems> {
  const readsOnce = !isCommonOrder(order) && hasFewRows(query)
  const rows = await ask(
    readsOnce ? itemPageSums(query, order, page, columns, closedMonths) : itemPage(query, order, page),
  )
  const ids = distinct(rows.map(row => row.item as bigint))
  if (ids.length > 0) return { total: Number(rows[0]!.total), ids, rows: readsOnce ? rows : undefined }
  const [counted] = page.offset === 0 ? [] : await ask(itemCount(query))
  return { total: Number(counted?.total ?? 0n), ids, rows: [] }
}
