import { daysOf } from '@pc/domain/report/period.ts'
import type { Query } from '@pc/platform/stats/port.ts'
import { type ContentQuery, firstByTimestamp, itemCount } from '../../core/server/content-sql.ts'
import { isCommonOrder } from '../../core/server/report-order.ts'
import { isOverAllPublishers } from '../../core/server/sql-parts.ts'
import type { FoundItems, WantedItems } from './find-by-lifetimes.ts'

/** Deepest place (offset + limit) tried; deeper pages rarely fill from the first contents. */
const LAST_PLACE = 500
interface Limits {
  /** Newest (or oldest) contents that are tried: the range often ends some days before the newest. */
  readonly lookedAt: number
  /** In shorter ranges, joining each content with its timestamp is as fast. */
  readonly minDays: number
}
const USUAL: Limits = { lookedAt: 50_000, minDays: 92 }

/**
 * The first items over all publishers by creation or change time: takes the first `lookedAt` contents of the store and keeps
 * those with rows in the range. Undefined when that does not fill the page, or when another way is faster.
 * Tested by `features/reports/contents/server/find-contents.test.ts`.
 */
export async function findByTimestamps(
  ask: Query,
  query: ContentQuery,
  { order, page }: WantedItems,
  { lookedAt, minDays }: Limits = USUAL,
): Promise<FoundItems | undefined> {
  if (!isCommonOrder(order) || order.by === 'ID') return undefined
  if (query.itemIds || query.absent?.length || !isOverAllPublishers(query.scope)) return undefined
  const place = page.offset + page.limit
  if (place > LAST_PLACE || daysOf(query.range) < minDays) return undefined
  const first = await ask(firstByTimestamp(query, order, lookedAt, place))
  if (first.length < place) return undefined
  const [counted] = await ask(itemCount(query))
  const ids = first.slice(page.offset).map(row => row.item as bigint)
  return { total: Number(counted?.total ?? 0n), ids, rows: undefined }
}
