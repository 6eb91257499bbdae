import { ARTICLE_LABEL_NOS, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import { countOf, ident, joined, none, type Sql, sql, table } from '@pc/platform/stats/sql.ts'
import { allClosed, type ClosedMonths } from './closed-months.ts'
import { type ContentQuery, itemRows } from './content-statements.ts'
import { selectedSums } from './figure-sums.ts'
import { type FigureOrder, figureSql, orderSql } from './report-order.ts'

type LabelOrder = FigureOrder | 'ID_ASC' | 'ID_DESC'

/**
 * The rows of the articles beside the labels of one kind that they carry; `of_label` is 0 for a row without any. A row is
 * there once for each label, so that each of several authors has the whole article. Labels are found by publisher and
 * article: figures of an article under another publisher's name belong to no label of its own publisher.
 */
function labelledRows(query: ContentQuery, kind: ArticleLabelKind, columns: readonly string[]): Sql {
  const keys = ['publisher_id', 'article_id', 'medium_id', 'date']
  const selected = joined([...keys, ...columns].map(ident), sql`, `)
  return sql`
    select ${selected}, coalesce(carried_label, 0) as of_label
    from (${itemRows(query, [...keys, ...columns])}) item_rows left join (
      select publisher_id as carried_publisher, article_id as carried_article, label_id as carried_label
      from ${table('article_label')} where kind_no = ${ARTICLE_LABEL_NOS[kind]}
    ) carried on carried_publisher = publisher_id and carried_article = article_id`
}

function labelGroups(query: ContentQuery, kind: ArticleLabelKind, columns: readonly string[], more: Sql, of: Sql): Sql {
  return sql`select of_label, count(distinct article_id) as articles, ${more}${selectedSums(columns)}
    from (${labelledRows(query, kind, columns)}) labelled_rows ${of} group by of_label`
}

/** `of_label`, `articles`, `is_closed`, `sum_<column>`: a page of labels, and with each the `total` number of them. */
export function labelPage(
  query: ContentQuery,
  kind: ArticleLabelKind,
  columns: readonly string[],
  closed: ClosedMonths,
  order: LabelOrder,
  page: Page,
): Sql {
  const isById = typeof order === 'string'
  const figure = isById ? none : sql`${figureSql(order.figure)} as sort_figure, `
  const by = isById
    ? order === 'ID_ASC'
      ? sql`of_label asc`
      : sql`of_label desc`
    : orderSql(ident('sort_figure'), ident('of_label'), order.isDescending)
  return sql`
    with label_groups as (${labelGroups(query, kind, columns, sql`${allClosed(closed)}, ${figure}`, none)})
    select of_label, articles, is_closed, ${joined(
      columns.map(column => ident(`sum_${column}`)),
      sql`, `,
    )}, ${countOf(ident('label_groups'))} as total
    from label_groups order by ${by} limit ${page.limit} offset ${page.offset}`
}

/** `total`: number of labels that have rows. */
export function labelCount(query: ContentQuery, kind: ArticleLabelKind): Sql {
  return sql`select count(*) as total from (
    select of_label from (${labelledRows(query, kind, [])}) labelled_rows group by of_label) labels`
}

/** `of_label`, `articles` and `sum_<column>` of these labels. */
export function labelSums(
  query: ContentQuery,
  kind: ArticleLabelKind,
  columns: readonly string[],
  labelIds: readonly bigint[],
): Sql {
  return sql`${labelGroups(query, kind, columns, none, sql`where of_label in ${labelIds}`)} order by of_label`
}
