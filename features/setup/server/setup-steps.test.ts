import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { SAMPLE_HOLIDAYS_CSV } from '@pc/domain/month/sample-holidays.ts'
import { systemActor } from '@pc/platform/audit/record-change.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { codeOf, startStatementFixture } from '@pc/testing/system/statement-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import type { OrganizationRows, TwoOrganizations } from '@pc/testing/system/two-organizations.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importHolidays } from '../../payments/core/server/import-holidays.ts'

/** The setup guide: every state comes from the data in the reader's scope, and changes when the data do. */
interface Step {
  readonly key: string
  readonly state: string
  readonly nextTask: string | null
  readonly roleLabels: readonly string[]
  readonly waitsFor: readonly string[]
  readonly found: readonly { readonly task: string; readonly count: number; readonly isDone: boolean }[]
}
const QUERY = '{ setupSteps { key state nextTask roleLabels waitsFor found { task count isDone } } }'
const stepsOf = (answer: { readonly text: string; readonly json: { data?: unknown; errors?: unknown } }): Step[] => {
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { setupSteps: Step[] }).setupSteps
}
const statesOf = (steps: readonly Step[]) =>
  Object.fromEntries(steps.map(({ key, state, nextTask }) => [key, state === 'done' ? 'done' : `${state} ${nextTask}`]))

/** Only people of each role, as the first start leaves a system. */
async function onlyPeople(database: Database): Promise<TwoOrganizations> {
  const users: Record<string, { uid: string; email: string }> = {}
  await database.inScope(SYSTEM, async tx => {
    const names = ROLES.map(name => ({ name }))
    await tx
      .insertInto('roles')
      .values(names)
      .onConflict(conflict => conflict.doNothing())
      .execute()
    for (const roleName of ROLES) {
      const email = `${roleName.replace(':', '.')}@example.jp`
      // The people who prepare and approve are enabled later.
      const enabled = !['admin', 'insight:editor'].includes(roleName)
      const user = { email, enabled, emailVerifiedAt: new Date() }
      const { uid } = await tx.insertInto('users').values(user).returning('uid').executeTakeFirstOrThrow()
      await tx.insertInto('userRoles').values({ uid, roleName }).execute()
      users[roleName] = { uid, email }
    }
  })
  const none = {} as OrganizationRows
  return { a: none, b: none, users: users as TwoOrganizations['users'] }
}

