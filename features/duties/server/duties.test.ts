import { isRenewalDue } from '@pc/domain/agreement/contract-renewal.ts'
import { DUTY_KINDS, DUTY_RIGHTS } from '@pc/domain/duty/duty.ts'
import { day } from '@pc/domain/month/day.ts'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import { systemClock, today } from '@pc/platform/clock.ts'
import { codeOf, startStatementFixture } from '@pc/testing/system/statement-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { markPaid, markReturned } from '../../payments/transfers/server/mark-payments.ts'

/**
 * Duties by reader: each number equals the number of rows of the list behind it, and nobody sees the work of others.
 */
const { system, clock, inBooks, ask, closedMonth } = await startStatementFixture()

beforeAll(async () => {
  const { a } = system.rows
  const statements = await closedMonth(81n, 202606, [10_000n, 20_000n, 30_000n])
  const objected = await ask(
    'mutation ($id: ID!, $hash: String!) { objectToStatement(id: $id, hash: $hash, text: "違います") { state } }',
    'insight:publisher_admin',
    { id: statements[0]!.id, hash: statements[0]!.hash },
  )
  expect(objected.json.errors, objected.text).toBeUndefined()
  await inBooks(async tx => {
    const returned = [BigInt(statements[1]!.monthlyPaymentId)]
    const marker = { clock, actorUid: system.rows.users['insight:admin'].uid }
    expect((await markPaid(tx, marker, returned, day('2026-08-05'))).ok).toBe(true)
    expect((await markReturned(tx, marker, returned, '口座なし')).ok).toBe(true)
    await sql`insert into questions (organization_id, asker_uid, asker_email, asker_scope, kind, from_day, to_day, figure,
        subject, unit, state, state_changed_at, asked_at, last_message_at)
      select ${a.organizationId}::bigint, uid, email, 'organization', 'report', '2026-06-01', '2026-06-30', 'revenue', '数値',
        'yen', state, now(), now(), now()
      from users, unnest(array['open', 'open', 'answered', 'resolved']) state
      where uid = ${system.rows.users['insight:publisher_admin'].uid}::uuid`.execute(tx)
    await sql`delete from agreement_bank_accounts where agreement_id = ${a.agreementIds[1]!}`.execute(tx)
    await sql`update agreements set contract_end_month = to_char(now() at time zone 'Asia/Tokyo', 'YYYYMM')::int,
      renewal_notice_days = 60 where id in (${a.agreementIds[0]!}, ${a.agreementIds[2]!})`.execute(tx)
    await sql`with batch as (
        insert into transfer_batches (kind, transfer_on, due_on, created_at) values ('by_hand', '2026-08-20', '2026-08-20', now())
        returning id),
      sent as (
        insert into transfers (batch_id, organization_id, bank_account_id, due_on, partner_name, fee_paid_by, payee_kind,
          payment_yen, payment_including_tax_yen, withholding_yen, fee_yen, fee_borne_by_payee_yen, transfer_amount_yen,
          bank_code, bank_name, bank_kana, branch_code, branch_name, branch_kana, account_type, account_number, holder, state,
          updated_at)
        select batch.id, ${a.organizationId}::bigint, (select min(id) from bank_accounts), '2026-08-20', '支払先', 'product',
          'company', p.payment_yen, p.payment_including_tax_yen, 0, 0, 0, p.payment_including_tax_yen, '0001', '銀行', 'ｷﾞﾝｺｳ', '001', '本店', 'ﾎﾝﾃﾝ', 'ordinary', '1234567', 'ｼﾊﾗｲ',
          'planned', now() from batch, monthly_payments p where p.id = ${statements[2]!.monthlyPaymentId}::bigint
        returning id, payment_yen, payment_including_tax_yen),
      part as (
        insert into transfer_payments (transfer_id, monthly_payment_id, payment_yen, payment_including_tax_yen, withholding_yen,
          fee_borne_by_payee_yen, transfer_amount_yen)
        select id, ${statements[2]!.monthlyPaymentId}::bigint, payment_yen, payment_including_tax_yen, 0, 0,
          payment_including_tax_yen from sent)
      insert into transfer_recalls (transfer_id, reason, requested_at, requested_by_uid)
      select id, '口座名義の誤り', now(), ${system.rows.users['insight:editor'].uid}::uuid from sent`.execute(tx)
    await sql`update transfers set state = 'exported' where due_on = '2026-08-20'`.execute(tx)
    await sql`insert into feed_health (feed_id, state, next_check_at) values (${a.feedIds[0]!}, 'outage', now())
      on conflict (feed_id) do update set state = 'outage'`.execute(tx)
  })
})
afterAll(() => system.close())

