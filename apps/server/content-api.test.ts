import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Role } from '@pc/domain/access/role.ts'
import { FEED_TYPES } from '@pc/domain/feed/feed-type.ts'
import { FEED_ORDERS } from '@pc/features/feeds/server/feed-store.ts'
import { readStagingDocument } from '@pc/features/feeds/server/staging-document.ts'
import { importStaging } from '@pc/features/feeds/server/staging-store.ts'
import { systemClock as clock } from '@pc/platform/clock.ts'
import { openSafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnsweredError, type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

let system: SystemUnderTest
const tokens = new Map<string, string>()
const site = http.createServer((request, response) => answerSite(request, response))
let siteUrl = ''

beforeAll(async () => {
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  const { port } = site.address() as AddressInfo
  siteUrl = `http://news.example:${port}`
  // The name leads to the test's own site, as a public one would; everything else is refused as ever.
  const safeFetch = openSafeFetch({
    resolve: async host => (host === 'news.example' ? ['127.0.0.1'] : ['10.0.0.1']),
    isAllowedAddress: address => address === '127.0.0.1',
    allowedPorts: [port],
  })
  system = await startSystemUnderTest({}, { safeFetch })
  for (const role of [
    'admin',
    'insight:admin',
    'insight:editor',
    'insight:viewer',
    'insight:publisher_admin',
    'insight:publisher_editor',
  ] as const)
    tokens.set(role, await system.tokenOf(system.rows.users[role].email))
  tokens.set('ofB', await system.tokenOf(system.rows.users.ofB.email))
})
afterAll(async () => {
  await system?.close()
  site.close()
})

function answerSite(request: http.IncomingMessage, response: http.ServerResponse): void {
  const feed = `<rss version="2.0"><channel><title>あさひ&lt;script&gt;</title><link>https://asahi.example/</link>
    <description>説明</description><image><url>javascript:alert(1)</url></image><item><title>一</title></item></channel></rss>`
  if (request.url === '/feed') response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed)
  else if (request.url === '/broken') response.end('<rss>\n<channel>\n</rss>')
  else if (request.url === '/inner') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  else response.writeHead(404).end()
}

async function ask<T>(role: Role | 'ofB', query: string, variables: object = {}): Promise<T> {
  const answer = await system.ask('insight', query, tokens.get(role), variables)
  if (answer.json.errors) throw new Error(answer.text)
  return answer.json.data as T
}

async function refusals(role: Role | 'ofB', query: string, variables: object = {}) {
  const { json } = await system.ask('insight', query, tokens.get(role), variables)
  return (json.errors ?? []).flatMap((error: AnsweredError) => {
    const list = (error.extensions.refusals ?? []) as { code: string; path: string[]; message: string }[]
    for (const one of list) expect(one.message).not.toMatch(/undefined|\[object/)
    return list.length > 0 ? list.map(one => `${one.code} ${one.path.join('.')}`) : [error.extensions.code]
  })
}

const audited = (resource: string, rowId: unknown) =>
  system.parts.database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('auditLog')
      .select(['action', 'before', 'after'])
      .where('resourceName', '=', resource)
      .where('rowId', '=', String(rowId))
      .orderBy('seq')
      .execute(),
  )

const ALL_FEED_FIELDS = `id enabled name shortName siteUrl description mediumId legacyFeedId url logoUrl wideLogoUrl bannerUrl
  isDeleteFeed isSafeForFirstview relatedLinkNum articleExpirationDays availabilityForPromo type allowVideo
  allowContentBody ttlMinutes manuallyFeedScore notes revision publisher { id name } health { state checkedAt usualItems }`
const UPSERT = `mutation U($input: FeedInput!, $key: String) { upsertFeed(input: $input, idempotencyKey: $key) { ${ALL_FEED_FIELDS} } }`
type FeedAnswer = Record<string, unknown> & { readonly id: string; readonly revision: number; readonly name: string }
const upsert = async (role: Role, input: object, key?: string) =>
  (await ask<{ upsertFeed: FeedAnswer }>(role, UPSERT, { input, key })).upsertFeed

