import fs from 'node:fs'
import path from 'node:path'
import { importStaging } from '@pc/features/feeds/server/staging-store.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { apiFixture, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { MUTATIONS } from '@pc/testing/system/people-fixture.ts'
import { buildSchema, type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

/** Every change that joins two records, tried with each side of another organisation: by staff, who may read both. */
const fixture = apiFixture()
const { ask, refusals } = fixture

const UPSERT_PUBLISHER = `mutation M($publisher: PublisherInput!, $rules: [AgreementPublisherRuleInput!]!) {
  upsertPublisherWithAgreementPublisherRules(publisher: $publisher, agreementPublisherRules: $rules) { id } }`
const COPY_PUBLISHER = `mutation C($publisher: PublisherFromStagingInput!, $rules: [AgreementPublisherRuleInput!]!) {
  createPublisherWithAgreementPublisherRulesFromStaging(publisher: $publisher, agreementPublisherRules: $rules) { id } }`
const UPSERT_AGREEMENT = `mutation M($input: AgreementInput!, $accounts: [AgreementBankAccountInput!]) {
  upsertAgreement(input: $input, agreementBankAccounts: $accounts) { id } }`
const CREATE_AGREEMENTS = `mutation M($input: [AgreementInput!]!, $accounts: [AgreementBankAccountInput!]) {
  createAgreements(input: $input, agreementBankAccounts: $accounts) { id } }`
const UPSERT_FEED = 'mutation U($input: FeedInput!) { upsertFeed(input: $input) { id publisher { id } } }'
const INVITE = 'mutation I($input: InviteUserForPublisherInput!) { inviteUserForPublisher(input: $input) { uid } }'
const UPDATE_USER = 'mutation I($input: UpdateUserForPublisherInput!) { updateUserForPublisher(input: $input) { uid } }'
const DIVIDEND = `mutation D($input: CreateDividendInput!, $rows: [DividendRawRow!]) {
  createDividend(input: $input, rawData: $rows) { id } }`
const ASSIGN_ROLES = MUTATIONS.updateRoles
const INVITE_ANYBODY = MUTATIONS.inviteUser
const MOVE_PUBLISHER = 'mutation M($publisher: PublisherInput!) { upsertPublisher(publisher: $publisher) { id } }'
const TRIED_HERE = [
  ...[UPSERT_PUBLISHER, COPY_PUBLISHER, MOVE_PUBLISHER, UPSERT_AGREEMENT, CREATE_AGREEMENTS, UPSERT_FEED],
  ...[INVITE, UPDATE_USER, DIVIDEND, INVITE_ANYBODY, ASSIGN_ROLES],
]

let codes = 0
const newAgreement = async (organizationId: bigint, mediumId = '7', more: object = {}) => {
  const input = { organizationId: String(organizationId), mediumId, name: '契約', code: `REL-${++codes}`, ...more }
  const made = await ask<{ upsertAgreement: { id: string } }>('insight:admin', UPSERT_AGREEMENT, { input })
  return made.upsertAgreement.id
}
const newPublisher = async (organizationId: bigint, rules: readonly object[] = []) => {
  const publisher = { organizationId: String(organizationId), name: '新聞' }
  const made = await ask<{ upsertPublisherWithAgreementPublisherRules: { id: string } }>(
    'insight:admin',
    UPSERT_PUBLISHER,
    { publisher, rules },
  )
  return made.upsertPublisherWithAgreementPublisherRules.id
}
const rule = (agreementId: unknown, validFromMonth = 202601) => ({
  ...{ agreementId: String(agreementId), validFromMonth, paymentRate: { paymentRate: 5000 } },
})

beforeAll(() =>
  fixture.system.dependencies.database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('media')
      .values([{ id: 7n, name: '媒体7' }])
      .execute()
    await importStaging(
      tx,
      { publishers: [{ id: 'rel-1', name: '準備中の新聞', notes: '', rules: [] }], feeds: [] },
      'test',
    )
  }),
)

