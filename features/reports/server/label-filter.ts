import { joined, none, type Sql, sql, table } from '@pc/platform/stats/sql.ts'

/**
 * Rows of articles that carry every one of the labels, to be appended to another condition. A label belongs to one
 * publisher, whose rows alone it can let through.
 */
export function carriesLabels(labelIds: readonly bigint[] | undefined): Sql {
  if (!labelIds) return none
  const conditions = labelIds.map(
    id => sql` and (publisher_id, article_id) in (
      select publisher_id, article_id from ${table('article_label')} where label_id = ${id})`,
  )
  return joined(conditions, none)
}
