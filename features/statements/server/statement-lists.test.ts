import type { StatementState } from '@pc/domain/payment/payment-states.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  listStatements,
  STATEMENT_ORDERS,
  type StatementFilter,
  type StatementPermit,
  searchStatements,
} from './statement-store.ts'

/**
 * The archive with more agreements than a search names by their ids. What it answers is what reading every text of every
 * statement answers, and a page costs a page: the numbers come from counts that are kept, not from the statements.
 */
let own: TestDatabase
const ORGANIZATIONS = 2_600
const MONTHS = [202_604, 202_605, 202_606]
const staff = { scope: SYSTEM } as StatementPermit
const CURRENT: readonly StatementState[] = ['issued', 'confirmed', 'objected', 'resolved']

beforeAll(async () => {
  own = await testDatabase({ maxConnections: 1 })
  await withClient(own.adminUrl, async client => {
    await client.query("set app.scope = 'all'")
    await client.query("insert into media values (1, 'アプリ'), (2, 'ライト')")
    await client.query(`insert into organizations (name) select case when n % 50 = 0 then 'キタ' when n % 2 = 0 then 'アオ社' else 'アカ社' end || n
      from generate_series(1, ${ORGANIZATIONS}) n order by n`)
    await client.query(`insert into agreements (medium_id, organization_id, name, code)
      select 1 + id % 2, id, '契約' || name, 'C' || id from organizations order by id`)
    // Only what a close leaves passes the wall around statements, which is not what is asked here.
    await client.query('alter table statements disable trigger statements_keep')
    await client.query('alter table statements disable trigger statements_webhooks')
    await client.query(`alter table statements drop constraint statements_monthly_payment_id_fkey`)
    await client.query(`insert into statements (monthly_payment_id, medium_id, agreement_id, organization_id, month, number,
        template_version, content, hash, issued_on, issued_at, deemed_on, due_on, payee_name, total_without_tax_yen, total_yen,
        transfer_amount_yen, state, state_changed_at)
      select a.id * 1000000 + month, a.medium_id, a.id, a.organization_id, month, month || '-' || lpad(a.id::text, 6, '0'), 2,
        '{}', repeat('0', 64), make_date(2026, month % 100 + 1, 1 + (a.id % 20)::int), now(), '2026-12-01', '2026-12-20',
        case when a.id % 100 = 1 then 'ムカシ' || a.id else o.name end, 100 + a.id, 110 + a.id, 100,
        (array['issued', 'confirmed', 'objected'])[1 + a.id % 3], now()
      from agreements a join organizations o on o.id = a.organization_id, unnest(array[${MONTHS}]) month order by month, a.id`)
    await client.query(`update statements set state = 'replaced' where agreement_id % 70 = 0 and month = 202605`)
    await client.query('delete from statements where agreement_id % 90 = 0 and month = 202604')
  })
  await withClient(own.adminUrl, client => client.query('vacuum (analyze)'))
})
afterAll(() => own?.drop())

/** By every text of every statement: of staff, who finds a payee by what it was called on any of its statements. */
const mentions = (
  word: string,
) => sql<boolean>`(exists (select from statements x where x.organization_id = s.organization_id
    and strpos(x.payee_search_text, ${word}) > 0)
  or strpos(a.search_text, ${word}) > 0 or strpos(o.search_text, ${word}) > 0 or starts_with(replace(s.number, '-', ''), ${word})
  or s.agreement_id::text = ltrim(${word}, '0'))`

async function expected(words: readonly string[], filter: Pick<StatementFilter, 'mediumId' | 'monthFrom' | 'states'>) {
  const { rows } = await own.database.inScope(SYSTEM, tx =>
    sql<{ id: bigint; state: StatementState; totalYen: bigint }>`select s.id, s.state, s.total_yen
      from statements s join agreements a on a.id = s.agreement_id join organizations o on o.id = s.organization_id
      where ${sql.join([sql`true`, ...words.map(mentions)], sql` and `)}
        and (${filter.mediumId ?? null}::bigint is null or s.medium_id = ${filter.mediumId ?? null}::bigint)
        and (${filter.monthFrom ?? null}::int is null or s.month >= ${filter.monthFrom ?? null}::int)
        and s.state = any (${`{${(filter.states ?? []).join(',')}}`}::text[])
      order by s.issued_on desc, s.id desc`.execute(tx),
  )
  return rows
}

