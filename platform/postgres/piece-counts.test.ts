import { sampleOr } from '@pc/testing/sample-size.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SYSTEM, type Transaction } from './database.ts'
import { withClient } from './roles.ts'

/**
 * The totals of searches come from counts that writers keep. Here several writers change names, states and owners at the
 * same time, take part of it back, and the counts are added up in between. Every reader,
 * inside of a transaction or outside, before or after, gets what counting the rows of the table gives in the same snapshot.
 */
let own: TestDatabase
const ROWS = 6_000

beforeAll(async () => {
  own = await testDatabase({ maxConnections: 8 })
  await withClient(own.adminUrl, async client => {
    // The narrow copy of agreements is made with the names of their organisations, as far as the writer sees them.
    await client.query("set app.scope = 'all'")
    await client.query("insert into media values (1, 'アプリ'), (2, 'ライト')")
    await client.query("insert into organizations (name) select '組織' || n from generate_series(1, 20) n")
    await client.query(`insert into publishers (organization_id, name, enabled)
      select 1 + n % 20, 'アカ' || (array['アオゾラ','ミドリ','キ'])[1 + n % 3] || n, n % 7 > 0 from generate_series(1, ${ROWS}) n`)
    await client.query(`insert into agreements (medium_id, organization_id, name, code)
      select 1 + n % 2, 1 + n % 20, 'アカ契約' || n, 'C' || n from generate_series(1, ${ROWS}) n`)
    await client.query(`insert into feeds (publisher_id, medium_id, name, url, type, enabled)
      select id, 1 + id % 2, name || 'フィード', 'https://a.example/' || id, 'rss_fulltext', id % 5 > 0 from publishers`)
  })
})
afterAll(() => own?.drop())

/** A list, its own condition for every filter that its narrow copy knows, and its texts as the list compares them. */
const LISTS = {
  publisher: {
    from: sql`publishers t`,
    text: sql`t.search_text`,
    live: sql`t.enabled`,
    owner: { filter: 'organization_id', column: sql`t.organization_id` },
  },
  agreement: {
    from: sql`agreements t join organizations o on o.id = t.organization_id`,
    text: sql`t.search_text || ' ' || o.search_text`,
    live: sql`(t.terminated_at is null)`,
    owner: { filter: 'medium_id', column: sql`t.medium_id` },
  },
  feed: {
    from: sql`feeds t`,
    text: sql`t.search_text`,
    live: sql`t.enabled`,
    owner: { filter: 'medium_id', column: sql`t.medium_id` },
  },
} as const
type Kind = keyof typeof LISTS
const KINDS = ['publisher', 'agreement', 'feed'] as const

interface Requested {
  readonly kind: Kind
  readonly words: readonly string[]
  readonly live: boolean | undefined
  readonly owner: bigint | undefined
}

async function expectExact(tx: Transaction, { kind, words, live, owner }: Requested): Promise<void> {
  const list = LISTS[kind]
  const filters = {
    ...(live === undefined ? {} : { is_live: String(live) }),
    ...(owner === undefined ? {} : { [list.owner.filter]: owner.toString() }),
  }
  const conditions = [
    ...words.map(word => sql`strpos(${list.text}, ${word}) > 0`),
    ...(live === undefined ? [] : [sql`${list.live} = ${live}`]),
    ...(owner === undefined ? [] : [sql`${list.owner.column} = ${owner}`]),
  ]
  const { rows } = await sql<{ total: bigint; ids: bigint[] | null; counted: bigint; named: bigint[] }>`
    select f.total, (select array_agg(i order by i) from unnest(f.ids) i) as ids, n.counted, n.named
    from app.find_rows(${kind}, ${[...words]}::text[], ${JSON.stringify(filters)}::jsonb) f, (
      select count(*) as counted, array_agg(t.id order by t.id) as named from ${list.from}
      where ${sql.join(conditions, sql` and `)}) n`.execute(tx)
  const [found] = rows
  const text = `${kind} ${words.join(' ')} ${JSON.stringify(filters)}`
  expect(found?.total, text).toBe(found?.counted)
  // Null of array_agg: there is none.
  if (found && found.counted <= 2_000n) expect(found.ids, text).toEqual(found.named)
}

const WORDS = [
  'ア',
  'アカ',
  'カア',
  'アオゾラ',
  'ゾラ',
  'キ',
  'ミドリ',
  '契約',
  'フィ',
  'フイード',
  '7',
  '12',
  '無',
  'アカキ1',
  '組織3',
  '3',
]
const requested = fc.record({
  kind: fc.constantFrom(...KINDS),
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }),
  live: fc.option(fc.boolean(), { nil: undefined }),
  owner: fc.option(fc.constantFrom(1n, 2n), { nil: undefined }),
})
const NAMES = ['アカアオゾラ', 'キ', 'ミドリ 無', 'アカ契約', 'アアア', 'a/b']
const step = fc.record({
  act: fc.constantFrom(
    ...(['rename', 'switch', 'move', 'add', 'remove', 'many', 'renameOwner', 'merge', 'ask'] as const),
  ),
  kind: fc.constantFrom(...KINDS),
  row: fc.integer({ min: 1, max: ROWS }),
  name: fc.constantFrom(...NAMES),
  requested,
})
const work = fc.record({ isKept: fc.boolean(), steps: fc.array(step, { minLength: 1, maxLength: 5 }) })

