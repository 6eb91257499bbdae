import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The same in every run. */
const SEED = 20_261_120
const PUBLISHERS = 6
const MEDIA = 3
const WRITERS = 4
const STEPS = 60
const LOOKS = 5

const db = await testDatabase({ maxConnections: WRITERS + 3 })
afterAll(() => db.drop())
let organizationIds: bigint[]
let uid: string

beforeAll(async () => {
  await db.database.inScope(SYSTEM, async tx => {
    await tx
      .insertInto('media')
      .values(Array.from({ length: MEDIA }, (_, n) => ({ id: BigInt(n + 1), name: `媒体${n}` })))
      .execute()
    const organizations = await tx
      .insertInto('organizations')
      .values([{ name: '甲' }, { name: '乙' }])
      .returning('id')
      .execute()
    organizationIds = organizations.map(row => row.id)
    await tx
      .insertInto('publishers')
      .values(Array.from({ length: PUBLISHERS }, (_, n) => ({ organizationId: organizationIds[n % 2]!, name: `${n}` })))
      .execute()
    uid = (
      await tx
        .insertInto('users')
        .values({ email: 'a@example.jp', organizationId: organizationIds[0]! })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid
    // Two agreements of the same publishers on two of the media.
    await sql`insert into agreements (medium_id, organization_id, name, code)
      select m, ${organizationIds[0]!}, m::text, m::text from generate_series(1, 2) m`.execute(tx)
    await sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
      select a.id, p.id, a.medium_id, 5000 from agreements a join publishers p on p.id in (1, 1 + 2 * a.medium_id)`.execute(
      tx,
    )
    await sql`insert into user_agreements select ${uid}::uuid, id from agreements`.execute(tx)
  })
})

/** For every scope, medium and publisher: what the function says and what counting says, in one state. */
async function difference(scope: Scope): Promise<unknown[]> {
  const { rows } = await db.database.inScope(scope, tx =>
    sql`with wanted as (select m, p from generate_series(0, ${sql.lit(MEDIA)}) m, generate_series(0, ${sql.lit(PUBLISHERS)}) p)
      select m, p, app.count_medium_articles(nullif(m, 0), nullif(p, 0)) as kept, (
        select count(*) from medium_articles a
        where (m = 0 or a.medium_id = m) and (p = 0 or a.publisher_id = p) and not exists (
          select from medium_article_removals r where r.article_id = a.article_id and r.restored_at is null)) as counted
      from wanted`.execute(tx),
  )
  return (rows as { kept: bigint; counted: bigint }[]).filter(row => row.kept !== row.counted)
}

/** A writer that adds, moves, removes and deletes articles of its own numbers, and sometimes thinks better of it. */
async function write(writer: number, step: number, random: ReturnType<typeof randomFrom>): Promise<void> {
  const from = writer * 1_000_000 + random.below(40) * 10
  const work = async (tx: Transaction) => {
    switch (random.below(5)) {
      case 0:
      case 1:
        await sql`insert into medium_articles (article_id, medium_id, medium_article_id, publisher_id, title, url, published_at)
          select n, 1 + (n + ${step}) % ${sql.lit(MEDIA)}, 'a' || n, 1 + (n * 7 + ${step}) % ${sql.lit(PUBLISHERS)}, '題', 'https://x.example', now()
          from generate_series(${from}::int, ${from + 25}::int) n
          on conflict (article_id) do update set publisher_id = excluded.publisher_id, title = excluded.title || '改'`.execute(
          tx,
        )
        break
      case 2:
        await sql`update medium_articles set medium_id = 1 + (medium_id % ${sql.lit(MEDIA)}), publisher_id = 1 + (publisher_id % ${sql.lit(PUBLISHERS)})
          where article_id between ${from} and ${from + 30}`.execute(tx)
        break
      case 3:
        await sql`delete from medium_articles a where article_id between ${from} and ${from + 12}
          and not exists (select from medium_article_removals r where r.article_id = a.article_id)`.execute(tx)
        break
      default:
        await sql`insert into medium_article_removals (article_id, publisher_id, reason, removed_by, removed_at, undo_until)
          select article_id, publisher_id, '誤配信', ${uid}, now(), now() + interval '1 day' from medium_articles a
          where article_id between ${from} and ${from + 3} and not exists (
            select from medium_article_removals r where r.article_id = a.article_id and r.restored_at is null)`.execute(
          tx,
        )
        await sql`update medium_article_removals set restored_at = removed_at, restored_by = ${uid}
          where article_id between ${from} and ${from + 1} and restored_at is null`.execute(tx)
    }
    if (random.chance(1 / 6)) throw new Error('thinks better of it')
  }
  await db.database.inScope(SYSTEM, work).catch((error: Error) => {
    if (error.message !== 'thinks better of it') throw error
  })
}

const fold = () => db.database.inScope(SYSTEM, tx => sql`select app.merge_medium_article_counts()`.execute(tx))

test(`${WRITERS} writers and two foldings at a time: the kept counts are the counted ones at every moment`, async () => {
  const scopes: Scope[] = [
    SYSTEM,
    ...organizationIds.map(
      (organizationId): Scope => ({
        kind: 'organization',
        uid: '00000000-0000-4000-8000-000000000001',
        organizationId,
      }),
    ),
    { kind: 'agreements', uid, organizationId: organizationIds[0]! },
  ]
  const editor = scopes.at(-1)!
  let isOver = false
  let looks = 0
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const random = randomFrom(SEED + writer)
    // And as long as it takes until they were looked at often enough.
    for (let step = 0; step < STEPS || (looks <= LOOKS && !isOver); step += 1) await write(writer, step, random)
  })
  const folders = Array.from({ length: 2 }, async () => {
    while (!isOver) await fold()
  })
  const reader = (async () => {
    for (; !isOver; looks += 1) expect(await difference(scopes[looks % scopes.length]!)).toEqual([])
  })().finally(() => {
    isOver = true
  })
  await Promise.all(writers).finally(() => {
    isOver = true
  })
  await Promise.all(folders)
  await reader
  expect(looks).toBeGreaterThan(LOOKS)
  for (const scope of scopes) expect(await difference(scope)).toEqual([])
  // The editor's are those of four pairs, not of all media of three publishers.
  const { rows: seen } = await db.database.inScope(editor, tx =>
    sql`select distinct publisher_id::int as publisher, medium_id::int as medium from medium_articles order by 1, 2`.execute(
      tx,
    ),
  )
  expect(seen).toEqual([
    { publisher: 1, medium: 1 },
    { publisher: 1, medium: 2 },
    { publisher: 3, medium: 1 },
    { publisher: 5, medium: 2 },
  ])
  await fold()
  for (const scope of scopes) expect(await difference(scope)).toEqual([])
  const { rows } = await withClient(db.adminUrl, client =>
    client.query('select count(*)::int as rows, sum(articles)::int as articles from app.medium_article_counts'),
  )
  expect(rows[0].rows).toBeLessThanOrEqual(PUBLISHERS * MEDIA)
  expect(rows[0].articles).toBeGreaterThan(0)
})

test('nobody but staff folds, and who is no part of an organisation counts nothing', async () => {
  const self: Scope = { kind: 'self', uid: '00000000-0000-4000-8000-000000000001' }
  const { rows } = await db.database.inScope(self, tx =>
    sql<{ folded: bigint; counted: bigint }>`
      select app.merge_medium_article_counts() as folded, app.count_medium_articles(null, null) as counted`.execute(tx),
  )
  expect(rows).toEqual([{ folded: 0n, counted: 0n }])
  await expect(
    db.database.inScope(SYSTEM, tx => sql`select from app.medium_article_counts`.execute(tx)),
  ).rejects.toThrow('permission denied')
})

test('an emptied table has no articles', async () => {
  await withClient(db.adminUrl, client => client.query('truncate medium_articles cascade'))
  expect(await difference(SYSTEM)).toEqual([])
})