describe('feeds', () => {
  const whole = () => ({
    publisherId: String(system.rows.a.publisherIds[0]),
    mediumId: '1',
    name: '朝日ニュース',
    shortName: '朝日',
    url: 'https://asahi.example/rss',
    siteUrl: 'https://asahi.example/',
    description: '一行目\n二行目',
    logoUrl: 'https://asahi.example/logo.png',
    wideLogoUrl: '',
    bannerUrl: '',
    type: 'gnf2',
    enabled: false,
    relatedLinkNum: 3,
    articleExpirationDays: 90,
    allowVideo: true,
    allowContentBody: false,
    ttlMinutes: 60,
    legacyFeedId: 'old-1',
    isDeleteFeed: true,
    isSafeForFirstview: true,
    availabilityForPromo: true,
    manuallyFeedScore: -5,
    notes: '社内メモ',
  })

  test('every field is kept, changed alone, and audited', async () => {
    const made = await upsert('insight:editor', whole())
    const { publisherId, ...values } = whole()
    expect(made).toMatchObject({
      ...values,
      revision: 1,
      publisher: { id: publisherId },
      health: { state: 'unchecked' },
    })
    const changed = await upsert('insight:editor', { id: made.id, expectedRevision: 1, name: '朝日デジタル' })
    expect(changed).toEqual({ ...made, name: '朝日デジタル', revision: 2 })
    // Nothing changed: no revision, no row in the log.
    expect(await upsert('insight:editor', { id: made.id, name: '朝日デジタル' })).toEqual(changed)
    expect(await audited('insight:feed.', made.id)).toMatchObject([
      { action: 'create', before: null },
      { action: 'update', before: { name: '朝日ニュース', revision: 1 }, after: { name: '朝日デジタル', revision: 2 } },
    ])
    const shown = await ask<{ feed: unknown }>(
      'insight:viewer',
      `query F($id: ID!) { feed(id: $id) { ${ALL_FEED_FIELDS} } }`,
      { id: made.id },
    )
    expect(shown.feed).toEqual(changed)
  })

  test('all 15 types', async () => {
    expect(FEED_TYPES).toHaveLength(15)
    for (const type of FEED_TYPES) {
      const made = await upsert('insight:admin', { ...whole(), url: `https://types.example/${type}`, type })
      expect(made.type).toBe(type)
      const { feeds } = await ask<{ feeds: { nodes: { id: string }[] } }>(
        'insight:viewer',
        `{ feeds(limit: 100, offset: 0, param: { type: ${type} }) { nodes { id } } }`,
      )
      expect(feeds.nodes.map(node => node.id)).toContain(made.id)
    }
  })

  test('wrong input is refused at its fields', async () => {
    const wrong = {
      ...whole(),
      url: 'ftp://x.example/',
      name: ' ',
      logoUrl: 'javascript:alert(1)',
      siteUrl: 'data:text/html,x',
      wideLogoUrl: 'http://u:p@x.example/',
      relatedLinkNum: 99,
      ttlMinutes: 1,
      shortName: 'あ'.repeat(51),
      manuallyFeedScore: 101,
    }
    expect((await refusals('insight:editor', UPSERT, { input: wrong })).sort()).toEqual([
      'feed/name-missing input.name',
      'feed/number-out-of-range input.manuallyFeedScore',
      'feed/number-out-of-range input.relatedLinkNum',
      'feed/number-out-of-range input.ttlMinutes',
      'feed/text-too-long input.shortName',
      'feed/url-not-web input.logoUrl',
      'feed/url-not-web input.siteUrl',
      'feed/url-not-web input.url',
      'feed/url-not-web input.wideLogoUrl',
    ])
    expect((await refusals('insight:editor', UPSERT, { input: {} })).sort()).toEqual([
      'feed/medium-unknown input.mediumId',
      'feed/name-missing input.name',
      'feed/publisher-unknown input.publisherId',
      'feed/url-not-web input.url',
    ])
    expect(
      await refusals('insight:editor', UPSERT, {
        input: { ...whole(), url: 'https://new.example/', publisherId: '999999', mediumId: '77' },
      }),
    ).toEqual(['feed/publisher-unknown input.publisherId', 'feed/medium-unknown input.mediumId'])
    expect(
      await refusals('insight:editor', UPSERT, { input: { ...whole(), url: 'https://ASAHI.example:443/rss' } }),
    ).toEqual(['feed/url-taken input.url'])
    expect(await refusals('insight:editor', UPSERT, { input: { id: '999999', name: 'x' } })).toEqual([
      'record/not-found input.id',
    ])
  })

  test('two people: the second is told; one submission twice: one feed', async () => {
    const made = await upsert('insight:editor', { ...whole(), url: 'https://two.example/' })
    await upsert('insight:admin', { id: made.id, expectedRevision: 1, shortName: '先' })
    expect(
      await refusals('insight:editor', UPSERT, { input: { id: made.id, expectedRevision: 1, shortName: '後' } }),
    ).toEqual(['record/edited-by-other expectedRevision'])
    const input = { ...whole(), url: 'https://once.example/' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => upsert('insight:editor', input, 'key-1')))
    expect(new Set(answers.map(answer => answer.id)).size).toBe(1)
  })

  test.each(FEED_ORDERS)('in the order %s: pages join without gap or overlap', async orderBy => {
    const query =
      'query F($limit: Int!, $offset: Int!, $orderBy: FeedsOrderBy) { feeds(limit: $limit, offset: $offset, orderBy: $orderBy) { total nodes { id } } }'
    type List = { feeds: { total: number; nodes: { id: string }[] } }
    const { feeds } = await ask<List>('insight:viewer', query, { limit: 1000, offset: 0, orderBy })
    const paged: { id: string }[] = []
    for (let offset = 0; offset < feeds.total; offset += 4) {
      const part = await ask<List>('insight:viewer', query, { limit: 4, offset, orderBy })
      expect(part.feeds.total).toBe(feeds.total)
      paged.push(...part.feeds.nodes)
    }
    expect(paged).toEqual(feeds.nodes)
  })

  test('search: kana, width, wildcards, address', async () => {
    await upsert('insight:editor', {
      ...whole(),
      url: 'https://kana.example/100%25',
      name: 'ポプラの森 100%_Ｐｏｐ',
    })
    const names = async (q: string) =>
      (
        await ask<{ feeds: { nodes: { name: string }[] } }>(
          'insight:viewer',
          'query F($q: String) { feeds(limit: 100, offset: 0, q: $q) { nodes { name } } }',
          { q },
        )
      ).feeds.nodes.map(node => node.name)
    for (const q of ['ぽぷら', 'ﾎﾟﾌﾟﾗ', 'POP', 'pop 森', 'kana.example'])
      expect(await names(q), q).toEqual(['ポプラの森 100%_Ｐｏｐ'])
    expect(await names("'; drop table feeds; --")).toEqual([])
    expect(await names('%%%zzz')).toEqual([])
  })

  test('a publisher sees its own feeds, without what is for staff', async () => {
    const list = '{ feeds(limit: 1000, offset: 0) { total nodes { id name publisher { id } health { state } } } }'
    const own = await ask<{ feeds: { nodes: { id: string; publisher: { id: string } }[] } }>(
      'insight:publisher_admin',
      list,
    )
    expect(new Set(own.feeds.nodes.map(node => node.publisher.id))).toEqual(
      new Set(system.rows.a.publisherIds.map(String)),
    )
    const edited = await ask<{ feeds: { nodes: { publisher: { id: string } }[] } }>('insight:publisher_editor', list)
    expect(new Set(edited.feeds.nodes.map(node => node.publisher.id))).toEqual(
      new Set([String(system.rows.a.publisherIds[0])]),
    )
    const feed = 'query F($id: ID!) { feed(id: $id) { id name } }'
    const foreign = await system.ask('insight', feed, tokens.get('insight:publisher_admin'), {
      id: String(system.rows.b.feedIds[0]),
    })
    const missing = await system.ask('insight', feed, tokens.get('insight:publisher_admin'), { id: '999999' })
    expect(foreign.text).toBe(missing.text)
    const staffOnly = await system.ask(
      'insight',
      `query F($id: ID!) { feed(id: $id) { ${ALL_FEED_FIELDS} stagingFeedId } }`,
      tokens.get('insight:publisher_admin'),
      { id: String(system.rows.a.feedIds[0]) },
    )
    expect(staffOnly.json.errors?.map(error => `${error.path?.at(-1)} ${error.extensions.code}`).sort()).toEqual(
      [
        'availabilityForPromo',
        'isDeleteFeed',
        'isSafeForFirstview',
        'legacyFeedId',
        'manuallyFeedScore',
        'notes',
        'stagingFeedId',
      ].map(name => `${name} FORBIDDEN`),
    )
    for (const role of ['insight:viewer', 'insight:publisher_admin', 'insight:publisher_editor'] as const)
      expect(await refusals(role, UPSERT, { input: whole() })).toEqual(['FORBIDDEN'])
  })
})

