import type { MediumDays } from '@pc/domain/report/arrival.ts'
import { ARTICLE_LABEL_KINDS, ARTICLE_LABEL_NOS } from '@pc/domain/report/article-label.ts'
import { inMonths } from '@pc/platform/stats/publication.ts'
import { ident, joined, none, type Sql, sql, sumInt, table } from '@pc/platform/stats/sql.ts'
import type { ClosedMonths } from './closed-months.ts'
import type { ReportScope } from './report-scope.ts'

/** A select list of `sum_<column>`. @param valueIn SQL of a column's value in the rows, when it has another name there */
export function selectedSums(columns: readonly string[], valueIn: (column: string) => Sql = ident): Sql {
  return joined(
    columns.map(column => sql`${sumInt(valueIn(column))} as ${ident(`sum_${column}`)}`),
    sql`, `,
  )
}

/** `is_closed`: 1 when all rows of a group belong to closed months of their media, else 0. */
export function allClosed(closed: ClosedMonths): Sql {
  return closed.size === 0 ? sql`0 as is_closed` : sql`min(${isRowClosed(closed)}) as is_closed`
}

/** 1 when a row belongs to a closed month of its medium, else 0. */
export function isRowClosed(closed: ClosedMonths): Sql {
  // Most media are closed for the same months: one condition for them all halves the planning time.
  const together = Map.groupBy(closed, ([, months]) => [...months].sort((a, b) => a - b).join())
  const conditions = [...together.values()].map(media => {
    const isOfThem = joined(
      media.map(([mediumId]) => sql`medium_id = ${mediumId}`),
      sql` or `,
    )
    return sql`(${isOfThem}) and ${inMonths(media[0]![1])}`
  })
  if (conditions.length === 0) return sql`0`
  return sql`case when (${joined(conditions, sql`) or (`)}) then 1 else 0 end`
}

/** `and …` conditions that exclude days of media, to be appended to another condition. */
export function without(absent: readonly MediumDays[] | undefined): Sql {
  const conditions = (absent ?? []).map(
    ({ mediumId, from, to }) => sql` and not (medium_id = ${mediumId} and date between ${from} and ${to})`,
  )
  return joined(conditions, none)
}

/** Uses `=` for a single id, which the engines plan better than `in` with one value. */
export function isOneOf(column: 'medium_id' | 'publisher_id' | 'article_id' | 'video_id', ids: readonly bigint[]): Sql {
  return ids.length === 1 ? sql`${ident(column)} = ${ids[0]!}` : sql`${ident(column)} in ${ids}`
}

/** The condition on `medium_id` and `publisher_id`, to be appended to another condition. */
export function inReportScope({ entries }: ReportScope): Sql {
  if (entries.length === 0) return sql` and 1 = 0`
  const conditions = entries.map(({ mediumIds, publisherIds }) => {
    const parts: Sql[] = []
    if (mediumIds) parts.push(isOneOf('medium_id', mediumIds))
    if (publisherIds) parts.push(isOneOf('publisher_id', publisherIds))
    return joined(parts, sql` and `)
  })
  if (conditions.some(condition => condition.parts.length === 0)) return none
  return sql` and ((${joined(conditions, sql`) or (`)}))`
}

/**
 * `and …` conditions: the article carries at least one of the labels of each given kind. The labels' publishers are named
 * too, so that the engine skips other publishers' labels.
 */
export function carriesLabels({ labels }: ReportScope): Sql {
  if (!labels) return none
  const conditions = ARTICLE_LABEL_KINDS.flatMap(kind => {
    const ids = labels.ids[kind]
    if (!ids) return []
    return sql` and (publisher_id, article_id) in (
      select publisher_id, article_id from ${table('article_label')}
      where kind_no = ${ARTICLE_LABEL_NOS[kind]} and label_id in ${ids} and ${isOneOf('publisher_id', labels.publisherIds)})`
  })
  return joined(conditions, none)
}

/** Whether publishers are not restricted: then roll-ups per medium, which are far smaller, can be read instead. */
export function isOverAllPublishers({ entries, labels }: ReportScope): boolean {
  return labels === undefined && entries.every(entry => entry.publisherIds === undefined)
}
