import { ARTICLE_LABEL_NOS, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { countOf, ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import { allClosed, type ClosedMonths } from './closed-months.ts'
import { type ContentQuery, itemRows } from './content-statements.ts'
import { type FigureOrder, orderSql, type SortFigure } from './report-order.ts'

type LabelOrder = FigureOrder | 'ID_ASC' | 'ID_DESC'

/**
 * The figures of the articles beside the labels of one kind that they carry; `of_label` is 0 for an article without any. An
 * article is there once for each label, so that each of several authors has all of it. Labels are found by publisher and
 * article: figures of an article under another publisher's name belong to no label of its own publisher. Days are added up
 * first: an article looks its labels up once, and is counted without a set of those that were seen.
 */
function labelledArticles(query: ContentQuery, kind: ArticleLabelKind, sums: Sql, columns: readonly string[]): Sql {
  const keys = ['publisher_id', 'article_id', 'medium_id', 'date']
  return sql`
    (select publisher_id as own_publisher, article_id as own_article${sums}
      from (${itemRows(query, [...keys, ...columns])}) item_rows group by publisher_id, article_id) own_articles
    left join (
      select publisher_id as carried_publisher, article_id as carried_article, label_id as carried_label
      from ${table('article_label')} where kind_no = ${ARTICLE_LABEL_NOS[kind]}
    ) carried on carried_publisher = own_publisher and carried_article = own_article`
}

function labelGroups(
  query: ContentQuery,
  kind: ArticleLabelKind,
  columns: readonly string[],
  closed: ClosedMonths,
  of: Sql,
): Sql {
  const ofArticle = columns.map(column => sql`, ${sumInt(ident(column))} as ${ident(`own_${column}`)}`)
  const sums = columns.map(column => sql`, ${sumInt(ident(`own_${column}`))} as ${ident(`sum_${column}`)}`)
  return sql`
    select coalesce(carried_label, 0) as of_label, count(*) as articles, min(is_closed) as are_closed${joined(sums, none)}
    from ${labelledArticles(query, kind, sql`, ${allClosed(closed)}${joined(ofArticle, none)}`, columns)}
    ${of} group by of_label`
}

const sumOf = (columns: readonly string[]) =>
  joined(
    columns.map(column => ident(`sum_${column}`)),
    sql` + `,
  )
const figureOfSums = ({ columns, per }: SortFigure): Sql =>
  per ? sql`cast(${sumOf(columns)} as double) / nullif(${sumOf(per)}, 0)` : sumOf(columns)

/** `of_label`, `articles`, `are_closed`, `sum_<column>`: a page of labels, and with each the `total` number of them. */
export function labelPage(
  query: ContentQuery,
  kind: ArticleLabelKind,
  columns: readonly string[],
  closed: ClosedMonths,
  order: LabelOrder,
  page: Page,
): Sql {
  const by =
    typeof order === 'string'
      ? order === 'ID_ASC'
        ? sql`of_label asc`
        : sql`of_label desc`
      : orderSql(figureOfSums(order.figure), ident('of_label'), order.isDescending)
  return sql`
    with label_groups as (${labelGroups(query, kind, columns, closed, none)})
    select label_groups.*, ${countOf(ident('label_groups'))} as total
    from label_groups order by ${by} limit ${page.limit} offset ${page.offset}`
}

/** `total`: number of labels that have rows. */
export function labelCount(query: ContentQuery, kind: ArticleLabelKind): Sql {
  return sql`select count(*) as total from (
    select coalesce(carried_label, 0) as of_label from ${labelledArticles(query, kind, none, [])} group by of_label) labels`
}

/** `of_label`, `articles` and `sum_<column>` of these labels. */
export function labelSums(
  query: ContentQuery,
  kind: ArticleLabelKind,
  columns: readonly string[],
  labelIds: readonly bigint[],
): Sql {
  const of = sql`where coalesce(carried_label, 0) in ${labelIds}`
  return sql`${labelGroups(query, kind, columns, new Map(), of)} order by of_label`
}