/** Ids of what belongs to no organisation: who may read it may join it to anything. */
const NO_ORGANIZATION = /^(mediumIds?|bankId|bankBranchId|legacyFeedId|uploadId|acknowledgedLawRuleIds)$/
/** What joins two records and is not tried in this file: why it cannot cross organisations, and where that is tested. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  askQuestion: 'What it is about is read with the rights of the person: features/questions/server/questions.test.ts.',
  assignQuestion: 'The person who answers is of staff: features/questions/server/questions.test.ts.',
  readQuestion: 'Only messages of the thread are read: features/questions/server/questions.test.ts.',
  createBankAccount:
    'Its agreements are of its organisation: features/bank-accounts/server/bank-account-switches.test.ts.',
  createTransferBatch: 'An account of the payee: features/payments/transfers/server/transfers.test.ts.',
  createFeedFromStaging:
    'Feeds of the staging list belong to nobody yet: features/publishers/server/staging-api.test.ts.',
  confirmAccountChange: 'A change of the person: features/users/server/account-changes.test.ts.',
  withdrawAccountChange: 'A change of the person: features/users/server/account-changes.test.ts.',
  saveAnnotation: 'The publisher of a note is one that its writer may see: features/boards/server/boards.test.ts.',
  saveBoard: 'A filter shows only what the reader may see: features/boards/server/boards.test.ts.',
  pinToBoard: 'A filter shows only what the reader may see: features/boards/server/boards.test.ts.',
  saveReportMail:
    'A filter shows only what the reader may see: features/reports/report-emails/server/report-email-delivery.test.ts.',
  saveWhatIfDraft:
    'Only rates of rules that exist are computed, and nothing is changed: features/payments/what-if/server/what-if.test.ts.',
  upsertAnnouncement:
    'An announcement belongs to no organisation: features/announcements/server/announcements-api.test.ts.',
}

/** Mutations whose arguments name two records, wherever in their inputs. */
function joiningMutations(api: 'insight' | 'iam'): string[] {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, `../../schemas/${api}.graphql`), 'utf8')
  const idsIn = (type: GraphQLInputType, name: string, above: readonly string[]): string[] => {
    const named = getNamedType(type)
    const place = [...above, name]
    if (isInputObjectType(named) && place.length < 6)
      return Object.values(named.getFields()).flatMap(field => idsIn(field.type, field.name, place))
    const isId = /^id$|^uid$|(Id|Ids|Uid|Uids)$/.test(name) && !NO_ORGANIZATION.test(name)
    return isId ? [place.join('.')] : []
  }
  return Object.values(buildSchema(text).getMutationType()?.getFields() ?? {})
    .filter(({ args }) => args.flatMap(arg => idsIn(arg.type, arg.name, [])).length > 1)
    .map(({ name }) => name)
}

