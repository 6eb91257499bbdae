import type { ChangeSubject } from '@pc/domain/report/metric-identity.ts'
import type { Sql } from '@pc/platform/stats/sql.ts'
import type { ArrivalTable } from '../../core/server/arrival.ts'
import { ARTICLES, type ContentKind, VIDEOS } from '../../core/server/content-kind.ts'
import {
  type ContentQuery,
  contentMediumDaySums,
  contentPublisherSums,
  contentRowsOfMedia,
} from '../../core/server/content-sql.ts'
import { publisherSums } from '../../core/server/publisher-rows.ts'
import type { PlannedRows } from '../../core/server/report-plan.ts'
import { mediumDaySums, rowsOfMedia, type SummaryColumn } from '../../core/server/summary-sql.ts'
import { ARTICLE_COLUMNS, type ContentColumns, SUMMARY_COLUMNS, VIDEO_COLUMNS } from './figure-columns.ts'

/** The statements over the rows of a subject: publishers, articles or videos. */
export interface SubjectRows {
  readonly columns: ContentColumns
  readonly arrivalTable: ArrivalTable
  mediumDays(rows: PlannedRows, columns: readonly string[]): Sql
  publishers(rows: PlannedRows, columns: readonly string[]): Sql
  ofMedia(rows: PlannedRows, mediumIds: readonly bigint[]): Sql
}

/**
 * Tested by `features/reports/changes/server/change-report.test.ts`.
 * @param contentIds of articles or videos; undefined: all of them
 */
export function rowsOfSubject(subject: ChangeSubject, contentIds: readonly bigint[] | undefined): SubjectRows {
  switch (subject) {
    case 'publisher':
      return OF_PUBLISHERS
    case 'article':
      return ofContents(ARTICLES, ARTICLE_COLUMNS, contentIds)
    case 'video':
      return ofContents(VIDEOS, VIDEO_COLUMNS, contentIds)
  }
}

const OF_PUBLISHERS: SubjectRows = {
  columns: SUMMARY_COLUMNS,
  arrivalTable: 'medium_day',
  mediumDays: (rows, columns) => mediumDaySums(rows, columns as readonly SummaryColumn[]),
  publishers: publisherSums,
  ofMedia: rowsOfMedia,
}

function ofContents(kind: ContentKind, columns: ContentColumns, itemIds: readonly bigint[] | undefined): SubjectRows {
  const query = (rows: PlannedRows): ContentQuery => ({ ...rows, kind, itemIds })
  return {
    columns,
    arrivalTable: kind.mediumDay,
    mediumDays: (rows, names) => contentMediumDaySums(query(rows), names),
    publishers: (rows, names) => contentPublisherSums(query(rows), names),
    ofMedia: (rows, mediumIds) => contentRowsOfMedia(query(rows), mediumIds),
  }
}