async function duties(as: string): Promise<Record<string, number>> {
  const answer = await ask('{ duties { kind count } }', as)
  expect(answer.json.errors, answer.text).toBeUndefined()
  const found = (answer.json.data as { duties: { kind: string; count: number }[] }).duties
  return Object.fromEntries(found.map(({ kind, count }) => [kind, count]))
}

/** The lists as the screens query them with the condition of the link. */
const LISTS = `{
  board: monthCloseBoard(month: "2026-07") { state }
  recalls: transferBatches(limit: 100, offset: 0, hasRecallToDecide: true) {
    nodes { recallRequestCount recalledPaymentRequestCount }
  }
  payableDays { paymentCount returnedPaymentCount }
  statements(limit: 100, offset: 0, param: { states: [objected] }) { total nodes { id } }
  questions(limit: 100, offset: 0, param: { states: [open], isObjection: false }) { total nodes { id } }
  accounts: bankAccounts(limit: 100, offset: 0, param: { state: requested }) { total nodes { id } }
  without: agreements(limit: 100, offset: 0, param: { isTerminated: false, isPaymentDisabled: false, need: account }) { total nodes { id } }
  renewals: agreements(limit: 100, offset: 0, param: { isTerminated: false, need: renewal }) { total nodes { id } }
  feeds(limit: 100, offset: 0, param: { enabled: true, state: outage }) { total nodes { id } }
}`
interface List {
  readonly total: number
  readonly nodes: readonly { readonly id: string }[]
}

test('each number is that of the list behind it', async () => {
  const answer = await ask(LISTS, 'insight:admin')
  expect(answer.json.errors, answer.text).toBeUndefined()
  const { board, payableDays, recalls, ...lists } = answer.json.data as {
    readonly board: readonly { readonly state: string }[]
    readonly recalls: {
      readonly nodes: readonly { readonly recallRequestCount: number; readonly recalledPaymentRequestCount: number }[]
    }
    readonly payableDays: readonly { readonly paymentCount: number; readonly returnedPaymentCount: number }[]
  } & Record<'statements' | 'questions' | 'accounts' | 'without' | 'renewals' | 'feeds', List>
  for (const list of Object.values(lists)) expect(list.nodes).toHaveLength(list.total)
  const sum = (of: (day: (typeof payableDays)[number]) => number) => payableDays.reduce((all, day) => all + of(day), 0)
  const found = await duties('insight:admin')
  expect(found).toEqual({
    months_to_close: board.filter(row => row.state !== 'finalized' && row.state !== 'paid').length,
    recalls_requested: recalls.nodes.reduce(
      (all, row) => all + row.recallRequestCount + row.recalledPaymentRequestCount,
      0,
    ),
    transfers_returned: sum(day => day.returnedPaymentCount),
    payments_to_send: sum(day => day.paymentCount),
    statements_objected: lists.statements.total,
    questions_open: lists.questions.total,
    accounts_requested: lists.accounts.total,
    agreements_without_account: lists.without.total,
    agreements_to_renew: lists.renewals.total,
    feeds_down: lists.feeds.total,
  })
  expect(Object.keys(found)).toEqual(DUTY_KINDS.filter(kind => DUTY_RIGHTS[kind].all))
  // An objection has a thread too, but counts once, as an objection.
  expect(found).toMatchObject({
    recalls_requested: 1,
    transfers_returned: 1,
    payments_to_send: 2,
    statements_objected: 1,
    questions_open: 2,
  })
  expect(found).toMatchObject({ agreements_to_renew: 1, feeds_down: 1 })
})

test('only what the role does something about: nothing for readers, no question without the start page', async () => {
  expect(Object.keys(await duties('insight:editor'))).toEqual([
    'statements_objected',
    'questions_open',
    'agreements_without_account',
    'agreements_to_renew',
    'feeds_down',
  ])
  expect(await duties('insight:viewer')).toEqual({})
  expect(codeOf(await ask('{ duties { kind } }', 'nobody'))).toBe('FORBIDDEN')
})

