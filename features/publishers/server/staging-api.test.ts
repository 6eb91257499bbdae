import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { apiFixture } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'
import { readStagingDocument } from '../../feeds/server/staging-document.ts'
import { importStaging } from '../../feeds/server/staging-store.ts'

const fixture = apiFixture()
const { ask, refusals, audited } = fixture

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
    return fixture.system.dependencies.database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'test.json'))
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
    const publisherId = String(fixture.system.rows.a.publisherIds[0])
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

  test('the common orders: what another import changes comes last', async () => {
    await bring()
    const ids = async (field: string, orderBy: string) =>
      (
        await ask<Record<string, { nodes: { id: string }[] }>>(
          'insight:editor',
          `{ ${field}(limit: 10, offset: 0, orderBy: ${orderBy}) { nodes { id } } }`,
        )
      )[field]!.nodes.map(({ id }) => id)
    for (const by of ['ID', 'CREATEDAT']) {
      expect(await ids('stagingFeeds', `${by}_ASC`)).toEqual(['f-1', 'f-2'])
      expect(await ids('stagingFeeds', `${by}_DESC`)).toEqual(['f-2', 'f-1'])
      expect(await ids('stagingPublishers', `${by}_DESC`)).toEqual(['p-1', '2'])
    }
    const [publisher, ...publishers] = document.publishers
    const [feed, ...feeds] = document.feeds
    const changed = {
      publishers: [{ ...publisher, name: '改名' }, ...publishers],
      feeds: [{ ...feed, name: '改題' }, ...feeds],
    }
    const read = readStagingDocument(changed)
    if ('problems' in read) throw new Error(read.problems.join())
    await fixture.system.dependencies.database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'test.json'))
    expect(await ids('stagingFeeds', 'UPDATEDAT_DESC')).toEqual(['f-1', 'f-2'])
    expect(await ids('stagingPublishers', 'UPDATEDAT_DESC')).toEqual(['p-1', '2'])
    expect(await ids('stagingPublishers', 'UPDATEDAT_ASC')).toEqual(['2', 'p-1'])
  })

  test('a publisher with its rules, once; its feeds follow it', async () => {
    await bring()
    const { organizationId, agreementIds } = fixture.system.rows.a
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
    await fixture.system.dependencies.database.inScope(SYSTEM, tx => importStaging(tx, read.document, 'test.json'))
    const copied = await ask('insight:editor', COPY, { input: { stagingFeedId: 'f-3' } })
    expect(copied).toMatchObject({ createFeedFromStaging: { publisher: { id: row.id } } })
  })

  test('of 10 copies at once, one is made', async () => {
    await bring()
    const input = { stagingFeedId: 'f-2', publisherId: String(fixture.system.rows.b.publisherIds[0]) }
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
