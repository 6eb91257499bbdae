import { ARTICLE_LABEL_NOS, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { countOf, ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { ClosedMonths } from '../../core/server/closed-months.ts'
import { type ContentQuery, itemRows, monthRows } from '../../core/server/content-sql.ts'
import { type CommonOrder, type FigureOrder, orderSql, type SortFigure } from '../../core/server/report-order.ts'
import { allClosed, isOneOf, isRowClosed } from '../../core/server/sql-parts.ts'

/** Labels have an id alone: the common orders are that of their ids. */
export type LabelOrder = FigureOrder | CommonOrder

/** Publishers by the range of their ids; both ends belong to it, a missing one is open. */
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

/** What a statement by label is about. */
export interface LabelQuery extends ContentQuery {
  readonly by: ArticleLabelKind
  /** Each label belongs to one publisher, so that parts of the publishers have no label in common but 0. */
  readonly part: PublisherRange
  /** Where the articles of the query have their ids; lets the engine skip the labels of others. */
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
 * `own_publisher`, `own_article`, `own_<column>` and `is_closed`, once for each article. Those that are known to have one
 * row of a month (most of a year's) are taken as they are; days and months of the others are added up first, so that an
 * article looks its labels up once and is counted without a set of those that were seen.
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

/** Where labels of the kind are asked for, the others that the same articles carry are no rows. */
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

/** All that the query can mean, each once; undefined: they are not restricted. */
export function namedPublishers({ scope, knownPublisherIds }: ContentQuery): readonly bigint[] | undefined {
  if (knownPublisherIds) return knownPublisherIds
  const named = scope.entries.map(entry => entry.publisherIds)
  if (named.length === 0 || named.includes(undefined)) return undefined
  return [...new Set(named.flatMap(ids => ids ?? []))]
}

/**
 * The figures of the articles beside the labels of one kind that they carry; `of_label` is 0 for an article without any. An
 * article is there once for each label, so that each of several authors has all of it. Labels are found by publisher and
 * article: figures of an article under another publisher's name belong to no label of its own publisher.
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
 * `of_label`, `articles`, `are_closed`, `sum_<column>`: label 0 where there is one, then the first labels in their order;
 * with each the `total` number of rows that there are.
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

/** `publisher`: whose these labels are. */
export function publishersOfLabels(labelIds: readonly bigint[]): Sql {
  return sql`select distinct publisher_id as publisher from ${table('article_label')} where label_id in ${labelIds}`
}

/** `of_label`, `articles` and `sum_<column>` of these labels. */
export function labelSums(query: LabelQuery, columns: readonly string[], labelIds: readonly bigint[]): Sql {
  const of = sql`where coalesce(carried_label, 0) in ${labelIds}`
  return sql`${labelGroups(query, columns, new Map(), of)} order by of_label`
}
