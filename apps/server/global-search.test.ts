import { codeOf, type IssuedStatement, startStatementFixture } from '@pc/testing/system/statement-fixture.ts'
import { CANARY_B } from '@pc/testing/system/two-organizations.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Organisations, users and statements as the palette asks for them: what is found, by whom, and what nobody may find. */
const { system, inBooks, ask, list, closedMonth } = await startStatementFixture()
let own: readonly IssuedStatement[]
let foreign: readonly IssuedStatement[]
const YEAR_MONTH = 202606

beforeAll(async () => {
  const { a, b } = system.rows
  await inBooks(tx =>
    sql`update organizations set name = '株式会社あおい出版', kana = 'アオイシユツパン' where id = ${a.organizationId}`.execute(
      tx,
    ),
  )
  own = await closedMonth(71n, YEAR_MONTH, [10_000n, 20_000n])
  foreign = await closedMonth(72n, YEAR_MONTH, [30_000n], b)
})
afterAll(() => system.close())

async function found(q: string, as = 'insight:editor', limit = 20): Promise<string[]> {
  const answer = await ask('query ($q: String!, $limit: Int!) { searchStatements(q: $q, limit: $limit) { id } }', as, {
    q,
    limit,
  })
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { searchStatements: { id: string }[] }).searchStatements.map(row => row.id).toSorted()
}
const ids = (statements: readonly IssuedStatement[]) => statements.map(each => each.id).toSorted()

test('by number, by its beginning and by its second part; by the month as people write it; half and full width', async () => {
  const { id, number } = own[0]!
  const second = number.split('-')[1]!
  const wide = number.replace(/[0-9]/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
  for (const q of [number, number.slice(0, -1), wide, second, second.replace(/^0+/, ''), `2026年6月 ${second}`])
    expect(await found(q), q).toContain(id)
  const all = [...ids(own), ...ids(foreign)].toSorted()
  for (const q of ['2026年6月', '２０２６年６月分', '令和8年6月', '2026/6', '202606'])
    expect(await found(q), q).toEqual(all)
  expect(await found('2026年7月')).toEqual([])
  expect(await found('')).toEqual([])
})

test('by payee and month together, by the reading, in every kind of kana, and by a name that the payee has no more', async () => {
  const payee = (await list('insight:editor', { ids: [own[0]!.id] })).nodes[0]
  expect(payee).toBeDefined()
  for (const q of ['2026年6月 あおい', 'ｱｵｲ 2026年6月', 'あおい出版', 'アオイシュッパン', '2026年6月あおい'])
    expect(await found(q), q).toEqual(ids(own))
  expect(await found('2026年5月 あおい')).toEqual([])
  expect(await found('あおい かもめ')).toEqual([])
  await inBooks(tx =>
    sql`update organizations set name = '株式会社みどり', kana = '' where id = ${system.rows.a.organizationId}`.execute(
      tx,
    ),
  )
  const [named] = await inBooks(
    async tx =>
      (await sql<{ payeeName: string }>`select payee_name from statements where id = ${BigInt(own[0]!.id)}`.execute(tx))
        .rows,
  )
  expect(await found(named!.payeeName)).toContain(own[0]!.id)
  await inBooks(tx =>
    sql`update organizations set name = '株式会社あおい出版', kana = 'アオイシユツパン' where id = ${system.rows.a.organizationId}`.execute(
      tx,
    ),
  )
})

test('the archive finds what the palette finds', async () => {
  for (const q of ['2026年6月 あおい', own[1]!.number, '202606', 'どこにもない'])
    expect((await list('insight:editor', {}, q)).nodes.map(node => node.id).toSorted(), q).toEqual(await found(q))
})

test('nothing of another organisation for a publisher’s people, nothing at all without the right', async () => {
  expect(await found('2026年6月', 'insight:publisher_admin')).toEqual(ids(own))
  expect(await found('2026年6月', 'ofB')).toEqual(ids(foreign))
  for (const q of [foreign[0]!.number, CANARY_B, `2026年6月 ${CANARY_B}`, '999999-999999'])
    expect(await found(q, 'insight:publisher_admin'), q).toEqual([])
  for (const role of ['insight:publisher_editor', 'nobody'])
    expect(codeOf(await ask('{ searchStatements(q: "2026", limit: 5) { id } }', role)), role).toBe('FORBIDDEN')
  expect(codeOf(await ask('{ searchStatements(q: "2026", limit: 0) { id } }', 'insight:editor'))).toBe('BAD_REQUEST')
})

test('no more than the limit, the latest first, and no document that was replaced', async () => {
  expect(await found('202606', 'insight:editor', 1)).toHaveLength(1)
  const revised = await ask(
    'mutation ($id: ID!) { reviseStatement(id: $id, reason: "支払元の住所の訂正") { id number } }',
    'insight:admin',
    { id: own[1]!.id },
  )
  const { id, number } = (revised.json.data as { reviseStatement: { id: string; number: string } }).reviseStatement
  expect(await found(number)).toEqual([id])
  own = [own[0]!, { ...own[1]!, id }]
})

test('organisations: those first that begin with it; a publisher’s people find their own alone', async () => {
  await inBooks(tx =>
    sql`insert into organizations (name, kana) values ('かえで社', ''), ('株式会社かえで', ''), ('あさかえで', '')`.execute(
      tx,
    ),
  )
  const names = async (q: string, as: string) => {
    const answer = await ask(
      'query ($q: String) { organizations(limit: 5, offset: 0, q: $q) { nodes { name } } }',
      as,
      { q },
    )
    return (answer.json.data as { organizations: { nodes: { name: string }[] } }).organizations.nodes.map(
      row => row.name,
    )
  }
  expect(await names('カエデ', 'insight:editor')).toEqual(['かえで社', '株式会社かえで', 'あさかえで'])
  for (const q of ['かえで', CANARY_B]) expect(await names(q, 'insight:publisher_admin'), q).toEqual([])
})

test('users: only those of the own organisation, and for nobody without the screen', async () => {
  const emails = async (q: string, role: 'insight:admin' | 'insight:publisher_admin' | 'insight:editor') => {
    const token = await system.tokenOf(system.rows.users[role].email)
    return system.ask('iam', 'query ($q: String!) { users(limit: 5, offset: 0, q: $q) { nodes { email } } }', token, {
      q,
    })
  }
  expect((await emails('ｃａｎａｒｙ', 'insight:admin')).text).toContain(system.rows.users.ofB.email)
  const own = await emails('canary', 'insight:publisher_admin')
  const missing = await emails('nobody-of-this-name', 'insight:publisher_admin')
  expect(own.text).toBe(missing.text)
  expect(codeOf(await emails('canary', 'insight:editor'))).toBe('FORBIDDEN')
})
