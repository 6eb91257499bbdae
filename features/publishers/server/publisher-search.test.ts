import { decide } from '@pc/domain/access/decide.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPublishers } from './publisher-store.ts'

const UID = '01900000-0000-7000-8000-000000000001'
const COUNT = 20_000
let own: TestDatabase

const viewer = { uid: UID, email: 'a@example.jp', roles: ['insight:viewer'] as const, organizationId: null }
const staff = decide({ ...viewer, scope: { kind: 'all' } }, 'read:list', 'insight:publisher.')
const ofOrganization = decide(
  {
    ...viewer,
    roles: ['insight:publisher_admin'],
    organizationId: 1n,
    scope: { kind: 'organization', uid: UID, organizationId: 1n },
  },
  'read:list',
  'insight:publisher.',
)

/** Names as publishers have them: a place, a word, a kind, a number; one in a thousand is special. */
const NAMES = `
  insert into publishers (organization_id, name, kana)
  select 1 + n % 500,
    (array['東京','大阪','札幌','福岡','名古屋','仙台','広島','沖縄','京都','神戸','新潟','静岡'])[1 + n % 12]
    || (array['経済','スポーツ','芸能','グルメ','テック','暮らし','旅行','音楽','映画','ゲーム'])[1 + (n / 12) % 10]
    || (array['新聞','ニュース','通信','タイムズ','ジャーナル','オンライン','放送','プレス'])[1 + (n / 120) % 8]
    || (n / 960) || case when n % 1000 = 7 then 'アオゾラ' else '' end,
    case when n % 1000 = 9 then 'ﾕｳﾔｹ' else '' end
  from generate_series(0, ${COUNT - 1}) n`

beforeAll(async () => {
  own = await testDatabase()
  await withClient(own.adminUrl, async client => {
    await client.query("insert into organizations (name) select '組織' || n from generate_series(1, 500) n")
    await client.query(NAMES)
    await client.query('analyze')
  })
}, 180_000)
afterAll(() => own?.drop())

async function search(q: string, permit = staff, page = { limit: 100, offset: 0 }) {
  if (!permit) throw new Error('no permit')
  return listPublishers(own.database, { words: searchWords(q) }, 'NAME_ASC', page, permit)
}

test('finds names and kana in every writing, by all words', async () => {
  for (const q of ['あおぞら', 'アオゾラ', 'ｱｵｿﾞﾗ', 'アオ・ゾラ', 'ァォゾラ'])
    expect((await search(q)).total, q).toBe(COUNT / 1000)
  expect((await search('ゆうやけ')).total).toBe(COUNT / 1000)
  const found = await search('東京　経済 新聞')
  expect(found.nodes.length).toBeGreaterThan(0)
  expect(found.nodes.every(row => row.name.startsWith('東京経済新聞'))).toBe(true)
  expect((await search('ソゾラアオ')).total).toBe(0)
})

test('few or many hits, every page: the same rows as without any index, and their number', async () => {
  const { rows } = await own.database.inScope(SYSTEM, tx =>
    sql<{ id: bigint; name: string; text: string }>`select id, name, search_text as text from publishers
      order by name, id`.execute(tx),
  )
  // One character; a few; more than the index names; exactly as many as it names, and one more.
  for (const q of [
    '京',
    'アオゾラ',
    '東京',
    '新聞',
    'オンライン 大阪',
    'ュ',
    '聞1',
    '新 聞',
    'ソゾラア',
    '0',
    '東京経済新聞1',
  ]) {
    const words = searchWords(q)
    const expected = rows.filter(row => words.every(word => row.text.includes(word))).map(row => row.id)
    for (const offset of [0, 100, Math.max(0, expected.length - 1), expected.length, expected.length + 5]) {
      const { total, nodes } = await search(q, staff, { limit: 100, offset })
      expect(total, `${q} ${offset}`).toBe(expected.length)
      expect(
        nodes.map(node => node.id),
        `${q} ${offset}`,
      ).toEqual(expected.slice(offset, offset + 100))
    }
  }
})

test('takes every character literally', async () => {
  for (const q of ['%', '_', '\\', "'; drop table publishers; --"]) {
    const { total } = await search(q)
    expect(total === 0 || total === COUNT, q).toBe(true)
  }
})

test('stays within the scope', async () => {
  const all = await search('東京', ofOrganization)
  expect(all.nodes.every(row => row.organizationId === 1n)).toBe(true)
  expect(all.total).toBeLessThanOrEqual(COUNT / 500)
  for (const scope of [
    { kind: 'self', uid: UID },
    { kind: 'organization', uid: UID, organizationId: 1n },
    { kind: 'agreements', uid: UID, organizationId: 1n },
  ] as const) {
    const leak = await own.database.inScope(scope, tx =>
      sql`select ids, total from app.find_rows('publisher', array['アオゾラ'], '{}')`.execute(tx),
    )
    expect(leak.rows, scope.kind).toEqual([{ ids: null, total: null }])
  }
  const direct = own.database.inScope(SYSTEM, tx => sql`select from app.publisher_pieces`.execute(tx))
  await expect(direct).rejects.toThrow('permission denied')
})

test('follows the names', async () => {
  const { id } = await own.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('publishers')
      .values({ organizationId: 1n, name: '唯一無二', kana: '' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  expect((await search('唯一無二')).total).toBe(1)
  await own.database.inScope(SYSTEM, tx =>
    tx.updateTable('publishers').set({ name: '改名後' }).where('id', '=', id).execute(),
  )
  expect((await search('唯一無二')).total).toBe(0)
  expect((await search('改名')).total).toBe(1)
})
