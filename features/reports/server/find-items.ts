import { daysOf } from '@pc/domain/report/period.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import type { ClosedMonths } from './closed-months.ts'
import { distinct } from './content-figures.ts'
import { type ContentQuery, hasFewRows, itemCount, itemPage, itemPageSums, itemSums } from './content-statements.ts'
import { addUp } from './figure-sums.ts'
import { itemsThatReach, leastOfFirst } from './life-statements.ts'
import { compareSums, type FigureOrder } from './report-order.ts'
import { isOverAllPublishers } from './report-scope.ts'

/** The articles or videos of a page. */
interface FoundItems {
  /** On all pages. */
  readonly total: number
  /** In the order of the page. */
  readonly ids: readonly bigint[]
  /** What `itemSums` gives for them, where the way of finding them tells it; undefined: still to be read. */
  readonly rows: readonly Row[] | undefined
}
interface WantedItems {
  readonly order: FigureOrder | 'ID_ASC' | 'ID_DESC'
  readonly page: Page
  /** Those of the order are among them. */
  readonly columns: readonly string[]
  readonly closedMonths: ClosedMonths
}

/** Whichever way is the fastest, the answer is the same. */
export async function findItems(ask: Query, query: ContentQuery, wanted: WantedItems): Promise<FoundItems> {
  return (await findByLives(ask, query, wanted)) ?? (await findByRows(ask, query, wanted))
}

async function findByRows(
  ask: Query,
  query: ContentQuery,
  { order, page, columns, closedMonths }: WantedItems,
): Promise<FoundItems> {
  const readsOnce = typeof order !== 'string' && hasFewRows(query)
  const rows = await ask(
    readsOnce ? itemPageSums(query, order, page, columns, closedMonths) : itemPage(query, order, page),
  )
  const ids = distinct(rows.map(row => row.item as bigint))
  if (ids.length > 0) return { total: Number(rows[0]!.total), ids, rows: readsOnce ? rows : undefined }
  const [counted] = page.offset === 0 ? [] : await ask(itemCount(query))
  return { total: Number(counted?.total ?? 0n), ids, rows: [] }
}

/** Of fewer days, few contents lie within them, and many reach what those have. */
const FEWEST_DAYS = 21
/** The further down, the more reach it. */
const LAST_PLACE = 500
/** From about here on it takes as long to read what they have in the range as to put all contents into groups. */
const MOST_REACHING = 2_000

/**
 * The first items by a figure, of all publishers: those whose life (`LIVES`) reaches the figure of the page's last place,
 * with what they have in the range. Undefined: the figures, or the store, do not make that the faster way.
 */
export async function findByLives(
  ask: Query,
  query: ContentQuery,
  { order, page, columns, closedMonths }: WantedItems,
): Promise<FoundItems | undefined> {
  if (typeof order === 'string' || !order.isDescending || order.figure.per) return undefined
  if (query.itemIds || query.labels || query.absent?.length || !isOverAllPublishers(query.scope)) return undefined
  const [column, ...others] = order.figure.columns
  const place = page.offset + page.limit
  if (column === undefined || others.length > 0 || place > LAST_PLACE || daysOf(query.range) < FEWEST_DAYS)
    return undefined

  const [first] = await ask(leastOfFirst(query, column, place))
  if (first === undefined || first.lives !== BigInt(place)) return undefined
  const reaching = await ask(itemsThatReach(query, column, first.least as bigint, MOST_REACHING + 1))
  if (reaching.length > MOST_REACHING) return undefined

  const itemIds = distinct(reaching.map(row => row.item as bigint))
  const rowsOf = Map.groupBy(
    await ask(itemSums({ ...query, itemIds }, columns, closedMonths)),
    row => row.item as bigint,
  )
  const compare = compareSums(order)
  const ids = [...rowsOf]
    .map(([id, rows]) => ({ id, sums: addUp(rows, columns) }))
    .sort((a, b) => compare(a.sums, b.sums) || Number(b.id - a.id))
    .slice(page.offset, place)
    .map(({ id }) => id)
  return { total: Number(reaching[0]!.total), ids, rows: ids.flatMap(id => rowsOf.get(id)!) }
}