test('the people of a publisher see what is theirs, as many as their own lists have', async () => {
  const answer = await ask(
    `{
      statements(limit: 100, offset: 0, param: { states: [issued] }) { total }
      questions(limit: 100, offset: 0, param: { states: [answered] }) { total }
      without: agreements(limit: 100, offset: 0, param: { isTerminated: false, isPaymentDisabled: false, need: account }) { total }
      feeds(limit: 100, offset: 0, param: { enabled: true, state: outage }) { total }
    }`,
    'insight:publisher_admin',
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  const lists = answer.json.data as Record<'statements' | 'questions' | 'without' | 'feeds', { readonly total: number }>
  const found = await duties('insight:publisher_admin')
  expect(found).toEqual({
    statements_to_confirm: lists.statements.total,
    questions_answered: lists.questions.total,
    agreements_without_account: lists.without.total,
    feeds_down: lists.feeds.total,
  })
  expect(found).toMatchObject({ statements_to_confirm: 2, questions_answered: 1, feeds_down: 1 })
  const without = await inBooks(
    async tx =>
      (
        await sql<{ count: bigint }>`select count(*) from agreements a
        where organization_id = ${system.rows.a.organizationId}::bigint and terminated_at is null and not is_payment_disabled
          and not exists (select from agreement_bank_accounts where agreement_id = a.id)`.execute(tx)
      ).rows[0],
  )
  expect(found.agreements_without_account).toBe(Number(without?.count))
  // A person assigned to some agreements neither confirms statements nor registers accounts.
  expect(Object.keys(await duties('insight:publisher_editor'))).toEqual(['feeds_down'])
  // Nothing of another organisation is counted, and a person without the right to accounts does not learn who has none.
  const others = await duties('ofB')
  expect(Object.keys(others).filter(kind => kind !== 'agreements_without_account')).toEqual([])
  const hidden = await ask(
    '{ agreements(limit: 10, offset: 0, param: { need: account }) { total } }',
    'insight:publisher_editor',
  )
  expect((hidden.json.data as { agreements: { total: number } }).agreements.total).toBe(0)
})

test('the filter of agreements finds what the rule of renewals says, day by day; for staff alone', async () => {
  const on = today(systemClock)
  const rows = await inBooks(
    async tx =>
      (
        await sql<{ id: bigint; month: number | null; days: number | null }>`with made as (
          insert into agreements (medium_id, organization_id, name, code, contract_end_month, renewal_notice_days, terminated_at)
          select 1, ${system.rows.a.organizationId}::bigint, '更新 ' || n || '/' || d, 'REN-' || n || '-' || d,
            to_char(now() at time zone 'Asia/Tokyo' + n * interval '1 month', 'YYYYMM')::int, d,
            case when d = 29 then now() + interval '40 days' end
          from generate_series(-2, 13) n, unnest(array[1, 29, 30, 31, 60, 365]) d returning *)
        select id, contract_end_month as month, renewal_notice_days as days from made`.execute(tx)
      ).rows,
  )
  // A scheduled termination is a decision already.
  const expected = rows
    .filter(row => row.days !== 29 && isRenewalDue(row.month as YearMonth, row.days!, on))
    .map(row => String(row.id))
  const answer = await ask(
    '{ agreements(limit: 1000, offset: 0, q: "REN-", param: { need: renewal }) { total nodes { id } } }',
    'insight:editor',
  )
  const list = (answer.json.data as { agreements: List }).agreements
  expect(list.nodes.map(node => node.id).toSorted()).toEqual(expected.toSorted())
  expect(list.total).toBe(expected.length)
  const own = await ask(
    '{ agreements(limit: 10, offset: 0, param: { need: renewal }) { total } }',
    'insight:publisher_admin',
  )
  expect((own.json.data as { agreements: { total: number } }).agreements.total).toBe(0)
})

test('an objection is a question again once it has its conclusion, and somebody writes after that', async () => {
  const count = async (isObjection: boolean) => {
    const answer = await ask(
      'query ($is: Boolean) { questions(limit: 100, offset: 0, param: { states: [open], isObjection: $is }) { total } }',
      'insight:admin',
      { is: isObjection },
    )
    return (answer.json.data as { questions: { total: number } }).questions.total
  }
  expect([await count(false), await count(true)]).toEqual([2, 1])
  const { rows } = await inBooks(tx =>
    sql<{ id: bigint }>`select id from statements where state = 'objected'`.execute(tx),
  )
  const resolved = await ask(
    'mutation ($id: ID!) { resolveStatement(id: $id, resolution: upheld, text: "記載のとおりです") { state } }',
    'insight:admin',
    { id: String(rows[0]?.id) },
  )
  expect(resolved.json.errors, resolved.text).toBeUndefined()
  expect([await count(false), await count(true)]).toEqual([2, 0])
  await inBooks(tx => sql`update questions set state = 'open' where statement_id = ${rows[0]?.id}`.execute(tx))
  expect([await count(false), await count(true)]).toEqual([3, 0])
  expect(await duties('insight:admin')).toMatchObject({ questions_open: 3, payments_to_send: 2 })
})
