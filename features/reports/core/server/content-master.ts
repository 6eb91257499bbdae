import type { Reader } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import type { ContentKind } from './content-kind.ts'

/** The master data of an article or video. */
export interface ContentMaster {
  readonly mediumId: bigint
  readonly publisherId: bigint
  readonly title: string
  readonly url: string
  readonly thumbnailUrl: string | null
  readonly durationSeconds: number | null
  readonly publishedAt: Date
  readonly createdAt: Date
}

/** Master data by id within the reader's scope. Ids are passed as one array, so that the prepared statement is reused. */
export async function readContentMaster(
  reader: Reader,
  kind: ContentKind,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, ContentMaster>> {
  if (ids.length === 0) return new Map()
  if (kind.id === 'article_id') {
    const rows = await reader
      .selectFrom('mediumArticles')
      .select(['articleId', 'mediumId', 'publisherId', 'title', 'url', 'publishedAt', 'createdAt'])
      .where('articleId', '=', sql<bigint>`any(${ids}::bigint[])`)
      .execute()
    return new Map(
      rows.map(({ articleId, ...row }) => [articleId, { ...row, thumbnailUrl: null, durationSeconds: null }]),
    )
  }
  const rows = await reader
    .selectFrom('videos')
    .select([
      'videoId',
      'mediumId',
      'publisherId',
      'title',
      'url',
      'thumbnailUrl',
      'durationSeconds',
      'publishedAt',
      'createdAt',
    ])
    .where('videoId', '=', sql<bigint>`any(${ids}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ videoId, thumbnailUrl, ...row }) => [videoId, { ...row, thumbnailUrl: thumbnailUrl || null }]),
  )
}