describe('rss, validateFeed, imageUploadUrl', () => {
  const RSS =
    'query R($url: String!) { rss(rssUrl: $url) { name description siteUrl logoUrl wideLogoUrl format itemCount items { title } } }'
  test('a real fetch, plain text only', async () => {
    const { rss } = await ask<{ rss: object }>('insight:editor', RSS, { url: `${siteUrl}/feed` })
    expect(rss).toEqual({
      name: 'あさひ',
      description: '説明',
      siteUrl: 'https://asahi.example/',
      logoUrl: '',
      wideLogoUrl: '',
      format: 'rss',
      itemCount: 1,
      items: [{ title: '一' }],
    })
  })
  test('what cannot be fetched or read is refused at its argument', async () => {
    const codes: Record<string, string> = {}
    for (const url of [
      `${siteUrl}/broken`,
      `${siteUrl}/missing`,
      `${siteUrl}/inner`,
      'http://inner.example:80/',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '',
    ])
      codes[url.replace(siteUrl, '')] = (await refusals('insight:editor', RSS, { url })).join()
    expect(codes).toEqual({
      '/broken': 'feed/unreadable rssUrl',
      '/missing': 'feed/http-status rssUrl',
      '/inner': 'feed/url-not-allowed rssUrl',
      'http://inner.example:80/': 'feed/url-not-allowed rssUrl',
      'http://127.0.0.1/': 'feed/url-not-allowed rssUrl',
      'file:///etc/passwd': 'feed/url-not-allowed rssUrl',
      'javascript:alert(1)': 'feed/url-not-allowed rssUrl',
      '': 'feed/url-not-allowed rssUrl',
    })
    for (const role of ['insight:viewer', 'insight:publisher_admin'] as const)
      expect(await refusals(role, RSS, { url: `${siteUrl}/feed` })).toEqual(['FORBIDDEN'])
  })
  test('the validator answers findings by line in Japanese', async () => {
    const query =
      'query V($url: String!) { validateFeed(url: $url, type: gnf1) { isUsable feed { name } findings { severity line code message } } }'
    type Answer = {
      validateFeed: { isUsable: boolean; feed: unknown; findings: { line: number; code: string; message: string }[] }
    }
    const broken = (await ask<Answer>('insight:editor', query, { url: `${siteUrl}/broken` })).validateFeed
    expect(broken).toMatchObject({
      isUsable: false,
      feed: null,
      findings: [
        {
          severity: 'error',
          line: 3,
          code: 'tag-mismatch',
          message: '<channel>（2行目）が </rss> で閉じられています。',
        },
      ],
    })
    const usable = (await ask<Answer>('insight:editor', query, { url: `${siteUrl}/feed` })).validateFeed
    expect(usable.isUsable).toBe(true)
    expect(usable.findings.map(finding => finding.code)).toEqual([
      'item-without-link',
      'item-without-date',
      'item-without-body',
    ])
  })
  test('a picture goes through the web listener', async () => {
    const query =
      'query I($type: String!, $size: Int) { imageUploadUrl(mimeType: $type, sizeBytes: $size) { uploadUrl imageUrl } }'
    const { imageUploadUrl } = await ask<{ imageUploadUrl: { uploadUrl: string; imageUrl: string } }>(
      'insight:editor',
      query,
      { type: 'image/png' },
    )
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const here = (url: string) => `${system.origins.web}${new URL(url).pathname}${new URL(url).search}`
    const sent = await fetch(here(imageUploadUrl.uploadUrl), {
      method: 'PUT',
      body: png,
      headers: { 'content-type': 'image/png' },
    })
    expect(sent.status).toBe(201)
    const shown = await fetch(here(imageUploadUrl.imageUrl))
    expect([shown.status, shown.headers.get('content-security-policy')]).toEqual([
      200,
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    ])
    for (const type of ['image/svg+xml', 'text/html', 'image/gif', 'IMAGE/PNG', 'image/png; x=y', ''])
      expect(await refusals('insight:editor', query, { type })).toEqual(['image/type-not-allowed mimeType'])
    for (const size of [0, -1, 6_000_000])
      expect(await refusals('insight:editor', query, { type: 'image/png', size })).toEqual([
        'image/size-out-of-range sizeBytes',
      ])
    expect(await refusals('insight:publisher_admin', query, { type: 'image/png' })).toEqual(['FORBIDDEN'])
  })
})

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
      String(system.rows.a.articleIds[0]),
      'https://news.example/ALPHA/1',
    ])
      expect(await listed('insight:viewer', { q }), q).toContain('ALPHA-1')
    for (const q of ['ない言葉', 'CANARY', "x' or 1=1 --", '%', 'ー'])
      expect(await listed('insight:publisher_admin', { q }), q).toEqual([])
    expect(await listed('insight:viewer', { param: { feedId: String(system.rows.a.feedIds[0]) } })).toEqual(['ALPHA-1'])
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
    const [, articleId] = system.rows.a.articleIds
    expect((await audited('insight:medium_article.', articleId)).map(row => row.action)).toEqual(['delete', 'restore'])
    const log =
      '{ mediumArticleRemovals(limit: 10, offset: 0) { total nodes { reason restoredAt removedByEmail article { title } } } }'
    const { mediumArticleRemovals } = await ask<{ mediumArticleRemovals: { nodes: object[] } }>('insight:viewer', log)
    expect(mediumArticleRemovals.nodes[0]).toMatchObject({
      reason: '誤配信のため',
      removedByEmail: system.rows.users['insight:publisher_admin'].email,
    })
    const ofB = await ask<{ mediumArticleRemovals: { total: number } }>(
      'ofB',
      '{ mediumArticleRemovals(limit: 10, offset: 0) { total } }',
    )
    expect(ofB.mediumArticleRemovals.total).toBe(0)
  })

  test('after the window it stays removed', async () => {
    const { id } = await system.parts.database.inScope(SYSTEM, tx =>
      tx
        .insertInto('mediumArticleRemovals')
        .values({
          articleId: system.rows.b.articleIds[1] ?? 0n,
          publisherId: system.rows.b.publisherIds[1] ?? 0n,
          reason: '権利侵害',
          removedBy: system.rows.users.admin.uid,
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

describe('announcements', () => {
  const UPSERT_ANNOUNCEMENT =
    'mutation A($input: AnnouncementInput!) { upsertAnnouncement(input: $input) { id revision enabled level type title body startAt endAt closeButtonText isRead updatedAt targets { kind mediumId organizationId role } } }'
  const BELL =
    'query B($now: DateTime!) { announcements(limit: 100, offset: 0, param: { enabled: true, startAt: $now, endAt: $now }) { total nodes { id title body updatedAt isRead level type closeButtonText } } }'
  type Bell = {
    announcements: {
      total: number
      nodes: { id: string; title: string; isRead: boolean; level: string; type: string; body: string }[]
    }
  }
  const titles = async (role: Role | 'ofB') =>
    (await ask<Bell>(role, BELL, { now: new Date(clock.now()).toISOString() })).announcements.nodes.map(
      node => node.title,
    )
  const base = {
    enabled: true,
    level: 'info',
    title: '題',
    body: '<p>本文</p>',
    startAt: '2026-01-01T00:00:00Z',
    targets: [{ kind: 'all' }],
  }
  const save = async (input: object, role: Role = 'insight:editor') =>
    (
      await ask<{ upsertAnnouncement: { id: string; revision: number; body: string } }>(role, UPSERT_ANNOUNCEMENT, {
        input,
      })
    ).upsertAnnouncement

  test('each target reaches whom it means', async () => {
    const { a, b } = system.rows
    await save({ ...base, title: '全員' })
    await save({
      ...base,
      title: '組織A',
      targets: [{ kind: 'organization', organizationId: String(a.organizationId) }],
    })
    await save({
      ...base,
      title: '組織B',
      targets: [{ kind: 'organization', organizationId: String(b.organizationId) }],
    })
    await save({ ...base, title: '編集者', targets: [{ kind: 'role', role: 'insight:publisher_editor' }] })
    await save({ ...base, title: 'メディア2', targets: [{ kind: 'medium', mediumId: '2' }] })
    await save({ ...base, title: 'メディア9', targets: [{ kind: 'medium', mediumId: '9' }] })
    await save({
      ...base,
      title: '二つ',
      targets: [
        { kind: 'medium', mediumId: '9' },
        { kind: 'role', role: 'insight:publisher_admin' },
      ],
    })
    await save({ ...base, title: '無効', enabled: false })
    await save({ ...base, title: '先', startAt: new Date(clock.now() + 60_000).toISOString() })
    await save({ ...base, title: '済', endAt: new Date(clock.now()).toISOString() })
    expect((await titles('insight:publisher_admin')).sort()).toEqual([
      'ALPHA お知らせ',
      'メディア2',
      '二つ',
      '全員',
      '組織A',
    ])
    // The editor works for the first agreement only, which is on medium 1.
    expect((await titles('insight:publisher_editor')).sort()).toEqual(['ALPHA お知らせ', '全員', '組織A', '編集者'])
    expect((await titles('ofB')).sort()).toEqual(['CANARY-B お知らせ', 'メディア2', '二つ', '全員', '組織B'])
    expect(await titles('insight:viewer')).toContain('組織B')
    const mine = await ask<Bell>(
      'insight:viewer',
      '{ announcements(limit: 100, offset: 0, param: { isAddressedToMe: true, enabled: true }) { total nodes { title } } }',
    )
    expect(mine.announcements.nodes.map(node => node.title).sort()).toEqual(
      ['先', '全員', '済', '組織A', 'ALPHA お知らせ'].sort(),
    )
    const everything = await ask<Bell>(
      'insight:publisher_admin',
      '{ announcements(limit: 100, offset: 0) { total nodes { title } } }',
    )
    expect(everything.announcements.total).toBe(5)
  })

  test('reading: the own mark only, once, for what one may see', async () => {
    const warn = await save({
      ...base,
      level: 'warn',
      title: '重要',
      targets: [{ kind: 'organization', organizationId: String(system.rows.a.organizationId) }],
    })
    const READ = 'mutation R($ids: [ID!]!) { readAnnouncements(ids: $ids) }'
    const ids = [warn.id, String(system.rows.b.announcementId), '999999']
    expect(await ask('insight:publisher_admin', READ, { ids })).toEqual({ readAnnouncements: [warn.id] })
    expect(await ask('insight:publisher_admin', READ, { ids })).toEqual({ readAnnouncements: [warn.id] })
    const isRead = async (role: Role) =>
      (
        await ask<{ announcement: { isRead: boolean; type: string } | null }>(
          role,
          'query A($id: ID!) { announcement(id: $id) { isRead type } }',
          { id: warn.id },
        )
      ).announcement
    expect(await isRead('insight:publisher_admin')).toEqual({ isRead: true, type: 'warn' })
    expect(await isRead('insight:publisher_editor')).toEqual({ isRead: false, type: 'warn' })
    expect((await audited('insight:announcement.', warn.id)).map(row => row.action)).toEqual(['create', 'read'])
    const query =
      'query K($id: ID!, $isRead: Boolean) { announcementAcknowledgements(id: $id, limit: 100, offset: 0, isRead: $isRead) { total readTotal nodes { email readAt organizationName } } }'
    type List = {
      announcementAcknowledgements: {
        total: number
        readTotal: number
        nodes: { email: string; readAt: string | null }[]
      }
    }
    const all = (await ask<List>('insight:viewer', query, { id: warn.id })).announcementAcknowledgements
    expect(all.readTotal).toBe(1)
    expect(all.nodes.every(node => !node.email.includes('canary'))).toBe(true)
    expect(all.nodes.at(-1)).toMatchObject({
      email: system.rows.users['insight:publisher_admin'].email,
      readAt: expect.any(String),
    })
    const unread = (await ask<List>('insight:viewer', query, { id: warn.id, isRead: false }))
      .announcementAcknowledgements
    expect(unread.total).toBe(all.total - 1)
    expect(await refusals('insight:publisher_admin', query, { id: warn.id })).toEqual(['FORBIDDEN'])
  })

  test('the body is cleaned at saving and again at reading', async () => {
    const saved = await save({
      ...base,
      body: '<p style="x" onclick="alert(1)">本文<script>alert(1)</script><a href="javascript:alert(1)">リンク</a></p><form><input></form>',
    })
    expect(saved.body).toBe('<p>本文リンク</p>')
    await system.parts.database.inScope(SYSTEM, tx =>
      tx
        .updateTable('announcements')
        .set({ body: '<img src=x onerror=alert(1)><b>古い</b>' })
        .where('id', '=', BigInt(saved.id))
        .execute(),
    )
    const shown = await ask<{ announcement: { body: string } }>(
      'insight:publisher_admin',
      'query A($id: ID!) { announcement(id: $id) { body } }',
      { id: saved.id },
    )
    expect(shown.announcement.body).toBe('<b>古い</b>')
  })

  test('half a character and NUL are no fault: no store could hold them', async () => {
    expect(await save({ ...base, title: 'あ\ud800い\0う', body: '<p>x\udc00\0y</p>' })).toMatchObject({
      ...{ title: 'あ\ufffdいう', body: '<p>x\ufffdy</p>' },
    })
  })

  test('wrong input is refused at its fields; the second of two editors is told', async () => {
    const wrong = {
      ...base,
      title: ' ',
      body: '<script>x</script>',
      endAt: '2025-01-01T00:00:00Z',
      closeButtonText: 'あ'.repeat(21),
      targets: [],
    }
    expect((await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: wrong })).sort()).toEqual([
      'announcement/body-missing input.body',
      'announcement/button-too-long input.closeButtonText',
      'announcement/period-reversed input.endAt',
      'announcement/targets-missing input.targets',
      'announcement/title-missing input.title',
    ])
    for (const targets of [
      [{ kind: 'medium' }],
      [{ kind: 'role', role: 'root' }],
      [{ kind: 'all', mediumId: '1' }],
      [{ kind: 'organization', organizationId: '999999' }],
    ])
      expect(await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { ...base, targets } })).toEqual([
        'announcement/target-wrong input.targets',
      ])
    expect(await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { title: 'x' } })).toEqual([
      'announcement/period-missing input.startAt',
    ])
    expect(
      await refusals('insight:editor', UPSERT_ANNOUNCEMENT, { input: { ...base, body: 'あ'.repeat(70_000) } }),
    ).toEqual(['announcement/body-too-long input.body'])
    const made = await save(base)
    expect(await save({ id: made.id, expectedRevision: 1, title: '新', endAt: null })).toMatchObject({ revision: 2 })
    expect(await save({ id: made.id, title: '新', targets: [{ kind: 'all' }, { kind: 'all' }] })).toMatchObject({
      revision: 2,
    })
    expect(
      await refusals('insight:admin', UPSERT_ANNOUNCEMENT, {
        input: { id: made.id, expectedRevision: 1, title: '古' },
      }),
    ).toEqual(['record/edited-by-other expectedRevision'])
    for (const role of ['insight:viewer', 'insight:publisher_admin'] as const)
      expect(await refusals(role, UPSERT_ANNOUNCEMENT, { input: base })).toEqual(['FORBIDDEN'])
  })

  test('one of another organisation is like none', async () => {
    const query = 'query A($id: ID!) { announcement(id: $id) { id title } }'
    const token = tokens.get('insight:publisher_admin')
    const foreign = await system.ask('insight', query, token, { id: String(system.rows.b.announcementId) })
    expect(foreign.text).toBe((await system.ask('insight', query, token, { id: '999999' })).text)
  })
})

