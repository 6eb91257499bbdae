import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ARTICLES = 30_000
const PUBLISHERS = 6
const PREFECTURES = ['東京', '大阪', '名古屋', '札幌', '福岡', '那覇', '金沢'] as const
const titleOf = (n: number) => `きょうの記事 ${n} ${PREFECTURES[n % PREFECTURES.length]}の話題`
const publisherOf = (n: number) => 1 + (n % PUBLISHERS)
const isRemoved = (n: number) => n % 1_000 === 0

const EDITOR = '00000000-0000-4000-8000-0000000000e1'

let db: TestDatabase
let organizationIds: bigint[]
let publisherIds: bigint[]

beforeAll(async () => {
  db = await testDatabase()
  await db.database.inScope(
    SYSTEM,
    async tx => {
      await tx
        .insertInto('media')
        .values({ id: 1n, name: '媒体' })
        .onConflict(each => each.doNothing())
        .execute()
      const organizations = await tx
        .insertInto('organizations')
        .values([{ name: '甲' }, { name: '乙' }])
        .returning('id')
        .execute()
      organizationIds = organizations.map(row => row.id)
      const publishers = await tx
        .insertInto('publishers')
        .values(
          Array.from({ length: PUBLISHERS }, (_, n) => ({
            organizationId: organizationIds[n % 2]!,
            name: `パブリッシャー${n}`,
          })),
        )
        .returning('id')
        .execute()
      publisherIds = publishers.map(row => row.id)
      await sql`insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, title, url, published_at)
        select n, 1, 'a' || n, (${publisherIds}::bigint[])[1 + n % ${sql.lit(PUBLISHERS)}],
          'きょうの記事 ' || n || ' ' || (${[...PREFECTURES]}::text[])[1 + n % ${sql.lit(PREFECTURES.length)}] || 'の話題',
          'https://news.example/' || n, timestamptz '2026-01-01 00:00+09' + n * interval '1 minute'
        from generate_series(1, ${sql.lit(ARTICLES)}) s(n)`.execute(tx)
      const { uid } = await tx
        .insertInto('users')
        .values({ email: 'staff@example.jp' })
        .returning('uid')
        .executeTakeFirstOrThrow()
      await sql`insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
        select article_id, publisher_id, '誤配信', ${uid}, now(), now() from medium_articles where article_id % 1000 = 0`.execute(
        tx,
      )
      await sql`insert into media (id, name) values (2, '別の媒体')`.execute(tx)
      await sql`insert into users (uid, email, organization_id) values (${EDITOR}, 'editor@example.jp', ${organizationIds[1]!})`.execute(
        tx,
      )
      // The second publisher on the medium of the articles, the fourth on another one only.
      for (const [mediumId, publisherId] of [[1n, publisherIds[1]!] as const, [2n, publisherIds[3]!] as const]) {
        const { id: agreementId } = await tx
          .insertInto('agreements')
          .values({ mediumId, organizationId: organizationIds[1]!, name: `${mediumId}`, code: `${mediumId}` })
          .returning('id')
          .executeTakeFirstOrThrow()
        await tx.insertInto('userAgreements').values({ uid: EDITOR, agreementId }).execute()
        await tx
          .insertInto('agreementPublisherRules')
          .values({ agreementId, publisherId, mediumId, paymentRate: 5_000 })
          .execute()
      }
    },
    { statementTimeoutMs: 60_000 },
  )
  await withClient(db.adminUrl, async client => {
    await client.query('vacuum analyze app.medium_article_pieces')
    // Whatever takes a title apart while it searches would take all of them apart some day: here it fails.
    await client.query(`create or replace function app.search_pieces(value text) returns text[] language plpgsql immutable
      parallel safe cost 10000 as $$ begin raise exception 'a title was taken apart: %', value; end $$`)
  })
})
afterAll(() => db.drop())

const all = Array.from({ length: ARTICLES }, (_, n) => n + 1)

