import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { purgeExpired } from './purge-expired.ts'

/** What is over is deleted at night, except what a hold covers; over HTTP, real PostgreSQL. */
let system: SystemUnderTest
const tokens = new Map<string, string>()
const clock = fixedClock('2028-03-31T04:00:00+09:00')
const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => system.dependencies.database.inScope(SYSTEM, work)

beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const role of ['insight:admin', 'insight:editor', 'insight:publisher_admin'] as const)
    tokens.set(role, await system.tokenOf(system.rows.users[role].email))
})
afterAll(() => system?.close())
beforeEach(() =>
  inBooks(async tx => {
    await tx.deleteFrom('pageViews').execute()
    const { users } = system.rows
    const viewed = (uid: string | null, path: string, at: string) => ({ uid, path, viewedAt: new Date(at) })
    await tx
      .insertInto('pageViews')
      .values([
        viewed(users['insight:publisher_admin'].uid, 'A-old', '2027-02-27T23:59:59+09:00'),
        viewed(users.ofB.uid, 'B-old', '2027-02-27T23:59:59+09:00'),
        viewed(users.ofB.uid, 'B-older', '2026-06-15T12:00:00+09:00'),
        viewed(null, 'nobody-old', '2026-06-15T12:00:00+09:00'),
        viewed(users.ofB.uid, 'B-kept', '2027-02-28T00:00:00+09:00'),
      ])
      .execute()
  }),
)

const ask = (as: string, query: string, variables: object = {}) =>
  system.ask('insight', query, tokens.get(as), variables)
const PLACE = 'mutation ($input: LegalHoldInput!) { placeLegalHold(input: $input) { id } }'
const RELEASE = 'mutation ($id: ID!, $reason: String!) { releaseLegalHold(id: $id, reason: $reason) { releasedAt } }'
const place = async (input: object) => {
  const { json, text } = await ask('insight:admin', PLACE, { input })
  expect(json.errors, text).toBeUndefined()
  return (json.data as { placeLegalHold: { id: string } }).placeLegalHold.id
}
const release = (id: string) => ask('insight:admin', RELEASE, { id, reason: '終了' })
const night = async () => {
  const done = await purgeExpired(system.dependencies.database, clock)
  const left = await inBooks(tx => tx.selectFrom('pageViews').select('path').orderBy('path').execute())
  const { deleted, held } = done.find(each => each.kind === 'page_views')!
  return { deleted, held, left: left.map(row => row.path) }
}

test('older than its months to the day of Tokyo, and noted; a second night finds nothing', async () => {
  expect(await night()).toEqual({ deleted: 4n, held: 0n, left: ['B-kept'] })
  expect(await night()).toEqual({ deleted: 0n, held: 0n, left: ['B-kept'] })
  const runs = await inBooks(tx => tx.selectFrom('retentionRuns').select(['kind', 'keptSince', 'deleted']).execute())
  expect(runs).toEqual([{ kind: 'page_views', keptSince: '2027-02-28', deleted: 4n }])
})

test('what a hold covers stays until it is released: of an organisation, of months, and what might be theirs', async () => {
  const ofB = await place({ organizationId: String(system.rows.b.organizationId), reason: '訴訟' })
  expect(await night()).toEqual({ deleted: 1n, held: 3n, left: ['B-kept', 'B-old', 'B-older', 'nobody-old'] })
  const ofJune = await place({ fromMonth: '2026-06', toMonth: '2026-06', reason: '税務調査' })
  expect((await release(ofB)).json.errors).toBeUndefined()
  expect(await night()).toEqual({ deleted: 1n, held: 2n, left: ['B-kept', 'B-older', 'nobody-old'] })
  await release(ofJune)
  expect((await night()).left).toEqual(['B-kept'])
  expect((await release(ofJune)).text).toContain('すでに解除')
  const change = inBooks(tx => tx.deleteFrom('legalHolds').execute())
  await expect(change).rejects.toMatchObject({ code: '23514' })
})

