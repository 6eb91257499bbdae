import { removalReason, UNDO_HOURS, undoUntil } from '@pc/domain/article/article-removal.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import { articleScope } from './medium-article-store.ts'
import { type RemovalRow, removalsOf } from './removal-store.ts'

type Refused = Refusal<RefusalCode>
type ArticleWrite = Write<'write:delete', 'insight:medium_article.'>
const RESOURCE = 'insight:medium_article.'

export interface ArticleName {
  readonly mediumId: bigint
  readonly mediumArticleId: string
}

/** Removes an article from a medium. It can be restored for {@link UNDO_HOURS} hours. */
export async function removeArticle(
  name: ArticleName,
  typedReason: string | undefined,
  now: number,
  write: ArticleWrite,
): Promise<Result<RemovalRow, Refused>> {
  const checked = removalReason(typedReason)
  if ('wrong' in checked) return refused(checked.wrong)
  const { tx, permit } = write
  const article = await tx
    .selectFrom('mediumArticles as a')
    .select(['a.articleId', 'a.publisherId'])
    .where('a.mediumId', '=', name.mediumId)
    .where('a.mediumArticleId', '=', name.mediumArticleId)
    .where(articleScope(permit))
    .executeTakeFirst()
  if (!article) return refused(refusal('article/not-found', ['mediumArticleId']))
  const values = {
    articleId: article.articleId,
    publisherId: article.publisherId,
    reason: checked.reason,
    removedBy: permit.viewer.uid,
    removedAt: new Date(now),
    undoUntil: new Date(undoUntil(now)),
  }
  try {
    const { id } = await tx.insertInto('mediumArticleRemovals').values(values).returning('id').executeTakeFirstOrThrow()
    write.record({
      action: 'delete',
      resource: RESOURCE,
      rowId: article.articleId,
      before: { isRemoved: false },
      after: { isRemoved: true, reason: checked.reason, removalId: id },
    })
    return ok(await removal(write, id))
  } catch (error) {
    return refused(
      refusalOfConstraint(error, {
        medium_article_removals_open: { code: 'article/already-removed', path: ['mediumArticleId'] },
      }),
    )
  }
}

/** Restores a removed article, once, within {@link UNDO_HOURS} hours. */
export async function restoreArticle(
  removalId: bigint,
  now: number,
  write: ArticleWrite,
): Promise<Result<RemovalRow, Refused>> {
  const { tx, permit } = write
  const found = await tx
    .selectFrom('mediumArticleRemovals as r')
    .innerJoin('mediumArticles as a', 'a.articleId', 'r.articleId')
    .select(['r.id', 'r.articleId', 'r.undoUntil', 'r.restoredAt', 'r.reason'])
    .where('r.id', '=', removalId)
    .where(articleScope(permit))
    .executeTakeFirst()
  if (!found) return refused(refusal('article/not-found', ['removalId']))
  if (found.restoredAt) return refused(refusal('article/already-restored', ['removalId']))
  if (found.undoUntil.getTime() < now)
    return refused(refusal('article/undo-expired', ['removalId'], { hours: UNDO_HOURS }))
  const { numUpdatedRows } = await tx
    .updateTable('mediumArticleRemovals')
    .set({ restoredAt: new Date(now), restoredBy: permit.viewer.uid })
    .where('id', '=', removalId)
    .where('restoredAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return refused(refusal('article/already-restored', ['removalId']))
  write.record({
    action: 'restore',
    resource: RESOURCE,
    rowId: found.articleId,
    before: { isRemoved: true, reason: found.reason, removalId },
    after: { isRemoved: false },
  })
  return ok(await removal(write, removalId))
}

async function removal({ tx }: ArticleWrite, id: bigint): Promise<RemovalRow> {
  const [row] = await removalsOf(tx, [id])
  if (!row) throw new Error('a removal that was just written is gone')
  return row
}