const FILTERS: readonly StatementFilter[] = [
  { states: CURRENT },
  { states: ['objected'] },
  { states: CURRENT, mediumId: 1n },
  { states: [...CURRENT, 'replaced'], monthFrom: 202_605 as never },
]

test.each([
  [],
  ['ア'],
  ['アオ社'],
  ['アオ社', 'アカ社'],
  ['キタ'],
  ['アカ', 'ムカシ'],
  ['2'],
  ['1'],
  ['202605'],
  ['2026', 'アオ社'],
  ['202605000017'],
  ['17'],
  ['ナイ'],
])('%s: numbers, sums and pages of what was searched for', async (...words: string[]) => {
  for (const filter of FILTERS) {
    const rows = await expected(words, filter)
    const list = await listStatements(
      own.database,
      { ...filter, words },
      'ISSUEDON_DESC',
      { limit: 20, offset: 40 },
      staff,
    )
    // What is counted per state does not obey the states that are chosen.
    const inAnyState = await expected(words, { ...filter, states: [...CURRENT, 'replaced'] })
    const count = (state: StatementState) => inAnyState.filter(row => row.state === state).length
    expect({ total: list.total, sumYen: list.sumYen, ...list.counts }).toEqual({
      total: rows.length,
      sumYen: rows.reduce((sum, row) => sum + row.totalYen, 0n),
      ...{ issued: count('issued'), confirmed: count('confirmed'), objected: count('objected') },
      ...{ resolved: count('resolved'), replaced: count('replaced') },
    })
    expect(list.nodes.map(node => node.id)).toEqual(rows.slice(40, 60).map(row => row.id))
  }
  const found = words.length === 0 ? [] : await expected(words, { states: CURRENT })
  expect((await searchStatements(own.database, words, 5, staff)).map(row => row.id)).toEqual(
    found.slice(0, 5).map(row => row.id),
  )
})

test('counts are added up without a change of their sums, and nobody but staff reads them', async () => {
  const listed = () => listStatements(own.database, { states: CURRENT }, 'ID_ASC', { limit: 1, offset: 0 }, staff)
  const before = await listed()
  await own.database.inScope(SYSTEM, tx => sql`select app.merge_statement_counts()`.execute(tx))
  expect(await listed()).toEqual(before)
  const kept = await withClient(own.adminUrl, client =>
    client.query(
      'select agreement_id, state from app.statement_counts group by 1, 2 having count(*) > 1 or sum(statements) = 0',
    ),
  )
  expect(kept.rows).toEqual([])
  const scope = { kind: 'organization', uid: '00000000-0000-0000-0000-000000000001', organizationId: 7n } as const
  await own.database.inScope(scope, async tx => {
    for (const source of [sql`app.statement_counts`, sql`app.named_agreements('ア')`])
      expect((await sql`select 1 from ${source}`.execute(tx)).rows).toEqual([])
    const [row] = (await sql<{ is: boolean }>`select app.is_named_agreement(7, 'ア') as is`.execute(tx)).rows
    expect(row?.is).toBe(false)
  })
})

test('a page reads no more statements than a page has, in every order and for words that are in most names', async () => {
  const read = async () => {
    const { rows } = await own.database.inScope(SYSTEM, tx =>
      sql<{ read: bigint }>`select pg_stat_force_next_flush(),
        (select t.seq_tup_read + (select sum(i.idx_tup_read)::bigint from pg_stat_user_indexes i where i.relid = t.relid)
          from pg_stat_user_tables t where t.relid = 'statements'::regclass) as read`.execute(tx),
    )
    return rows[0]!.read
  }
  const page = { limit: 20, offset: 0 }
  for (const order of STATEMENT_ORDERS)
    for (const words of [[], ['ア']]) {
      await read()
      const before = await read()
      await listStatements(own.database, { states: CURRENT, words }, order, page, staff)
      await read()
      expect(Number((await read()) - before), `${order} ${words}`).toBeLessThan(4 * page.limit)
    }
})