test('every kind of the list can be deleted by the job', async () => {
  const { users, a } = system.rows
  await inBooks(async tx => {
    const old = new Date('2024-01-01T00:00:00Z')
    const [ownerUid, publisherId] = [users['insight:publisher_admin'].uid, a.publisherIds[0]!]
    await tx
      .insertInto('viewAsSessions')
      .values({ sessionKey: 's', staffUid: ownerUid, targetUid: ownerUid, reason: 'r', expiresAt: old, startedAt: old })
      .execute()
    await tx
      .insertInto('figureAlerts')
      .values({
        publisherId,
        mediumId: 1n,
        figure: 'clicks',
        direction: 'drop',
        value: 1n,
        usual: 200n,
        beganOn: '2024-01-01',
        lastOn: '2024-01-01',
        endedOn: '2024-01-02',
      } as never)
      .execute()
    await tx
      .insertInto('publisherApiKeys')
      .values({
        organizationId: a.organizationId,
        name: 'k',
        scopes: ['reports'],
        createdAt: old,
        secretSha256: Buffer.alloc(32),
        secretEnd: 'abcd',
        expiresAt: new Date('2024-02-01T00:00:00Z'),
      })
      .execute()
    await tx.insertInto('boards').values({ ownerUid, isByStaff: true, name: 'b', deletedAt: old }).execute()
    await tx
      .insertInto('annotations')
      .values({
        ownerUid,
        isByStaff: true,
        startsOn: '2024-01-01',
        endsOn: '2024-01-01',
        text: 't',
        visibility: 'own',
        deletedAt: old,
      } as never)
      .execute()
    await tx
      .insertInto('savedViews')
      .values({ uid: ownerUid, screen: 'dashboard', name: 'v', deletedAt: old })
      .execute()
    const { batchNo } = await tx
      .insertInto('ingestBatches')
      .values({ dataset: 'events', batchId: 'b', contentSha256: 'x', state: 'applied', receivedAt: old } as never)
      .returning('batchNo')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('ingestQuarantinedRows')
      .values({ batchNo, line: 1n, columnName: 'c', reason: 'r', sourceText: 's' })
      .execute()
  })
  const done = await purgeExpired(system.dependencies.database, clock)
  expect(done.filter(each => each.deleted === 0n)).toEqual([])
})

test('administrators of staff place and release; others of staff read; a publisher sees nothing of it', async () => {
  const read = '{ retention { rules { id } holds { id reason } runs { deleted } } }'
  expect((await ask('insight:editor', read)).json.errors).toBeUndefined()
  expect((await ask('insight:publisher_admin', read)).text).toContain('FORBIDDEN')
  const input = { organizationId: String(system.rows.a.organizationId), reason: 'x' }
  expect((await ask('insight:editor', PLACE, { input })).text).toContain('FORBIDDEN')
  expect((await ask('insight:admin', PLACE, { input: { reason: 'x' } })).text).toContain('組織か月')
  expect((await ask('insight:admin', PLACE, { input: { organizationId: '999999', reason: 'x' } })).text).toContain(
    '組織が見つかりません',
  )
})

test('which screens are used: by month of Tokyo, under the latest title; not for publishers', async () => {
  const { users } = system.rows
  const [one, other] = [users.ofB.uid, users['insight:publisher_admin'].uid]
  const viewed = (uid: string | null, path: string, at: string, title: string | null = null) => ({
    ...{ uid, path, title, viewedAt: new Date(at) },
  })
  await inBooks(tx =>
    tx
      .insertInto('pageViews')
      .values([
        viewed(one, '/a', '2028-02-29T23:59:59.999+09:00', '先月'),
        viewed(one, '/a', '2028-03-01T00:00:00+09:00', '前の名前'),
        viewed(one, '/a', '2028-03-05T00:00:00+09:00', '今の名前'),
        viewed(other, '/a', '2028-03-06T00:00:00+09:00'),
        viewed(null, '/b', '2028-03-31T23:59:59.999+09:00'),
        viewed(null, '/b', '2028-04-01T00:00:00+09:00'),
      ])
      .execute(),
  )
  const USE = 'query ($month: String!) { screenUse(month: $month) { path title views lastViewedAt } }'
  const { json } = await ask('insight:editor', USE, { month: '2028-03' })
  expect(json.data).toEqual({
    screenUse: [
      { path: '/a', title: '今の名前', views: 3, lastViewedAt: '2028-03-05T15:00:00.000Z' },
      { path: '/b', title: null, views: 1, lastViewedAt: '2028-03-31T14:59:59.999Z' },
    ],
  })
  const own = await ask('insight:publisher_admin', USE, { month: '2028-03' })
  expect(own.json.data).toEqual({ screenUse: null })
  expect(own.text).not.toContain('今の名前')
})
