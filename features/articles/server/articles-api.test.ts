import type { Role } from '@pc/domain/access/role.ts'
import { systemClock as clock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'

const fixture = apiFixture()
const { ask, refusals, audited } = fixture

describe('articles', () => {
  const LIST =
    'query A($q: String, $param: MediumArticlesParam) { mediumArticles(limit: 100, offset: 0, q: $q, param: $param) { total nodes { articleId mediumArticleId title enabled } } }'
  const REMOVE =
    'mutation D($medium: ID!, $id: ID!, $reason: String!) { deleteMediumArticle(mediumId: $medium, mediumArticleId: $id, reason: $reason) { id reason canBeUndone undoUntil article { title enabled } } }'
  const RESTORE =
    'mutation R($id: ID!) { restoreMediumArticle(removalId: $id) { restoredAt canBeUndone article { enabled } } }'
  type List = {
    mediumArticles: {
      total: number
      nodes: { articleId: string; mediumArticleId: string; title: string; enabled: boolean }[]
    }
  }
  type Removed = { deleteMediumArticle: { id: string; undoUntil: string; article: { enabled: boolean } } }
  const listed = async (role: Role | 'ofB', variables: object = {}) =>
    (await ask<List>(role, LIST, variables)).mediumArticles.nodes.map(node => node.mediumArticleId).sort()

  test('each sees its own; search finds title, id and address', async () => {
    expect(await listed('insight:viewer')).toEqual(['ALPHA-1', 'ALPHA-2', 'CANARY-B-1', 'CANARY-B-2'])
    expect(await listed('insight:publisher_admin')).toEqual(['ALPHA-1', 'ALPHA-2'])
    expect(await listed('insight:publisher_editor')).toEqual(['ALPHA-1'])
    for (const q of [
      'alpha 記事 1',
      'ａｌｐｈａ記事１',
      'ALPHA-1',
      String(fixture.system.rows.a.articleIds[0]),
      'https://news.example/ALPHA/1',
    ])
      expect(await listed('insight:viewer', { q }), q).toContain('ALPHA-1')
    for (const q of ['ない言葉', 'CANARY', "x' or 1=1 --", '%', 'ー'])
      expect(await listed('insight:publisher_admin', { q }), q).toEqual([])
    expect(await listed('insight:viewer', { param: { feedId: String(fixture.system.rows.a.feedIds[0]) } })).toEqual([
      'ALPHA-1',
    ])
    expect(await listed('insight:viewer', { param: { publishedFrom: '2026-01-16T00:00:00Z' } })).toEqual([])
  })

  test('removed with a reason, put back in time, all in the log', async () => {
    const variables = { medium: '1', id: 'ALPHA-2', reason: ' 誤配信のため ' }
    const { deleteMediumArticle: removal } = await ask<Removed>('insight:publisher_admin', REMOVE, variables)
    expect(removal).toMatchObject({ reason: '誤配信のため', canBeUndone: true, article: { enabled: false } })
    expect(await listed('insight:viewer')).toEqual(['ALPHA-1', 'CANARY-B-1', 'CANARY-B-2'])
    expect(await listed('insight:viewer', { param: { isRemoved: true } })).toEqual(['ALPHA-2'])
    expect(await refusals('insight:publisher_admin', REMOVE, variables)).toEqual([
      'article/already-removed mediumArticleId',
    ])
    expect(await refusals('ofB', RESTORE, { id: removal.id })).toEqual(['article/not-found removalId'])
    expect(await ask('insight:publisher_admin', RESTORE, { id: removal.id })).toMatchObject({
      restoreMediumArticle: { canBeUndone: false, article: { enabled: true } },
    })
    expect(await refusals('insight:publisher_admin', RESTORE, { id: removal.id })).toEqual([
      'article/already-restored removalId',
    ])
    expect(await listed('insight:publisher_admin')).toEqual(['ALPHA-1', 'ALPHA-2'])
    const [, articleId] = fixture.system.rows.a.articleIds
    expect((await audited('insight:medium_article.', articleId)).map(row => row.action)).toEqual(['delete', 'restore'])
    const log =
      '{ mediumArticleRemovals(limit: 10, offset: 0) { total nodes { reason restoredAt removedByEmail article { title } } } }'
    const { mediumArticleRemovals } = await ask<{ mediumArticleRemovals: { nodes: object[] } }>('insight:viewer', log)
    expect(mediumArticleRemovals.nodes[0]).toMatchObject({
      reason: '誤配信のため',
      removedByEmail: fixture.system.rows.users['insight:publisher_admin'].email,
    })
    const ofB = await ask<{ mediumArticleRemovals: { total: number } }>(
      'ofB',
      '{ mediumArticleRemovals(limit: 10, offset: 0) { total } }',
    )
    expect(ofB.mediumArticleRemovals.total).toBe(0)
  })

  test('a call may name no reason', async () => {
    const call = 'mutation D { deleteMediumArticle(mediumId: 1, mediumArticleId: "ALPHA-1") { id reason } }'
    const { deleteMediumArticle } = await ask<{ deleteMediumArticle: { id: string; reason: string } }>('admin', call)
    expect(deleteMediumArticle.reason).toBe('理由の記入なし')
    await ask('admin', RESTORE, { id: deleteMediumArticle.id })
  })

  test('after the window it stays removed', async () => {
    const { id } = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx
        .insertInto('mediumArticleRemovals')
        .values({
          articleId: fixture.system.rows.b.articleIds[1] ?? 0n,
          publisherId: fixture.system.rows.b.publisherIds[1] ?? 0n,
          reason: '権利侵害',
          removedBy: fixture.system.rows.users.admin.uid,
          removedAt: new Date(clock.now() - 24 * 3_600_000 - 1),
          undoUntil: new Date(clock.now() - 1),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    expect(await refusals('insight:editor', RESTORE, { id: String(id) })).toEqual(['article/undo-expired removalId'])
    expect(await listed('insight:viewer')).toEqual(['ALPHA-1', 'ALPHA-2', 'CANARY-B-1'])
  })

  test('refusals, and rows of others', async () => {
    const remove = (role: Role, id: string, reason: string) => refusals(role, REMOVE, { medium: '1', id, reason })
    expect(await remove('insight:publisher_admin', 'ALPHA-1', ' \n ')).toEqual(['article/reason-missing reason'])
    expect(await remove('insight:publisher_admin', 'ALPHA-1', 'あ'.repeat(501))).toEqual([
      'article/reason-too-long reason',
    ])
    expect(await remove('insight:publisher_admin', 'CANARY-B-1', 'x')).toEqual(['article/not-found mediumArticleId'])
    expect(await remove('insight:publisher_editor', 'ALPHA-2', 'x')).toEqual(['article/not-found mediumArticleId'])
    expect(await remove('insight:publisher_admin', 'a\u0000b', 'x')).toEqual(['article/not-found mediumArticleId'])
    expect(await remove('insight:viewer', 'ALPHA-1', 'x')).toEqual(['FORBIDDEN'])
  })

  test('of 10 that remove at once, one does', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () =>
        refusals('insight:editor', REMOVE, { medium: '1', id: 'CANARY-B-1', reason: '同時' }),
      ),
    )
    expect(outcomes.filter(codes => codes.length === 0)).toHaveLength(1)
  })
})