async function find(scope: Scope, words: readonly string[], exact: string, options: Options = {}) {
  const { publisher, from, removed = false, order = 'PUBLISHEDAT_DESC', skipped = 0 } = options
  const { rows } = await db.database.inScope(scope, tx =>
    sql<{ articleId: bigint; total: bigint }>`select article_id, total from app.find_medium_articles(
      ${[...words]}::text[], ${exact}, null, ${publisher ?? null}::bigint, null, ${from ?? null}::timestamptz, null,
      ${removed}, ${order}, 100, ${skipped})`.execute(tx),
  )
  return { total: Number(rows[0]?.total ?? 0n), ids: rows.map(row => Number(row.articleId)) }
}

interface Options {
  readonly publisher?: bigint
  readonly from?: string
  readonly removed?: boolean
  readonly order?: string
  readonly skipped?: number
}

function expected(fits: (n: number) => boolean, removed = false) {
  const found = all.filter(n => fits(n) && isRemoved(n) === removed)
  return { total: found.length, ids: found.reverse().slice(0, 100) }
}

test('a word of every title, of some and of none', async () => {
  for (const words of [['記事'], ['話題', '東京'], ['123'], ['の'], ['記事', '那覇', '9'], ['該当なし']])
    expect(await find(SYSTEM, words, words.join(' ')), words.join(' ')).toEqual(
      expected(n => words.every(word => titleOf(n).includes(word)) || String(n) === words.join(' ')),
    )
})

test('with filters, in other orders, on further pages, among the removed', async () => {
  const publisher = publisherIds[2]!
  expect(await find(SYSTEM, ['記事'], '記事', { publisher })).toEqual(expected(n => publisherOf(n) === 3))
  const from = '2026-01-15T00:00:00+09:00'
  const isLater = (n: number) => n >= 14 * 24 * 60
  expect(await find(SYSTEM, ['記事'], '記事', { from })).toEqual(expected(isLater))
  expect(await find(SYSTEM, ['大阪'], '大阪', { from })).toEqual(
    expected(n => isLater(n) && titleOf(n).includes('大阪')),
  )
  expect(await find(SYSTEM, ['記事'], '記事', { removed: true })).toEqual(expected(() => true, true))
  const ascending = await find(SYSTEM, ['金沢'], '金沢', { order: 'ID_ASC', skipped: 100 })
  const cities = all.filter(n => titleOf(n).includes('金沢') && !isRemoved(n))
  expect(ascending).toEqual({ total: cities.length, ids: cities.slice(100, 200) })
})

test('an id, an own id and an address name one article beside the titles that hold them', async () => {
  expect(await find(SYSTEM, ['a77'], 'a77')).toEqual({ total: 1, ids: [77] })
  expect(await find(SYSTEM, [], 'https://news.example/78')).toEqual({ total: 1, ids: [78] })
  expect(await find(SYSTEM, ['12345'], '12345')).toEqual({ total: 1, ids: [12_345] })
})

test('a publisher finds its own', async () => {
  const scope: Scope = {
    kind: 'organization',
    uid: '00000000-0000-4000-8000-000000000001',
    organizationId: organizationIds[1]!,
  }
  const isOwn = (n: number) => publisherOf(n) % 2 === 0
  expect(await find(scope, ['記事'], '記事')).toEqual(expected(isOwn))
  expect(await find(scope, ['札幌'], '札幌')).toEqual(expected(n => isOwn(n) && titleOf(n).includes('札幌')))
  expect(await find(scope, ['a12'], 'a12')).toEqual({ total: 0, ids: [] })
})

test("an editor finds what is of the agreements' publishers on the agreements' media", async () => {
  const scope: Scope = { kind: 'agreements', uid: EDITOR, organizationId: organizationIds[1]! }
  const isOwn = (n: number) => publisherOf(n) === 2
  expect(await find(scope, ['記事'], '記事')).toEqual(expected(isOwn))
  expect(await find(scope, ['札幌'], '札幌', { removed: true })).toEqual(
    expected(n => isOwn(n) && titleOf(n).includes('札幌'), true),
  )
  expect(await find(scope, ['記事'], '記事', { publisher: publisherIds[3]! })).toEqual({ total: 0, ids: [] })
  const nobody: Scope = { ...scope, uid: '00000000-0000-4000-8000-0000000000e2' }
  expect(await find(nobody, ['記事'], '記事')).toEqual({ total: 0, ids: [] })
})
