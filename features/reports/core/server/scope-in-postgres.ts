import { sql } from 'kysely'
import type { ReportScope } from './report-scope.ts'

/** The same access check as `inReportScope`, for a PostgreSQL table with `medium_id` and `publisher_id`. */
export function scopeInPostgres({ entries }: ReportScope, alias: string) {
  if (entries.length === 0) return sql<boolean>`false`
  const [medium, publisher] = [sql.ref(`${alias}.mediumId`), sql.ref(`${alias}.publisherId`)]
  const conditions = entries.map(({ mediumIds, publisherIds }) => {
    const ofMedia = mediumIds ? sql`${medium} = any(${[...mediumIds]}::bigint[])` : sql`true`
    const ofPublishers = publisherIds ? sql`${publisher} = any(${[...publisherIds]}::bigint[])` : sql`true`
    return sql`(${ofMedia} and ${ofPublishers})`
  })
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`
}