const TABLES = { publisher: sql`publishers`, agreement: sql`agreements`, feed: sql`feeds` } as const
let added = 0

async function take(
  tx: Transaction,
  { act, kind, row, name, requested: question }: typeof step extends fc.Arbitrary<infer S> ? S : never,
  writer: number,
) {
  const table = TABLES[kind]
  // Writers that wait for each other's rows are not what is tried here: each has its own.
  const id = BigInt(row - (row % 4) + writer)
  const live =
    kind === 'agreement'
      ? sql`terminated_at = case when terminated_at is null then now() end`
      : sql`enabled = not enabled`
  if (act === 'rename') await sql`update ${table} set name = ${name} where id = ${id}`.execute(tx)
  if (act === 'switch') await sql`update ${table} set ${live} where id = ${id}`.execute(tx)
  // Publishers and agreements stay where they are.
  if (act === 'move' && kind === 'feed')
    await sql`update feeds set medium_id = 3 - medium_id where id = ${id}`.execute(tx)
  if (act === 'many')
    await sql`update ${table} set name = name || ${name} where id % 4 = ${writer} and id < ${row}`.execute(tx)
  if (act === 'renameOwner') await sql`update organizations set name = ${name} where id = ${writer + 1}`.execute(tx)
  if (act === 'merge') await sql`select app.merge_piece_counts()`.execute(tx)
  if (act === 'add') {
    added += 1
    // Its own: other writers add while this one waits.
    const number = added
    await sql`insert into publishers (organization_id, name) values (${writer + 1}, ${name})`.execute(tx)
    await sql`insert into feeds (publisher_id, medium_id, name, url, type) values (1, 1, ${name}, ${`https://b.example/${number}`}, 'snf2')`.execute(
      tx,
    )
    await sql`insert into agreements (medium_id, organization_id, name, code) values (1, ${writer + 1}, ${name}, ${`N${number}`})`.execute(
      tx,
    )
  }
  if (act === 'remove' && id > 100n) {
    if (kind === 'agreement') await sql`delete from agreements where id = ${id}`.execute(tx)
    else {
      await sql`delete from feeds where ${kind === 'feed' ? sql`id` : sql`publisher_id`} = ${id}`.execute(tx)
      if (kind === 'publisher') await sql`delete from publishers where id = ${id}`.execute(tx)
    }
  }
  await expectExact(tx, question)
}

test('every search of staff has the number of rows that its snapshot has, whatever is written at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(work, work, work, work),
      fc.array(requested, { minLength: 6, maxLength: 6 }),
      async (works, questions) => {
        const writers = works.map(({ isKept, steps }, writer) =>
          own.database
            .inScope(SYSTEM, async tx => {
              for (const one of steps) await take(tx, one, writer)
              if (!isKept) throw new Taken()
            })
            .catch((error: unknown) => {
              if (!(error instanceof Taken)) throw error
            }),
        )
        const readers = questions.map(question => own.database.inScope(SYSTEM, tx => expectExact(tx, question)))
        await Promise.all([...writers, ...readers])
        for (const question of questions) await own.database.inScope(SYSTEM, tx => expectExact(tx, question))
      },
    ),
    { numRuns: sampleOr(6, 15), endOnFailure: true },
  )
  for (const kind of KINDS)
    for (const word of WORDS)
      for (const live of [true, false, undefined])
        await own.database.inScope(SYSTEM, tx => expectExact(tx, { kind, words: [word], live, owner: undefined }))
})

class Taken extends Error {}

test('adding up leaves one row for each piece, and the same answers', async () => {
  const sums = () =>
    withClient(own.adminUrl, async client => {
      const { rows } = await client.query(
        `select kind, piece, is_live, sum(row_count)::text as n, count(*)::int as parts from app.piece_counts
         group by 1, 2, 3 having sum(row_count) <> 0 order by 1, 2, 3`,
      )
      return rows as { n: string; parts: number }[]
    })
  const before = await sums()
  await own.database.inScope(SYSTEM, tx => sql`select app.merge_piece_counts()`.execute(tx))
  const after = await sums()
  expect(after.map(row => ({ ...row, parts: 0 }))).toEqual(before.map(row => ({ ...row, parts: 0 })))
  expect(after.every(row => row.parts === 1)).toBe(true)
})

test('a table that was emptied has no counts', async () => {
  await withClient(own.adminUrl, async client => {
    await client.query('truncate app.feed_pieces')
    const { rows } = await client.query("select from app.piece_counts where kind = 'feed'")
    expect(rows).toEqual([])
  })
})
