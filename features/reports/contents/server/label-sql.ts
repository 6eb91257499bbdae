import { ARTICLE_LABEL_NOS, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { countOf, ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { ClosedMonths } from '../../core/server/closed-months.ts'
import { type ContentQuery, itemRows, monthRows } from '../../core/server/content-sql.ts'
import { type CommonOrder, type FigureOrder, orderSql, type SortFigure } from '../../core/server/report-order.ts'
import { allClosed, isOneOf, isRowClosed } from '../../core/server/sql-parts.ts'

/** Labels have an id but no timestamps, so every common order means their id. */
export type LabelOrder = FigureOrder | CommonOrder

/** A range of publisher ids; both ends are inclusive, a missing one is open. */
export interface PublisherRange {
  readonly from?: bigint | undefined
  readonly to?: bigint | undefined
}

const inRange = ({ from, to }: PublisherRange): Sql =>
  joined(
    [
      ...(from === undefined ? [] : [sql` and publisher_id >= ${from}`]),
      ...(to === undefined ? [] : [sql` and publisher_id <= ${to}`]),
    ],
    none,
  )

/** The rows and the label kind of a statement by label. */
export interface LabelQuery extends ContentQuery {
  readonly by: ArticleLabelKind
  /** A part of the publishers. A label belongs to one publisher, so parts share no label except 0. */
  readonly part: PublisherRange
  /** First and last article id of the query, by which the engine skips labels of other articles. */
  readonly articles: { readonly first: bigint; readonly last: bigint }
}

/**
 * `first_article` and `last_article` of the rows; null when there are none.
 * Tested by `features/reports/contents/server/label-report.test.ts`.
 */
export function articleBounds(query: ContentQuery): Sql {
  return sql`
    select min(article_id) as first_article, max(article_id) as last_article
    from (${itemRows(query, ['article_id'])}) item_rows`
}

/**
 * Answers `own_publisher`, `own_article`, `own_<column>` and `is_closed`, one row per article. Articles with a single month
 * (`is_lone`, most of them) are taken without grouping; the rows of others are summed. With one row per article, its labels
 * are joined once and articles are counted without `distinct`.
 */
function ownArticles(query: LabelQuery, columns: readonly string[], closed: ClosedMonths): Sql {
  const part = inRange(query.part)
  const ofMonths = monthRows(query)
  const others = ofMonths && sql`${ofMonths} and is_lone = 0`
  const rows = itemRows(query, ['publisher_id', 'article_id', 'medium_id', 'date', ...columns], others)
  const named = (of: (column: string) => Sql) =>
    joined(
      columns.map(column => sql`, ${of(column)} as ${ident(`own_${column}`)}`),
      none,
    )
  const grouped = sql`
    select publisher_id as own_publisher, article_id as own_article, ${allClosed(closed)}${named(column => sumInt(ident(column)))}
    from (${rows}) item_rows where 1 = 1${part} group by publisher_id, article_id`
  if (!ofMonths) return grouped
  return sql`
    select publisher_id as own_publisher, article_id as own_article, ${isRowClosed(closed)} as is_closed${named(
      column => sql`cast(${ident(column)} as Int128)`,
    )}
    from ${ofMonths} and is_lone = 1${part} union all ${grouped}`
}

/** The labels of articles. If the filter names labels of this kind, the articles' other labels of the kind are left out. */
function carriedLabels(query: LabelQuery): Sql {
  const { by, part, articles, scope } = query
  const ids = scope.labels?.ids[by]
  const publishers = namedPublishers(query)
  return sql`
    select publisher_id as carried_publisher, article_id as carried_article, label_id as carried_label
    from ${table('article_label')}
    where kind_no = ${ARTICLE_LABEL_NOS[by]} and article_id between ${articles.first} and ${articles.last}${inRange(part)}${
      publishers ? sql` and ${isOneOf('publisher_id', publishers)}` : none
    }${ids ? sql` and label_id in ${ids}` : none}`
}

/** The distinct publisher ids that the query is restricted to; undefined: not restricted. */
export function namedPublishers({ scope, knownPublisherIds }: ContentQuery): readonly bigint[] | undefined {
  if (knownPublisherIds) return knownPublisherIds
  const named = scope.entries.map(entry => entry.publisherIds)
  if (named.length === 0 || named.includes(undefined)) return undefined
  return [...new Set(named.flatMap(ids => ids ?? []))]
}

/**
 * Sums by label; `of_label` is 0 for articles without one. An article counts in full for each of its labels, for example
 * each of several authors. The join uses publisher and article, so figures booked under another publisher count for no
 * label of the article's own publisher.
 */
function labelGroups(query: LabelQuery, columns: readonly string[], closed: ClosedMonths, of: Sql): Sql {
  const sums = columns.map(column => sql`, ${sumInt(ident(`own_${column}`))} as ${ident(`sum_${column}`)}`)
  return sql`
    select coalesce(carried_label, 0) as of_label, count(*) as articles, min(is_closed) as are_closed${joined(sums, none)}
    from (${ownArticles(query, columns, closed)}) own_articles
    left join (${carriedLabels(query)}) carried on carried_publisher = own_publisher and carried_article = own_article
    ${of} group by of_label`
}

const sumOf = (columns: readonly string[]) =>
  joined(
    columns.map(column => ident(`sum_${column}`)),
    sql` + `,
  )
const figureOfSums = ({ columns, per }: SortFigure): Sql =>
  per ? sql`cast(${sumOf(columns)} as double) / nullif(${sumOf(per)}, 0)` : sumOf(columns)

/**
 * Answers `of_label`, `articles`, `are_closed`, `sum_<column>` and `total` (the number of labels): label 0 first, if any,
 * then the first `most` labels in their order. Label 0 comes extra, because the parts' rows of it are merged later.
 */
export function firstLabels(
  query: LabelQuery,
  columns: readonly string[],
  closed: ClosedMonths,
  order: LabelOrder,
  most: number,
): Sql {
  const by =
    'by' in order
      ? order.isDescending
        ? sql`of_label desc`
        : sql`of_label asc`
      : orderSql(figureOfSums(order.figure), ident('of_label'), order.isDescending)
  return sql`
    with label_groups as (${labelGroups(query, columns, closed, none)})
    select label_groups.*, ${countOf(ident('label_groups'))} as total
    from label_groups order by case when of_label = 0 then 0 else 1 end, ${by} limit ${most + 1}`
}

/** Answers `publisher`, the ids of the labels' publishers. */
export function publishersOfLabels(labelIds: readonly bigint[]): Sql {
  return sql`select distinct publisher_id as publisher from ${table('article_label')} where label_id in ${labelIds}`
}

/** Answers `of_label`, `articles` and `sum_<column>` of the given labels, for the compared range. */
export function labelSums(query: LabelQuery, columns: readonly string[], labelIds: readonly bigint[]): Sql {
  const of = sql`where coalesce(carried_label, 0) in ${labelIds}`
  return sql`${labelGroups(query, columns, new Map(), of)} order by of_label`
}
