import type { ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { daysOf } from '@pc/domain/report/period.ts'
import type { Query, Row } from '@pc/platform/stats/port.ts'
import type { Sql } from '@pc/platform/stats/sql.ts'
import type { ClosedMonths } from '../../core/server/closed-months.ts'
import type { ContentQuery } from '../../core/server/content-sql.ts'
import { addUp } from '../../core/server/figure-sums.ts'
import { compareSums } from '../../core/server/report-order.ts'
import type { ContentRequest } from './content-request.ts'
import {
  articleBounds,
  firstLabels,
  type LabelOrder,
  type LabelQuery,
  labelSums,
  namedPublishers,
  type PublisherRange,
  publishersOfLabels,
} from './label-sql.ts'

/** A page of authors, sections or tags from the statistics store, which has ids but no names. */
export interface LabelRows {
  readonly kind: ArticleLabelKind
  readonly total: number
  /** In the order of the page, with `of_label`, `articles`, `are_closed` and `sum_<column>`. */
  readonly rows: readonly Row[]
  readonly comparedRows: ReadonlyMap<bigint, Row>
}

interface Reading {
  readonly columns: readonly string[]
  readonly closedMonths: ClosedMonths
  /** The rows that the figures are compared with; undefined: no comparison. */
  readonly earlier: ContentQuery | undefined
  /** The greatest publisher id, to split all publishers into ranges of ids. */
  readonly lastPublisherId: bigint
  readonly publisherDayBatchSize?: number | undefined
}

/**
 * Reads one page. Publishers are read in parts, because grouping the labels of all of them at once exceeds the engine's
 * memory, and small hash tables are faster.
 */
export async function readLabelRows(
  ask: Query,
  { order, page, groupBy }: Pick<ContentRequest, 'order' | 'page'> & { readonly groupBy: ArticleLabelKind },
  query: ContentQuery,
  { columns, closedMonths, earlier, ...parting }: Reading,
): Promise<LabelRows> {
  if ('by' in order && order.by === 'DATE') throw new Error('labels have no date')
  const read = async (of: ContentQuery, statement: (of: LabelQuery) => Sql) => {
    const parts: Row[][] = []
    for (const each of await labelQueries(ask, of, groupBy, parting)) parts.push(await ask(statement(each)))
    return parts
  }
  const most = page.offset + page.limit
  const parts = await read(query, of => firstLabels(of, columns, closedMonths, order, most))
  const rows = withOneZero(parts.flat(), columns).toSorted(inOrder(order, columns)).slice(page.offset, most)
  const ids = rows.map(row => row.of_label as bigint)
  const theirs = earlier && ids.length > 0 ? { ...earlier, ...(await onlyTheirs(ask, ids)) } : undefined
  const comparedParts = theirs ? await read(theirs, of => labelSums(of, columns, ids)) : []
  return {
    kind: groupBy,
    total: totalOf(parts),
    rows,
    comparedRows: new Map(withOneZero(comparedParts.flat(), columns).map(row => [row.of_label as bigint, row])),
  }
}

/** Restricts the compared rows to the labels' publishers. Label 0 (no label) belongs to every publisher, so no restriction. */
async function onlyTheirs(ask: Query, ids: readonly bigint[]): Promise<Pick<ContentQuery, 'knownPublisherIds'>> {
  if (ids.includes(0n)) return {}
  const rows = await ask(publishersOfLabels(ids))
  return { knownPublisherIds: rows.map(row => row.publisher as bigint) }
}

/** One query per part of the publishers; empty when the query has no rows. */
async function labelQueries(
  ask: Query,
  query: ContentQuery,
  by: ArticleLabelKind,
  { lastPublisherId, publisherDayBatchSize }: Pick<Reading, 'lastPublisherId' | 'publisherDayBatchSize'>,
): Promise<LabelQuery[]> {
  const [bounds] = await ask(articleBounds(query))
  const { first_article: first, last_article: last } = bounds ?? {}
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return []
  const parts = publisherParts(query, lastPublisherId, publisherDayBatchSize)
  return parts.map(part => ({ ...query, by, part, articles: { first, last } }))
}

/** Publishers × days per part, about some hundred thousand articles. */
const PUBLISHER_DAY_BATCH_SIZE = 60_000
/** Bounds the number of statements: one per part. */
const MAX_PARTS = 64n

/** Splits the publishers into consecutive ranges of ids of about equal size, which together cover all ids. */
export function publisherParts(
  query: ContentQuery,
  lastPublisherId: bigint,
  publisherDayBatchSize = PUBLISHER_DAY_BATCH_SIZE,
): readonly PublisherRange[] {
  const ids = namedPublishers(query)?.toSorted((a, b) => (a < b ? -1 : 1))
  const publishers = ids ? BigInt(ids.length) : lastPublisherId
  const wanted = (publishers * BigInt(daysOf(query.range))) / BigInt(publisherDayBatchSize) + 1n
  const parts = [wanted, publishers, MAX_PARTS].reduce((least, one) => (one < least ? one : least))
  if (parts <= 1n) return [{}]
  const ends = Array.from({ length: Number(parts) - 1 }, (_, index) => {
    const place = (publishers * BigInt(index + 1)) / parts
    return ids ? ids[Number(place)]! : place
  })
  const borders = [undefined, ...ends, undefined]
  return borders.slice(1).map((to, index) => {
    const before = borders[index]
    return { from: before === undefined ? undefined : before + 1n, to }
  })
}

/** Merges the rows of label 0 (articles without a label), of which each part has one. */
function withOneZero(rows: readonly Row[], columns: readonly string[]): Row[] {
  const zeros = rows.filter(row => row.of_label === 0n)
  const others = rows.filter(row => row.of_label !== 0n)
  const [first] = zeros
  if (first === undefined || zeros.length === 1) return [...rows]
  const sums = addUp(zeros, columns)
  return [
    {
      ...first,
      articles: zeros.reduce((sum, row) => sum + (row.articles as bigint), 0n),
      ...('are_closed' in first ? { are_closed: zeros.every(row => row.are_closed === 1n) ? 1n : 0n } : {}),
      ...Object.fromEntries(columns.map(column => [`sum_${column}`, sums[column]!])),
    },
    ...others,
  ]
}

/** The number of labels over all parts. Each row carries its part's `total`; label 0 counts once over all parts. */
function totalOf(parts: readonly (readonly Row[])[]): number {
  const total = parts.reduce((sum, [first]) => sum + Number(first?.total ?? 0n), 0)
  const zeros = parts.flat().filter(row => row.of_label === 0n).length
  return total - Math.max(0, zeros - 1)
}

function inOrder(order: LabelOrder, columns: readonly string[]): (a: Row, b: Row) => number {
  const byId = (a: Row, b: Row) => Number((a.of_label as bigint) - (b.of_label as bigint))
  if ('by' in order) return order.isDescending ? (a, b) => byId(b, a) : byId
  const compare = compareSums(order)
  const sign = order.isDescending ? -1 : 1
  return (a, b) => compare(addUp([a], columns), addUp([b], columns)) || byId(a, b) * sign
}
