import { addDays } from '@pc/domain/month/day.ts'
import { tokyoDayOf } from '@pc/domain/month/tokyo-day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { agreementFixture, monthFromNow } from '@pc/testing/system/agreement-fixture.ts'
import { dataOf, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { until } from '@pc/testing/until.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const fixture = agreementFixture()
const { auditCount, base, send, upsert } = fixture

const CREATE_ACCOUNT = `mutation M($input: BankAccountInput!, $key: String) { createBankAccount(input: $input, idempotencyKey: $key) {
  id enabled state number holder typeName isOwnRequest revision bank { code name } bankBranch { code } organization { id } requestedByUid } }`
const NUMBERS = '{ bankAccounts(limit: 50, offset: 0) { total nodes { id number state organization { name } } } }'

describe('bank accounts', () => {
  const input = (more: object = {}) => ({
    bankId: String(fixture.system.rows.a.bankId),
    bankBranchId: String(fixture.system.rows.a.bankBranchId),
    typeName: 'ordinary',
    number: '１２３-４５６',
    holder: 'かぶしきがいしゃ　あおぞら',
    ...more,
  })
  const create = async (as: string, more: object = {}, key?: string) => {
    const answer = await send(as, CREATE_ACCOUNT, { input: input(more), key })
    return {
      answer,
      account: (answer.json.data as { createBankAccount?: Record<string, unknown> } | null)?.createBankAccount,
    }
  }
  const decide = (as: string, id: unknown, reason?: string) =>
    reason === undefined
      ? send(as, 'mutation M($id: ID!) { approveBankAccount(id: $id) { state enabled revision } }', { id })
      : send(
          as,
          'mutation M($id: ID!, $reason: String!) { rejectBankAccount(id: $id, reason: $reason) { state rejectionReason } }',
          { id, reason },
        )

  test('are requested by a publisher and approved by another person', async () => {
    const { account } = await create('insight:publisher_admin')
    expect(account).toMatchObject({
      enabled: false,
      state: 'requested',
      number: '****456',
      holder: 'ｶ)ｱｵｿﾞﾗ',
      isOwnRequest: true,
      bank: { code: '0001', name: 'みずほ' },
      organization: { id: String(fixture.system.rows.a.organizationId) },
      requestedByUid: null,
    })
    expect((await decide('insight:editor', account?.id)).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    expect(dataOf(await decide('insight:admin', account?.id))).toEqual({
      approveBankAccount: { state: 'approved', enabled: true, revision: 2 },
    })
    expect(refusalsOf(await decide('admin', account?.id))).toEqual([['bank-account/already-decided', 'id']])
  })

  test('wait three days after their approval before an agreement can take them', async () => {
    const { account } = await create('insight:publisher_admin', { number: '5550001' })
    const id = String(account?.id)
    const approved = await send(
      'insight:admin',
      'mutation M($id: ID!) { approveBankAccount(id: $id) { usableFrom } }',
      {
        id,
      },
    )
    const today = tokyoDayOf(Date.now())
    expect(dataOf(approved)).toEqual({ approveBankAccount: { usableFrom: addDays(today, 3) } })
    const accounts = [{ bankAccountId: id, usedFromMonth: monthFromNow(0) }]
    const { answer } = await upsert('insight:admin', base(), { accounts })
    expect(refusalsOf(answer)).toEqual([['agreement/bank-account-waiting', 'agreementBankAccounts.0.bankAccountId']])
    await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx.updateTable('bankAccounts').set({ usableFrom: today }).where('id', '=', BigInt(id)).execute(),
    )
    const { agreement } = await upsert('insight:admin', base(), { accounts })
    expect(agreement?.inUseAgreementBankAccount).toEqual({ bankAccountId: id })
  })

  test('are not approved by the person who requested them', async () => {
    const { account } = await create('insight:admin', { organizationId: String(fixture.system.rows.b.organizationId) })
    expect(account?.number).toBe('0123456')
    expect(refusalsOf(await decide('insight:admin', account?.id))).toEqual([['bank-account/own-request', 'id']])
    expect(refusalsOf(await decide('admin', account?.id, ' '))).toEqual([['bank-account/reason-required', 'reason']])
    expect(dataOf(await decide('admin', account?.id, '名義が違います'))).toEqual({
      rejectBankAccount: { state: 'rejected', rejectionReason: '名義が違います' },
    })
  })

  test('are not approved by somebody new, or by who made the person that asks, once the installation is no longer new', async () => {
    const { users } = fixture.system.rows
    const run = (query: ReturnType<typeof sql>) =>
      fixture.system.dependencies.database.inScope(SYSTEM, tx => query.execute(tx))
    const { account } = await create('insight:publisher_admin', { number: '5550007' })
    const refused = async () => refusalsOf(await decide('insight:admin', account?.id))
    const given = (uid: string, by: string | null, days: number) =>
      run(sql`update user_roles set given_by_uid = ${by}::uuid, given_at = now() - ${days} * interval '1 day'
        where uid = ${uid}::uuid`)
    await run(sql`update users set created_at = now() - interval '9 days'`)
    await given(users['insight:admin'].uid, users['iam:admin'].uid, 2)
    expect(await refused()).toEqual([['bank-account/new-approver', 'id']])
    await given(users['insight:admin'].uid, null, 0)
    await given(users['insight:publisher_admin'].uid, users['insight:admin'].uid, 2)
    expect(await refused()).toEqual([['bank-account/guest-approver', 'id']])
    // On the first days there is nobody else yet.
    await run(sql`update users set created_at = now()`)
    await given(users['insight:admin'].uid, users.admin.uid, 0)
    expect(dataOf(await decide('insight:admin', account?.id))).toMatchObject({
      approveBankAccount: { state: 'approved' },
    })
    await given(users['insight:admin'].uid, null, 0)
    await given(users['insight:publisher_admin'].uid, null, 0)
  })

  test('refuse what banks do not know', async () => {
    const wrong = {
      bankBranchId: '999999',
      number: '12345678',
      holder: '青空',
      organizationId: String(fixture.system.rows.b.organizationId),
    }
    expect(refusalsOf((await create('insight:publisher_admin', wrong)).answer)).toEqual([
      ['bank-account/organization-unknown', 'input.organizationId'],
      ['bank-account/number-wrong', 'input.number'],
      ['bank/holder-character-not-allowed', 'input.holder'],
      ['bank-account/branch-unknown', 'input.bankBranchId'],
    ])
    expect(refusalsOf((await create('insight:admin')).answer)).toEqual([
      ['bank-account/organization-required', 'input.organizationId'],
    ])
    expect((await create('insight:viewer')).answer.json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })

  test('show their numbers in full to those alone who may see them, and note who did', async () => {
    const before = await auditCount('read')
    for (const role of ['insight:viewer', 'insight:publisher_admin']) {
      const masked = await send(role, NUMBERS)
      const nodes = dataOf<{ bankAccounts: { nodes: { number: string }[] } }>(masked).bankAccounts.nodes
      expect(nodes.length).toBeGreaterThan(0)
      expect(nodes.every(node => /^\*{4}\d{3}$/.test(node.number))).toBe(true)
    }
    expect(await auditCount('read')).toBe(before)
    const full = await send('insight:editor', NUMBERS)
    expect(full.text).toContain('7654321')
    const row = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({
      action: 'read-in-full',
      resourceName: 'insight:bank_account.',
      actorUid: fixture.system.rows.users['insight:editor'].uid,
    })
    expect(JSON.stringify(row.after)).not.toContain('7654321')
    expect((await send('insight:publisher_editor', NUMBERS)).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    // Through an agreement the same.
    const nested = '{ agreements(limit: 50, offset: 0) { nodes { agreementBankAccounts { bankAccount { number } } } } }'
    expect((await send('insight:viewer', nested)).text).not.toContain('7654321')
    expect((await send('insight:publisher_admin', nested)).text).toContain('****321')
    const ofB = await send('ofB', NUMBERS)
    expect(ofB.text).not.toContain('ALPHA')
  })

  test('are notified to the people of both sides by mail', async () => {
    const { account } = await create('insight:publisher_admin', { number: '7777777' })
    const { jobs, jobHandlers, config } = fixture.system.dependencies
    expect(jobHandlers.map(handler => handler.kind.name)).toContain('bank-account-notice')
    const notice = jobHandlers.find(handler => handler.kind.name === 'bank-account-notice')
    const mails = jobHandlers.find(handler => handler.kind.name === 'mail')
    if (!notice || !mails) throw new Error('a handler is missing')
    const sent: { to: string; text: string }[] = []
    await jobs.work([notice, { ...mails, run: async data => void sent.push(data as { to: string; text: string }) }])
    const about = await until(() => {
      const emails = sent.filter(mail => mail.text.includes('****777'))
      return emails.length < 2 ? undefined : emails
    })
    expect(about.map(mail => mail.to).sort()).toEqual([
      'insight.admin@example.jp',
      'insight.publisher_admin@example.jp',
    ])
    expect(about[0]?.text).toContain(`${config.webOrigin}/gpc/#/bank-accounts`)
    expect(JSON.stringify(sent)).not.toContain('7777777')
    expect(account?.state).toBe('requested')
  })

  test('are never changed in the database once they exist', async () => {
    const change = fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx.updateTable('bankAccounts').set({ number: '9999999' }).execute(),
    )
    await expect(change).rejects.toThrow('not changed after its creation')
  })
})
