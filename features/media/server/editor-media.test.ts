import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const fixture = apiFixture()
const { ask, refusals } = fixture

/** The editor's agreement is of medium 1; the same publisher has a feed, articles and labels on medium 2 as well. */
const ids = { feed: '', article: '', removal: '' }
beforeAll(async () => {
  const { a, users } = fixture.system.rows
  const [publisherId = 0n] = a.publisherIds
  await fixture.system.dependencies.database.inScope(SYSTEM, async tx => {
    const feed = { publisherId, mediumId: 2n, name: 'ALPHA ウェブ', url: 'https://feeds.example/web.xml', type: 'gnf1' }
    const { id: feedId } = await tx.insertInto('feeds').values(feed).returning('id').executeTakeFirstOrThrow()
    const article = (articleId: bigint, mediumArticleId: string) => ({
      ...{
        articleId,
        mediumArticleId,
        mediumId: 2n,
        publisherId,
        feedId,
        url: `https://web.example/${mediumArticleId}`,
      },
      title: `ALPHA ウェブの記事 ${mediumArticleId}`,
      publishedAt: new Date('2026-01-16T00:00:00Z'),
      authors: JSON.stringify(['ウェブの記者']),
      section: 'ALPHA 面',
    })
    await tx
      .insertInto('mediumArticles')
      .values([article(901n, 'WEB-1'), article(902n, 'WEB-2')])
      .execute()
    const { id } = await tx
      .insertInto('mediumArticleRemovals')
      .values({
        articleId: 902n,
        publisherId,
        reason: '誤配信',
        removedBy: users['insight:publisher_admin'].uid,
        removedAt: new Date(),
        undoUntil: new Date(Date.now() + 3_600_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    Object.assign(ids, { feed: String(feedId), article: '901', removal: String(id) })
  })
})

const ARTICLES = `query A($q: String, $param: MediumArticlesParam, $limit: Int = 100) {
  mediumArticles(limit: $limit, offset: 0, q: $q, param: $param) { total nodes { mediumArticleId } } }`
type List = { total: number; nodes: { mediumArticleId: string }[] }
const EDITOR = 'insight:publisher_editor'
const articles = async (as: typeof EDITOR | 'insight:publisher_admin' | 'insight:viewer', variables: object = {}) => {
  const { mediumArticles } = await ask<{ mediumArticles: List }>(as, ARTICLES, variables)
  return [mediumArticles.total, ...mediumArticles.nodes.map(node => node.mediumArticleId).sort()]
}

describe("a publisher's editor, on a medium outside of the agreements", () => {
  test('lists, counts and finds no article there', async () => {
    expect(await articles(EDITOR)).toEqual([1, 'ALPHA-1'])
    // A full page: the number comes from the counts that are kept.
    expect(await articles(EDITOR, { limit: 1 })).toEqual([1, 'ALPHA-1'])
    for (const param of [{ mediumId: '2' }, { articleId: '901' }, { mediumArticleId: 'WEB-1' }, { feedId: ids.feed }])
      expect(await articles(EDITOR, { param }), JSON.stringify(param)).toEqual([0])
    for (const q of ['ウェブ', '901', 'WEB-1', 'https://web.example/WEB-1'])
      expect(await articles(EDITOR, { q }), q).toEqual([0])
    expect(await articles(EDITOR, { q: 'ALPHA' })).toEqual([1, 'ALPHA-1'])
    expect(await articles(EDITOR, { param: { isRemoved: true } })).toEqual([0])
  })

  test('the organisation and staff see them as before', async () => {
    expect(await articles('insight:publisher_admin')).toEqual([3, 'ALPHA-1', 'ALPHA-2', 'WEB-1'])
    expect(await articles('insight:publisher_admin', { q: 'ウェブ' })).toEqual([1, 'WEB-1'])
    expect(await articles('insight:publisher_admin', { limit: 1, param: { mediumId: '1' } })).toEqual([2, 'ALPHA-2'])
    expect(await articles('insight:viewer', { param: { mediumId: '2' } })).toEqual([1, 'WEB-1'])
  })

  test('takes nothing out and puts nothing back, as if it did not exist', async () => {
    const remove = (id: string) =>
      refusals(EDITOR, `mutation { deleteMediumArticle(mediumId: 2, mediumArticleId: "${id}", reason: "x") { id } }`)
    expect(await remove('WEB-1')).toEqual(['article/not-found mediumArticleId'])
    expect(await remove('WEB-1')).toEqual(await remove('NONE'))
    const restore = (id: string) => refusals(EDITOR, `mutation { restoreMediumArticle(removalId: "${id}") { id } }`)
    expect(await restore(ids.removal)).toEqual(['article/not-found removalId'])
    expect(await restore(ids.removal)).toEqual(await restore('999999'))
    const removals = '{ mediumArticleRemovals(limit: 10, offset: 0) { total nodes { id } } }'
    expect(await ask(EDITOR, removals)).toEqual({ mediumArticleRemovals: { total: 0, nodes: [] } })
    expect(await ask('insight:publisher_admin', removals)).toMatchObject({ mediumArticleRemovals: { total: 1 } })
  })

  test('sees no feed there', async () => {
    const feeds = (as: typeof EDITOR | 'insight:publisher_admin', param: object = {}) =>
      ask<{ feeds: { total: number } }>(
        as,
        'query F($param: FeedsParam) { feeds(limit: 9, offset: 0, param: $param) { total } }',
        {
          param,
        },
      )
    expect(await feeds(EDITOR)).toEqual({ feeds: { total: 1 } })
    expect(await feeds(EDITOR, { mediumId: '2' })).toEqual({ feeds: { total: 0 } })
    expect(await feeds('insight:publisher_admin')).toEqual({ feeds: { total: 3 } })
    const one = async (as: typeof EDITOR | 'insight:publisher_admin', id: string) =>
      (await fixture.send(as, `{ feed(id: "${id}") { name } }`)).json
    expect((await one('insight:publisher_admin', ids.feed)).data).toEqual({ feed: { name: 'ALPHA ウェブ' } })
    const [shown, missing] = [await one(EDITOR, ids.feed), await one(EDITOR, '999999')]
    expect(shown.data).toEqual(missing.data)
    expect(shown.errors?.map(each => each.message)).toEqual(missing.errors?.map(each => each.message))
  })

  test('is offered no label that only articles there carry', async () => {
    const labels = await fixture.system.dependencies.database.inScope(
      {
        kind: 'agreements',
        uid: fixture.system.rows.users[EDITOR].uid,
        organizationId: fixture.system.rows.a.organizationId,
      },
      tx => tx.selectFrom('articleLabels').select('name').orderBy('name').execute(),
    )
    expect(labels.map(label => label.name).sort()).toEqual(['ALPHA 記者', 'ALPHA 話題', 'ALPHA 面'].sort())
  })

  test('an explanation says so', async () => {
    const { system } = fixture
    const token = await system.tokenOf(system.rows.users.admin.email)
    const explain = async (resource: string, rowId: string) => {
      const variables = { userID: system.rows.users[EDITOR].uid, resource, rowId }
      const { json } = await system.ask(
        'iam',
        'query Q($userID: ID!, $resource: String!, $rowId: ID) { explainAccess(userID: $userID, action: "read:list", resource: $resource, rowId: $rowId) { isAllowed } }',
        token,
        variables,
      )
      return json.data
    }
    expect(await explain('insight:feed.', ids.feed)).toEqual({ explainAccess: { isAllowed: false } })
    expect(await explain('insight:medium_article.', '901')).toEqual({ explainAccess: { isAllowed: false } })
    expect(await explain('insight:feed.', String(fixture.system.rows.a.feedIds[0]))).toEqual({
      explainAccess: { isAllowed: true },
    })
  })
})
