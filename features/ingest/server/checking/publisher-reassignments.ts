import type { StatsStore } from '@pc/platform/stats/port.ts'
import { ident, sql, table } from '@pc/platform/stats/sql.ts'
import type { ContentConflict } from '../content-store.ts'
import { CONTENT_IDS } from '../reading/content-file.ts'
import type { ContentDataset } from './dataset-columns.ts'

const FIGURES = { articles: 'article_day', videos: 'video_day' } as const

/**
 * Returns the `other-publisher` conflicts that stay: the article or video still has figures under a publisher other than
 * the one that the row names. Payments follow the figures, so a sender corrects the figures first (a finalised month then
 * books the difference) and the article's publisher afterwards.
 */
export async function keepReassignmentsWithFigures(
  stats: StatsStore,
  dataset: ContentDataset,
  conflicts: readonly ContentConflict[],
): Promise<readonly ContentConflict[]> {
  const reassignments = conflicts.filter(({ code }) => code === 'other-publisher')
  if (reassignments.length === 0) return conflicts
  const id = CONTENT_IDS[dataset]
  const figures = await stats.query(sql`
    select distinct ${ident(id)} as id, publisher_id
    from ${table(FIGURES[dataset])}
    where ${ident(id)} in ${reassignments.map(move => move.id)}`)
  const owners = Map.groupBy(figures, row => BigInt(row.id as bigint))
  const isHeld = (move: ContentConflict) =>
    owners.get(move.id)?.some(row => BigInt(row.publisher_id as bigint) !== move.publisherId) ?? false
  const held = new Set(reassignments.filter(isHeld).map(({ rowNo }) => rowNo))
  return conflicts.filter(({ code, rowNo }) => code !== 'other-publisher' || held.has(rowNo))
}
