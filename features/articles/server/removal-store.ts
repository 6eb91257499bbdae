import type { Permit } from '@pc/domain/access/decide.ts'
import type { Page } from '@pc/platform/graphql/list-arguments.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { articleScope, type MediumArticleRow } from './medium-article-store.ts'

/** An entry in the log of removed articles. */
export interface RemovalRow {
  readonly id: bigint
  readonly article: MediumArticleRow
  readonly reason: string
  readonly removedAt: Date
  readonly undoUntil: Date
  readonly restoredAt: Date | null
  /** Email address; null when the person is outside the caller's scope. */
  readonly removedByEmail: string | null
}

export interface RemovalFilter {
  readonly publisherId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly isRestored?: boolean | undefined
}

/** The log of removals within the permit's scope, newest first. */
export function listRemovals(
  database: Database,
  filter: RemovalFilter,
  page: Page,
  permit: Permit<'read:list', 'insight:medium_article.'>,
): Promise<{ total: number; nodes: RemovalRow[] }> {
  return database.inScope(permit.scope, async tx => {
    let rows = tx
      .selectFrom('mediumArticleRemovals as r')
      .innerJoin('mediumArticles as a', 'a.articleId', 'r.articleId')
      .where(articleScope(permit))
    if (filter.publisherId !== undefined) rows = rows.where('r.publisherId', '=', filter.publisherId)
    if (filter.mediumId !== undefined) rows = rows.where('a.mediumId', '=', filter.mediumId)
    if (filter.isRestored !== undefined) rows = rows.where('r.restoredAt', filter.isRestored ? 'is not' : 'is', null)
    const ids = await rows
      .select('r.id')
      .orderBy('r.removedAt', 'desc')
      .orderBy('r.id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    const nodes = await removalsOf(
      tx,
      ids.map(row => row.id),
    )
    if (ids.length < page.limit && (ids.length > 0 || page.offset === 0))
      return { total: page.offset + ids.length, nodes }
    const counted = await rows.select(eb => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
    return { total: Number(counted.total), nodes }
  })
}

/** Complete entries in the order of `ids`. */
export async function removalsOf(tx: Transaction, ids: readonly bigint[]): Promise<RemovalRow[]> {
  if (ids.length === 0) return []
  const found = await tx
    .selectFrom('mediumArticleRemovals as r')
    .innerJoin('mediumArticles as a', 'a.articleId', 'r.articleId')
    .leftJoin('users as u', 'u.uid', 'r.removedBy')
    .select(['r.id', 'r.reason', 'r.removedAt', 'r.undoUntil', 'r.restoredAt', 'u.email as removedByEmail'])
    .select([
      'a.articleId',
      'a.mediumId',
      'a.mediumArticleId',
      'a.enabled',
      'a.title',
      'a.url',
      'a.feedId',
      'a.publisherId',
      'a.publishedAt',
    ])
    .where('r.id', '=', sql<bigint>`any(${ids}::bigint[])`)
    .execute()
  const rows = new Map(
    found.map(({ id, reason, removedAt, undoUntil, restoredAt, removedByEmail, ...article }) => {
      const enabled = article.enabled && restoredAt !== null
      return [
        id,
        { id, reason, removedAt, undoUntil, restoredAt, removedByEmail, article: { ...article, enabled } },
      ] as const
    }),
  )
  return ids.flatMap(id => rows.get(id) ?? [])
}