describe('an empty system', () => {
  let system: SystemUnderTest
  const clock = fixedClock('2026-11-20T12:00:00+09:00')
  beforeAll(async () => {
    system = await startSystemUnderTest({}, { bookkeepingClock: clock, makeRows: onlyPeople })
  })
  afterAll(() => system?.close())
  const stepsFor = async (role: Role) =>
    stepsOf(await system.ask('insight', QUERY, await system.tokenOf(system.rows.users[role].email)))
  const inBooks = <T>(work: (tx: Transaction) => Promise<T>) => system.dependencies.database.inScope(SYSTEM, work)
  const enable = (role: Role) =>
    inBooks(tx =>
      tx.updateTable('users').set({ enabled: true }).where('uid', '=', system.rows.users[role].uid).execute(),
    )
  const run = (statement: ReturnType<typeof sql>) => inBooks(tx => statement.execute(tx))

  test('walks from nothing to done: each piece of data flips the step that is about it, and no other', async () => {
    let before = statesOf(await stepsFor('insight:admin'))
    expect(before).toEqual({
      media: 'open medium',
      payer: 'open payer',
      taxes: 'open tax_period',
      organizations: 'not_yours organization',
      agreements: 'waiting agreement',
      statistics: 'waiting delivery',
      colleagues: 'not_yours colleague',
      bank_accounts: 'waiting account_request',
      first_figures: 'waiting figures',
      first_close: 'waiting closed_month',
    })
    /** The steps that a change of the data affects, with their new states. */
    const change = async (statement: ReturnType<typeof sql>): Promise<Record<string, string>> => {
      await run(statement)
      const after = statesOf(await stepsFor('insight:admin'))
      const changed = Object.entries(after).filter(([key, state]) => state !== before[key])
      before = after
      return Object.fromEntries(changed)
    }
    // A retired medium takes no agreements.
    expect(await change(sql`insert into media (id, name, retired_on) values (9, '昔の媒体', '2020-04-01')`)).toEqual({})
    expect(await change(sql`insert into media (id, name) values (1, '朝の媒体')`)).toEqual({ media: 'done' })
    const payer = (from: number) => sql`insert into statement_settings
      (valid_from_month, payer_name, payer_registration_number, deemed_confirmation_days)
      values (${from}, '株式会社運営', 'T4011001098993', 14)`
    // A setting for a later month does not help the close of this one.
    expect(await change(payer(202612))).toEqual({})
    expect(await change(payer(202611))).toEqual({ payer: 'open transfer_source' })
    const source = sql`insert into transfer_sources (valid_from_month, client_code, client_name, bank_code, bank_name,
      branch_code, branch_name, account_type, account_number)
      values (202611, '1234567890', 'ｶ)ｳﾝｴｲ', '0009', 'ﾐﾂｲ', '001', 'ﾎﾝﾃﾝ', 'ordinary', '7654321')`
    expect(await change(source)).toEqual({ payer: 'open transfer_fee' })
    const prices = (
      bank: string,
    ) => sql`insert into transfer_fees (source_bank_code, destination, valid_from, from_amount_yen, fee_yen)
      values (${bank}, 'other_bank', '2026-11-01', 0, 110)`
    // Fees of another bank do not help.
    expect(await change(prices('0001'))).toEqual({})
    expect(await change(prices('0009'))).toEqual({ payer: 'done' })
    // The payer must set the first month of the tax period: January must not apply only because nobody set it.
    const saved = sql`update payment_setting_revisions set revision = 2 where section = 'payout'`
    expect(await change(saved)).toEqual({ taxes: 'open holidays' })
    // A calendar that ends before the month's payments are due does not help.
    const calendar = (from: number, to: number) => sql`insert into holiday_imports
      (first_year, last_year, source_name, content_sha256) values (${from}, ${to}, 'x', 'x')`
    expect(await change(calendar(1955, 2025))).toEqual({})
    await inBooks(tx =>
      importHolidays(tx, { name: 'syukujitsu.csv', content: Buffer.from(SAMPLE_HOLIDAYS_CSV) }, systemActor('test')),
    )
    expect(await change(sql`select 1`)).toEqual({ taxes: 'done' })
    const key = sql`insert into api_keys (name, secret_sha256, scopes, created_at, revoked_at)
      values ('止めた鍵', repeat('a', 64), '{ingest}', now(), now())`
    expect(await change(key)).toEqual({})
    const live = sql`insert into api_keys (name, secret_sha256, scopes, created_at)
      values ('鍵', repeat('b', 64), '{ingest}', now())`
    expect(await change(live)).toEqual({ statistics: 'done' })
    expect(await change(sql`insert into organizations (name) values ('山の新聞社')`)).toEqual({
      organizations: 'done',
      agreements: 'open agreement',
      bank_accounts: 'open account_request',
    })
    const agreement = sql`insert into agreements (medium_id, organization_id, name, code)
      select 1, id, '山の契約', 'YAMA-1' from organizations`
    expect(await change(agreement)).toEqual({ agreements: 'open publisher' })
    const publisher = sql`insert into publishers (organization_id, name) select id, '山の新聞' from organizations`
    expect(await change(publisher)).toEqual({ agreements: 'open rule' })
    const rule = sql`insert into agreement_publisher_rules (agreement_id, publisher_id, medium_id, payment_rate)
      select a.id, p.id, 1, 5000 from agreements a, publishers p`
    expect(await change(rule)).toEqual({ agreements: 'done', first_figures: 'open figures' })
    await run(
      sql`insert into banks (code, name, kana, hira, roma) values ('0001', 'みずほ', 'ﾐｽﾞﾎ', 'みずほ', 'mizuho')`,
    )
    await run(sql`insert into bank_branches (bank_id, code, name, kana, hira, roma)
      select id, '100', '本店', 'ﾎﾝﾃﾝ', 'ほんてん', 'honten' from banks`)
    const account = sql`insert into bank_accounts (organization_id, bank_id, bank_branch_id, type_name, number, holder)
      select o.id, r.bank_id, r.id, 'ordinary', '7654321', 'ﾔﾏ' from organizations o, bank_branches r`
    expect(await change(account)).toEqual({ bank_accounts: 'open account_approval' })
    expect(await change(sql`update bank_accounts set state = 'approved', decided_at = now()`)).toEqual({
      bank_accounts: 'open account_assignment',
    })
    const assigned = sql`insert into agreement_bank_accounts (agreement_id, bank_account_id, used_from_month)
      select a.id, b.id, 202611 from agreements a, bank_accounts b`
    expect(await change(assigned)).toEqual({ bank_accounts: 'done' })
    // An invited person who has not accepted does not count as a colleague, nor does one who may only read.
    const { uid } = system.rows.users['insight:editor']
    await run(sql`insert into invitations (uid, secret_sha256, invited_at, expires_at)
      values (${uid}::uuid, repeat('c', 64), now(), now() + interval '3 days')`)
    await run(sql`update users set email_verified_at = null where uid = ${uid}::uuid`)
    await enable('insight:editor')
    expect(await change(sql`select 1`)).toEqual({})
    expect(await change(sql`update invitations set accepted_at = now()`)).toEqual({ colleagues: 'done' })
    const batch = (dataset: string, state: string, firstDay: string | null) => sql`insert into ingest_batches
      (dataset, batch_id, revision, content_sha256, state, source_name, received_at, applied_at, first_day, last_day, refused_because)
      values (${dataset}, ${`${dataset}-${state}`}, 1, ${`${dataset}${state}`}, ${state}, 'x', now(),
        ${state === 'applied' ? sql`now()` : sql`null`}, ${firstDay}::date, ${firstDay}::date, ${state === 'refused' ? 'x' : ''})`
    expect(await change(batch('article-daily', 'refused', '2026-10-01'))).toEqual({})
    expect(await change(batch('articles', 'applied', null))).toEqual({})
    // Payments need the publishers' figures; with articles' figures alone the month would close at 0 yen.
    expect(await change(batch('article-daily', 'applied', '2026-10-01'))).toEqual({})
    expect(await change(batch('summary-daily', 'applied', '2026-10-01'))).toEqual({
      first_figures: 'done',
      first_close: 'open closed_month',
    })
    expect(await change(sql`insert into month_states (medium_id, month) values (1, 202610)`)).toEqual({})
    expect(
      await change(sql`update month_states set state = 'computed', head = 'x', input_hash = 'x', computed_at = now(),
        data_version = 'x'`),
    ).toEqual({})
    expect(
      await change(sql`update month_states set state = 'finalized', finalized_at = now(), head_hash = 'x',
        hash = repeat('d', 64)`),
    ).toEqual({ first_close: 'done' })
    expect(new Set(Object.values(before))).toEqual(new Set(['done']))
    // Years later the calendar has ended: the close board reports it, and the guide stays hidden.
    clock.set('2031-01-20T12:00:00+09:00')
    expect(statesOf(await stepsFor('insight:admin')).taxes).toBe('done')
    clock.set('2026-11-20T12:00:00+09:00')
    // A step whose result is removed is open again.
    expect(await change(sql`update agreements set terminated_at = now()`)).toEqual({
      agreements: 'open agreement',
      bank_accounts: 'waiting account_assignment',
    })
    const facts = (await stepsFor('insight:viewer')).find(({ key }) => key === 'bank_accounts')?.found
    expect(facts).toEqual([
      { task: 'account_request', count: 1, isDone: true },
      { task: 'account_approval', count: 1, isDone: true },
      { task: 'account_assignment', count: 0, isDone: false },
    ])
  })

  test('who may do it comes from the policies: the others see whom to ask', async () => {
    await enable('admin')
    const by = async (role: Role) => new Map((await stepsFor(role)).map(step => [step.key, step]))
    await run(sql`update agreements set terminated_at = null`)
    await run(sql`delete from agreement_bank_accounts`)
    await run(sql`update users set enabled = email in ('insight.admin@example.jp', 'insight.viewer@example.jp')`)
    const admin = await by('insight:admin')
    expect(admin.get('bank_accounts')).toMatchObject({ state: 'open', nextTask: 'account_assignment' })
    expect(admin.get('colleagues')).toMatchObject({ state: 'not_yours', roleLabels: ['全体管理者', 'ユーザー管理者'] })
    const viewer = await by('insight:viewer')
    expect(viewer.get('bank_accounts')).toMatchObject({
      state: 'not_yours',
      roleLabels: ['全体管理者', 'パブリッシャーセンター管理者', 'パブリッシャーセンター編集者'],
    })
    expect(viewer.get('media')).toMatchObject({ state: 'done', roleLabels: [] })
  })
})