describe('staging', () => {
  const document = {
    publishers: [
      { id: 'p-1', name: 'ステージング新聞', rules: [{ mediumId: '1', paymentRate: 4_500 }] },
      { id: 2, name: '別の新聞' },
    ],
    feeds: [
      {
        id: 'f-1',
        publisherId: 'p-1',
        name: '本紙',
        url: 'https://staging.example/1',
        fields: { mediumId: '1', type: 'snf2', ttlMinutes: 30 },
      },
      { id: 'f-2', publisherId: '2', name: '別紙', url: 'https://staging.example/2', fields: { mediumId: '2' } },
    ],
  }
  const COPY =
    'mutation C($input: FeedFromStagingInput!) { createFeedFromStaging(input: $input) { id name url type ttlMinutes stagingFeedId publisher { id } } }'
  const bring = async () => {
    const read = readStagingDocument(document)
    if ('problems' in read) throw new Error(read.problems.join())
    return system.parts.database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'test.json'))
  }

  test('imported, listed, copied once, with its origin', async () => {
    expect(await bring()).toEqual({ publishers: 2, feeds: 2 })
    const list =
      '{ stagingFeeds(limit: 10, offset: 0, param: { isCopied: false }, q: "ホンシ") { total } stagingPublishers(limit: 10, offset: 0) { total nodes { id name publisherId agreementPublisherRules { paymentRate } } } all: stagingFeeds(limit: 10, offset: 0) { total nodes { id name type feedId } } }'
    expect(await ask('insight:editor', list)).toMatchObject({
      stagingPublishers: {
        total: 2,
        nodes: [{ id: 'p-1', agreementPublisherRules: [{ paymentRate: 4500 }] }, { id: '2' }],
      },
      all: {
        total: 2,
        nodes: [
          { id: 'f-2', type: 'legacy' },
          { id: 'f-1', type: 'snf2', feedId: null },
        ],
      },
    })
    expect(await refusals('insight:editor', COPY, { input: { stagingFeedId: 'f-1' } })).toEqual([
      'staging/publisher-not-copied input.publisherId',
    ])
    const publisherId = String(system.rows.a.publisherIds[0])
    const made = await ask<{ createFeedFromStaging: { id: string } }>('insight:editor', COPY, {
      input: { stagingFeedId: 'f-1', publisherId, name: '本紙（本番）' },
    })
    expect(made.createFeedFromStaging).toMatchObject({
      name: '本紙（本番）',
      type: 'snf2',
      ttlMinutes: 30,
      stagingFeedId: 'f-1',
    })
    expect(await refusals('insight:editor', COPY, { input: { stagingFeedId: 'f-1', publisherId } })).toEqual([
      'staging/already-copied input.stagingFeedId',
    ])
    expect(await refusals('insight:editor', COPY, { input: { stagingFeedId: 'none' } })).toEqual([
      'staging/not-found input.stagingFeedId',
    ])
    expect((await audited('insight:feed.', made.createFeedFromStaging.id))[0]?.after).toMatchObject({
      stagingFeedId: 'f-1',
    })
    // A later import renews what staging says and keeps the mark.
    await bring()
    expect(
      await ask(
        'insight:editor',
        '{ stagingFeeds(limit: 10, offset: 0, param: { isCopied: true }) { nodes { id feedId } } }',
      ),
    ).toEqual({ stagingFeeds: { nodes: [{ id: 'f-1', feedId: made.createFeedFromStaging.id }] } })
    for (const role of ['insight:viewer', 'insight:publisher_admin'] as const) {
      expect(await refusals(role, COPY, { input: { stagingFeedId: 'f-2', publisherId } })).toEqual(['FORBIDDEN'])
      expect(await refusals(role, '{ stagingFeeds(limit: 1, offset: 0) { total } }')).toEqual(['FORBIDDEN'])
    }
  })

  test('a publisher with its rules, once; its feeds follow it', async () => {
    await bring()
    const { organizationId, agreementIds } = system.rows.a
    const COPY_PUBLISHER = `mutation C($publisher: PublisherFromStagingInput!, $rules: [AgreementPublisherRuleInput!]!) {
      createPublisherWithAgreementPublisherRulesFromStaging(publisher: $publisher, agreementPublisherRules: $rules) {
        id name notes agreementPublisherRules { agreementId paymentRate { paymentRate } } } }`
    const publisher = { stagingPublisherId: 'p-1', organizationId: String(organizationId) }
    const rules = [{ agreementId: String(agreementIds[0]), mediumId: '1', paymentRate: { paymentRate: 4500 } }]
    const wrong = [{ agreementId: '999999', mediumId: '1', paymentRate: { paymentRate: 4500 } }]
    expect((await refusals('insight:editor', COPY_PUBLISHER, { publisher, rules: wrong })).length).toBe(1)
    const made = await ask<{ createPublisherWithAgreementPublisherRulesFromStaging: { id: string } }>(
      'insight:editor',
      COPY_PUBLISHER,
      { publisher, rules },
    )
    const row = made.createPublisherWithAgreementPublisherRulesFromStaging
    expect(row).toMatchObject({
      name: 'ステージング新聞',
      agreementPublisherRules: [{ agreementId: String(agreementIds[0]), paymentRate: { paymentRate: 4500 } }],
    })
    expect(await refusals('insight:editor', COPY_PUBLISHER, { publisher, rules })).toEqual([
      'staging/already-copied publisher.stagingPublisherId',
    ])
    for (const role of ['insight:viewer', 'insight:publisher_admin'] as const)
      expect(await refusals(role, COPY_PUBLISHER, { publisher, rules })).toEqual(['FORBIDDEN'])
    const feed = { ...document.feeds[0], id: 'f-3', url: 'https://staging.example/3' }
    const read = readStagingDocument({ ...document, feeds: [feed] })
    if ('problems' in read) throw new Error(read.problems.join())
    await system.parts.database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'test.json'))
    const copied = await ask('insight:editor', COPY, { input: { stagingFeedId: 'f-3' } })
    expect(copied).toMatchObject({ createFeedFromStaging: { publisher: { id: row.id } } })
  })

  test('of 10 copies at once, one is made', async () => {
    await bring()
    const input = { stagingFeedId: 'f-2', publisherId: String(system.rows.b.publisherIds[0]) }
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusals('insight:admin', COPY, { input })))
    expect(outcomes.filter(codes => codes.length === 0)).toHaveLength(1)
  })

  test('a wrong document is refused with its places', () => {
    const read = readStagingDocument({
      publishers: [{ id: 'p', name: '' }],
      feeds: [
        { id: 'f', publisherId: 'x', name: 'n', url: 'javascript:1', fields: { mediumId: '1', type: 'unknown' } },
      ],
    })
    expect('problems' in read && read.problems.map(line => line.split(':')[0])).toEqual([
      'publishers.0.name',
      'feeds.0.url',
      'feeds.0.fields.type',
    ])
    const twice = readStagingDocument({
      publishers: [
        { id: 'p', name: 'a' },
        { id: 'p', name: 'b' },
      ],
      feeds: [],
    })
    expect('problems' in twice && twice.problems).toEqual(['publishers: id p stands twice'])
  })
})
