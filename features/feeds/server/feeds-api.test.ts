import type { Role } from '@pc/domain/access/role.ts'
import { FEED_TYPES } from '@pc/domain/feed/feed-type.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'
import { FEED_ORDERS } from './feed-store.ts'

const fixture = apiFixture()
const { ask, refusals, audited, send } = fixture

const ALL_FEED_FIELDS = `id enabled name shortName siteUrl description mediumId legacyFeedId url logoUrl wideLogoUrl bannerUrl
  isDeleteFeed isSafeForFirstview relatedLinkNum articleExpirationDays availabilityForPromo type allowVideo
  allowContentBody ttlMinutes manuallyFeedScore notes revision publisher { id name } health { state checkedAt usualItems }`
const UPSERT = `mutation U($input: FeedInput!, $key: String) { upsertFeed(input: $input, idempotencyKey: $key) { ${ALL_FEED_FIELDS} } }`
type FeedAnswer = Record<string, unknown> & { readonly id: string; readonly revision: number; readonly name: string }
const upsert = async (role: Role, input: object, key?: string) =>
  (await ask<{ upsertFeed: FeedAnswer }>(role, UPSERT, { input, key })).upsertFeed

describe('feeds', () => {
  const whole = () => ({
    publisherId: String(fixture.system.rows.a.publisherIds[0]),
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

  test('a new feed needs its type and a medium on which its publisher has a rule; so does one that moves', async () => {
    const { type: _, ...untyped } = whole()
    expect(await refusals('insight:editor', UPSERT, { input: untyped })).toEqual(['feed/type-missing input.type'])
    const without = ['feed/medium-without-rule input.mediumId']
    const elsewhere = { ...whole(), url: 'https://rule.example/rss', mediumId: '9' }
    expect(await refusals('insight:editor', UPSERT, { input: elsewhere })).toEqual(without)
    const made = await upsert('insight:editor', { ...elsewhere, mediumId: '1' })
    expect(await refusals('insight:editor', UPSERT, { input: { id: made.id, mediumId: '9' } })).toEqual(without)
    // The second publisher has no rule on medium 2.
    const second = String(fixture.system.rows.a.publisherIds[1])
    const moved = { id: made.id, publisherId: second, mediumId: '2' }
    expect(await refusals('insight:editor', UPSERT, { input: moved })).toEqual(without)
    expect(await upsert('insight:editor', { id: made.id, publisherId: second, mediumId: '1' })).toMatchObject({
      revision: 2,
    })
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
    const hidden = { ...whole(), name: '朝日\u202e新聞', shortName: '朝\u200b日' }
    expect((await refusals('insight:editor', UPSERT, { input: hidden })).sort()).toEqual([
      'name/hidden-characters input.name',
      'name/hidden-characters input.shortName',
    ])
    expect((await refusals('insight:editor', UPSERT, { input: {} })).sort()).toEqual([
      'feed/medium-unknown input.mediumId',
      'feed/name-missing input.name',
      'feed/publisher-unknown input.publisherId',
      'feed/type-missing input.type',
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

  test('two people: the second is refused; one submission twice: one feed', async () => {
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
      new Set(fixture.system.rows.a.publisherIds.map(String)),
    )
    const edited = await ask<{ feeds: { nodes: { publisher: { id: string } }[] } }>('insight:publisher_editor', list)
    expect(new Set(edited.feeds.nodes.map(node => node.publisher.id))).toEqual(
      new Set([String(fixture.system.rows.a.publisherIds[0])]),
    )
    const feed = 'query F($id: ID!) { feed(id: $id) { id name } }'
    const foreign = await send('insight:publisher_admin', feed, {
      id: String(fixture.system.rows.b.feedIds[0]),
    })
    const missing = await send('insight:publisher_admin', feed, { id: '999999' })
    expect(foreign.text).toBe(missing.text)
    const staffOnly = await send(
      'insight:publisher_admin',
      `query F($id: ID!) { feed(id: $id) { ${ALL_FEED_FIELDS} stagingFeedId } }`,
      { id: String(fixture.system.rows.a.feedIds[0]) },
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