describe('the people of a publisher', async () => {
  const fixture = await startStatementFixture()
  const { system, inBooks, ask, closedMonth } = fixture
  afterAll(() => system.close())
  const steps = async (as: string) => stepsOf(await ask(QUERY, as))
  const run = (statement: ReturnType<typeof sql>) => inBooks(tx => statement.execute(tx))

  test('see theirs, each in its own organisation, and nothing of what their role does not read', async () => {
    const { a, b } = system.rows
    await run(sql`delete from agreement_bank_accounts where agreement_id = any (${[...b.agreementIds]}::bigint[])`)
    await run(sql`update bank_accounts set state = 'rejected', decided_at = now(), rejection_reason = 'x'
      where organization_id = ${b.organizationId} and state = 'requested'`)
    expect(statesOf(await steps('insight:publisher_admin'))).toEqual({
      company: 'done',
      registration: 'not_yours registration_number',
      bank_account: 'done',
      notifications: 'open report_mail',
      first_statement: 'not_yours statement_issued',
    })
    // B's own state, independent of A's.
    expect(statesOf(await steps('ofB'))).toMatchObject({ bank_account: 'not_yours account_assignment' })
    expect((await steps('ofB')).find(({ key }) => key === 'company')?.found[0]?.count).toBe(2)
    expect(Object.keys(statesOf(await steps('insight:publisher_editor')))).toEqual(['company', 'notifications'])
    expect((await steps('insight:publisher_editor'))[0]?.found[0]?.count).toBe(1)
    expect(codeOf(await ask(QUERY, 'nobody'))).toBe('FORBIDDEN')
    // Staff who belong to an organisation still set up the platform.
    expect((await steps('insight:admin')).map(({ key }) => key)).toContain('first_close')

    const [statement] = await closedMonth(81n, 202606, [10_000n])
    expect(statesOf(await steps('insight:publisher_admin')).first_statement).toBe('open statement_answered')
    expect(statesOf(await steps('ofB')).first_statement).toBe('not_yours statement_issued')
    expect(statesOf(await steps('insight:admin')).first_close).toBe('done')
    const confirmed = await ask(
      'mutation ($id: ID!, $hash: String!) { confirmStatement(id: $id, hash: $hash) { state } }',
      'insight:publisher_admin',
      { id: statement!.id, hash: statement!.hash },
    )
    expect(confirmed.json.errors, confirmed.text).toBeUndefined()
    const uid = system.rows.users['insight:publisher_admin'].uid
    await run(sql`insert into report_mails (uid, name, cadence, hour, compare_with, ranking, active_since)
      values (${uid}::uuid, '毎朝', 'daily', 8, 'previous_period', 'none', now())`)
    // A confirmed statement states the payee's registration.
    expect(new Set(Object.values(statesOf(await steps('insight:publisher_admin'))))).toEqual(new Set(['done']))
    expect(statesOf(await steps('ofB'))).toMatchObject({
      registration: 'not_yours registration_number',
      notifications: 'open report_mail',
    })
    await run(sql`update agreements set is_qualified_invoice_issuer = true, invoice_registration_number = 'T4011001098993'
      where organization_id = ${b.organizationId}`)
    expect(statesOf(await steps('ofB')).registration).toBe('done')
    expect(statesOf(await steps('insight:publisher_admin')).company).toBe('done')
    expect(a.organizationId).not.toBe(b.organizationId)
  })

  test('the guide is put away and brought back by each for themselves', async () => {
    const save = (as: string, value: string | null) =>
      ask('mutation ($value: String) { savePreference(key: "setup-guide", value: $value) { value } }', as, { value })
    const kept = async (as: string) =>
      ((await ask('{ preferences(keys: ["setup-guide"]) { value } }', as)).json.data as { preferences: object[] })
        .preferences
    expect((await save('insight:publisher_admin', '"away"')).json.errors).toBeUndefined()
    expect(await kept('insight:publisher_admin')).toEqual([{ value: '"away"' }])
    expect([await kept('ofB'), await kept('insight:admin')]).toEqual([[], []])
    // Dismissing the guide only changes the home screen, not the steps.
    expect((await steps('insight:publisher_admin')).length).toBe(5)
    await save('insight:publisher_admin', null)
    expect(await kept('insight:publisher_admin')).toEqual([])
  })
})