test('every mutation that names two records is tried here, or it is said where', () => {
  const found = [...joiningMutations('insight'), ...joiningMutations('iam')]
  expect(found.length).toBeGreaterThan(15)
  const tried = TRIED_HERE.map(query => /\{\s*(\w+)\(/.exec(query)?.[1] ?? '')
  expect(found.toSorted()).toEqual([...tried, ...Object.keys(TRIED_ELSEWHERE)].toSorted())
  for (const [mutation, text] of Object.entries(TRIED_ELSEWHERE)) {
    const file = / ([\w/-]+\.test\.ts)\.$/.exec(text)?.[1] ?? text
    expect(fs.readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8'), mutation).toContain(mutation)
  }
})

describe('a record of another organisation', () => {
  const FOREIGN_RULE = ['publisher/agreement-of-other-organization agreementPublisherRules.0.agreementId']

  test('is no part of a publisher: neither of a new one, nor of one that is there, nor of one from staging', async () => {
    const { a, b } = fixture.system.rows
    for (const [own, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const rules = [rule(other.agreementIds[0])]
      const organizationId = String(own.organizationId)
      const added = { publisher: { organizationId, name: '新しい新聞' }, rules }
      expect(await refusals('insight:admin', UPSERT_PUBLISHER, added)).toEqual(FOREIGN_RULE)
      const changed = { publisher: { id: String(own.publisherIds[0]) }, rules }
      expect(await refusals('insight:admin', UPSERT_PUBLISHER, changed)).toEqual(FOREIGN_RULE)
      const copied = { publisher: { stagingPublisherId: 'rel-1', organizationId }, rules }
      expect(await refusals('insight:admin', COPY_PUBLISHER, copied)).toEqual(FOREIGN_RULE)
    }
  })

  test('is no account of an agreement', async () => {
    const { a, b } = fixture.system.rows
    const accounts = [{ bankAccountId: String(b.bankAccountIds[0]), usedFromMonth: 202701 }]
    const base = { organizationId: String(a.organizationId), mediumId: '7', name: '契約', code: 'REL-X' }
    for (const [query, input] of [
      [UPSERT_AGREEMENT, base],
      [UPSERT_AGREEMENT, { id: String(a.agreementIds[0]) }],
      [CREATE_AGREEMENTS, [base]],
    ] as const)
      expect((await refusals('insight:admin', query, { input, accounts })).join()).toContain(
        'agreement/bank-account-unknown',
      )
  })

  test('is not what a feed moves to, since its articles stay with it', async () => {
    const { a, b } = fixture.system.rows
    const [feedId, second, foreign] = [a.feedIds[0], a.publisherIds[1], b.publisherIds[0]].map(String)
    expect(await refusals('insight:admin', UPSERT_FEED, { input: { id: feedId, publisherId: foreign } })).toEqual([
      'feed/publisher-of-other-organization input.publisherId',
    ])
    const moved = await ask('insight:admin', UPSERT_FEED, { input: { id: feedId, publisherId: second } })
    expect(moved).toEqual({ upsertFeed: { id: feedId, publisher: { id: second } } })
  })

  test('is not what a person works for', async () => {
    const { a, b } = fixture.system.rows
    const agreementIds = [String(b.agreementIds[0])]
    const invited = { email: 'rel@example.jp', roles: ['insight:publisher_editor'], agreementIds }
    expect(await refusals('insight:publisher_admin', INVITE, { input: invited })).toEqual([
      'user/agreement-not-found agreementIds',
    ])
    const { uid } = fixture.system.rows.users['insight:publisher_editor']
    expect(await refusals('insight:publisher_admin', UPDATE_USER, { input: { uid, agreementIds } })).toEqual([
      'user/agreement-not-found agreementIds',
    ])
    expect(a.organizationId).not.toBe(b.organizationId)
  })

  test('is not what a person works for whom an administrator of the platform invites or changes', async () => {
    const { a, b } = fixture.system.rows
    const token = await fixture.system.tokenOf(fixture.system.rows.users['iam:admin'].email)
    const [roles, agreementIds] = [['insight:publisher_editor'], [String(b.agreementIds[0])]]
    const input = { email: 'rel@example.jp', organizationId: String(a.organizationId), roles, agreementIds }
    const invited = await fixture.system.ask('iam', INVITE_ANYBODY, token, { input })
    expect(refusalsOf(invited)).toEqual([['user/agreement-not-found', 'agreementIds']])
    const { uid } = fixture.system.rows.users['insight:publisher_editor']
    const changed = await fixture.system.ask('iam', ASSIGN_ROLES, token, { uid, roles, agreementIds })
    expect(refusalsOf(changed)).toEqual([['user/agreement-not-found', 'agreementIds']])
  })

  test('is not what a publisher or an agreement moves to', async () => {
    const { a, b } = fixture.system.rows
    const organizationId = String(b.organizationId)
    const publisher = { id: String(a.publisherIds[0]), organizationId }
    const input = { id: String(a.agreementIds[0]), organizationId }
    expect(await refusals('insight:admin', MOVE_PUBLISHER, { publisher })).toEqual([
      'publisher/organization-fixed publisher.organizationId',
    ])
    expect(await refusals('insight:admin', UPSERT_AGREEMENT, { input })).toEqual([
      'agreement/organization-fixed input.organizationId',
    ])
  })

  test('gets nothing of an adjustment', async () => {
    const { a, b } = fixture.system.rows
    const input = { kind: 'csv', mediumId: '1', dividendMethod: 'payment', dividendMonth: '2026-10' }
    for (const [agreementId, publisherId] of [
      [a.agreementIds[0], b.publisherIds[0]],
      [b.agreementIds[0], a.publisherIds[0]],
    ]) {
      const rows = [{ agreementId: String(agreementId), publisherId: String(publisherId), amount: '1', reason: 'r' }]
      const refused = await refusals('insight:editor', DIVIDEND, { input, rows })
      expect(refused.length, refused.join()).toBeGreaterThan(0)
    }
  })
})

test('the database refuses what a use case would let pass', async () => {
  const { a, b } = fixture.system.rows
  const { uid } = fixture.system.rows.users['insight:publisher_editor']
  const [agreement, foreign] = [a.agreementIds[0], b.agreementIds[0]]
  const constraints = []
  for (const statement of [
    sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
      values (${agreement}, ${b.publisherIds[0]}, 1, 5000)`,
    sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
      values (${agreement}, ${a.publisherIds[1]}, 2, 5000)`,
    sql`update agreement_publisher_rules set publisher_id = ${b.publisherIds[1]} where agreement_id = ${agreement}`,
    sql`insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month)
      values (${agreement}, ${b.bankAccountIds[0]}, 202709)`,
    sql`insert into user_agreements (uid, agreement_id) values (${uid}::uuid, ${foreign})`,
    sql`update users set organization_id = ${b.organizationId} where uid = ${uid}::uuid`,
    sql`update feeds set publisher_id = ${b.publisherIds[0]} where id = ${a.feedIds[1]}`,
    sql`update publishers set organization_id = ${b.organizationId} where id = ${a.publisherIds[0]}`,
    sql`update agreements set organization_id = ${b.organizationId} where id = ${agreement}`,
    sql`update agreements set medium_id = 2 where id = ${agreement}`,
    sql`insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, feed_id, title, url, published_at)
      values (777, 1, 'rel', ${a.publisherIds[0]}, ${b.feedIds[0]}, 'x', 'https://a.example/', now())`,
    sql`update medium_articles set feed_id = ${b.feedIds[0]} where article_id = ${a.articleIds[0]}`,
    sql`update medium_articles set publisher_id = ${b.publisherIds[0]} where article_id = ${a.articleIds[0]}`,
  ]) {
    const refused = await fixture.system.dependencies.database
      .inScope(SYSTEM, async tx => {
        await tx
          .insertInto('userAgreements')
          .values({ uid, agreementId: agreement! })
          .onConflict(conflict => conflict.doNothing())
          .execute()
        await statement.execute(tx)
      })
      .then(
        () => undefined,
        (error: unknown) => readSqlRefusal(error),
      )
    constraints.push(refused && 'constraint' in refused ? refused.constraint : refused)
  }
  expect(constraints).toEqual([
    'agreement_publisher_rules_same_organization',
    'agreement_publisher_rules_same_organization',
    'agreement_publisher_rules_same_organization',
    'agreement_bank_accounts_same_organization',
    'user_agreements_same_organization',
    'user_agreements_same_organization',
    'feeds_same_organization',
    'publishers_organization_fixed',
    'agreements_organization_fixed',
    'agreements_organization_fixed',
    'medium_articles_same_organization',
    'medium_articles_same_organization',
    'medium_articles_same_organization',
  ])
})

test('an article may change its publisher within its organisation, and to another one without its feed', async () => {
  const { a, b } = fixture.system.rows
  const { database } = fixture.system.dependencies
  const change = (set: { publisherId?: bigint | undefined; feedId?: bigint | null; title?: string }) =>
    database.inScope(SYSTEM, tx =>
      tx.updateTable('mediumArticles').set(set).where('articleId', '=', a.articleIds[0]!).execute(),
    )
  await change({ publisherId: a.publisherIds[1] })
  await change({ publisherId: b.publisherIds[0], feedId: null })
  await change({ publisherId: a.publisherIds[0], feedId: a.feedIds[0]! })
})

describe('a publisher earns by one agreement of a medium in each month', () => {
  const TWICE = ['publisher/medium-twice agreementPublisherRules.0.agreementId']

  test('a second agreement is refused until the first one ends; its successor may begin in that month', async () => {
    const { organizationId } = fixture.system.rows.a
    const [first, second] = [await newAgreement(organizationId), await newAgreement(organizationId)]
    const id = await newPublisher(organizationId, [rule(first)])
    const add = (from: number) => ({ publisher: { id }, rules: [rule(second, from)] })
    expect(await refusals('insight:admin', UPSERT_PUBLISHER, add(202701))).toEqual(TWICE)
    const end = { id: first, terminatedAt: '2027-01-20T00:00:00+09:00' }
    await ask('insight:admin', UPSERT_AGREEMENT, { input: end })
    expect(await refusals('insight:admin', UPSERT_PUBLISHER, add(202612))).toEqual(TWICE)
    await ask('insight:admin', UPSERT_PUBLISHER, add(202701))
    // Nor may the first one go on again, or the second one begin earlier.
    expect(await refusals('insight:admin', UPSERT_AGREEMENT, { input: { id: first, isTerminated: false } })).toEqual([
      'agreement/publisher-twice input.terminatedAt',
    ])
    expect(await refusals('insight:admin', UPSERT_PUBLISHER, add(202611))).toEqual([])
    const earlier = { ...add(202611), rules: [{ ...rule(second, 202611), paymentRate: { paymentRate: 100 } }] }
    expect(await refusals('insight:admin', UPSERT_PUBLISHER, earlier)).toEqual(TWICE)
  })

  test('two that are named together, and two people at once, give one', async () => {
    const { organizationId } = fixture.system.rows.a
    const agreements = [await newAgreement(organizationId), await newAgreement(organizationId)]
    const publisher = { organizationId: String(organizationId), name: '同時の新聞' }
    expect(
      await refusals('insight:admin', UPSERT_PUBLISHER, { publisher, rules: agreements.map(id => rule(id)) }),
    ).toEqual(['publisher/medium-twice agreementPublisherRules.1.agreementId'])
    const id = await newPublisher(organizationId)
    const outcomes = await Promise.all(
      agreements.map(agreement =>
        refusals('insight:admin', UPSERT_PUBLISHER, { publisher: { id }, rules: [rule(agreement)] }),
      ),
    )
    expect(outcomes.filter(refused => refused.length === 0)).toHaveLength(1)
  })
})
