import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { agreementFixture, monthFromNow } from '@pc/testing/system/agreement-fixture.ts'
import { dataOf, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { beforeAll, describe, expect, test } from 'vitest'

/** Banks merge and branches close: a newer master no longer has them, while accounts name them still. */
const fixture = agreementFixture()
const { base, send, upsert } = fixture
const CREATE = `mutation M($input: BankAccountInput!) { createBankAccount(input: $input) { id } }`
const LIST = `{ bankAccounts(limit: 50, offset: 0) { nodes { id holder enabled bank { name isGone } bankBranch { name isGone } } } }`
interface Listed {
  readonly bankAccounts: {
    readonly nodes: readonly {
      readonly id: string
      readonly enabled: boolean
      readonly bank: { readonly name: string; readonly isGone: boolean }
      readonly bankBranch: { readonly name: string; readonly isGone: boolean }
    }[]
  }
}
const account = (more: object = {}) => ({
  bankId: String(fixture.system.rows.a.bankId),
  bankBranchId: String(fixture.system.rows.a.bankBranchId),
  organizationId: String(fixture.system.rows.a.organizationId),
  typeName: 'ordinary',
  number: '7654000',
  holder: 'カ）アオゾラ',
  ...more,
})
const approve = (id: unknown) => send('admin', 'mutation M($id: ID!) { approveBankAccount(id: $id) { state } }', { id })
const inUse = (month: number) => ({
  accounts: [{ bankAccountId: String(fixture.system.rows.a.bankAccountIds[0]), usedFromMonth: month }],
})
let requestedId = ''
let agreementId = ''

beforeAll(async () => {
  requestedId = dataOf<{ createBankAccount: { id: string } }>(await send('insight:admin', CREATE, { input: account() }))
    .createBankAccount.id
  const { agreement } = await upsert('insight:admin', base(), inUse(202601))
  agreementId = agreement?.id ?? ''
  await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
    tx.updateTable('bankBranches').set({ isGone: true }).where('id', '=', fixture.system.rows.a.bankBranchId).execute(),
  )
})

describe('a branch that vanished from the master', () => {
  test('is still read with its accounts, and flagged, by staff and by the publisher', async () => {
    for (const role of ['insight:viewer', 'insight:publisher_admin']) {
      const { nodes } = dataOf<Listed>(await send(role, LIST)).bankAccounts
      const own = nodes.find(node => node.id === String(fixture.system.rows.a.bankAccountIds[0]))
      expect(own, role).toMatchObject({ enabled: true, bank: { isGone: false }, bankBranch: { isGone: true } })
      expect(own?.bankBranch.name).not.toBe('')
    }
  })

  test('takes no new account, and no approval of one that was requested before; rejecting it is possible', async () => {
    const refused = await send('insight:admin', CREATE, { input: account({ number: '1' }) })
    expect(refusalsOf(refused)).toEqual([['bank-account/branch-unknown', 'input.bankBranchId']])
    expect(refusalsOf(await approve(requestedId))).toEqual([['bank-account/place-gone', 'id']])
    const rejected = await send(
      'admin',
      'mutation M($id: ID!) { rejectBankAccount(id: $id, reason: "支店がなくなりました") { state } }',
      { id: requestedId },
    )
    expect(dataOf(rejected)).toEqual({ rejectBankAccount: { state: 'rejected' } })
  })

  test('keeps what agreements have, but no agreement takes an account of it from now on', async () => {
    const kept = await upsert('insight:admin', { id: agreementId, name: '名前だけの変更' }, inUse(202601))
    expect(kept.agreement).toMatchObject({
      name: '名前だけの変更',
      inUseAgreementBankAccount: { bankAccountId: String(fixture.system.rows.a.bankAccountIds[0]) },
    })
    const { answer } = await upsert('insight:admin', { id: agreementId }, inUse(monthFromNow(1)))
    expect(refusalsOf(answer)).toEqual([['agreement/bank-account-gone', 'agreementBankAccounts.0.bankAccountId']])
    expect(answer.json.errors?.[0]?.message).toContain('新しい口座を登録')
  })
})

test('a bank that vanished with all of its branches is the same', async () => {
  await fixture.system.dependencies.database.inScope(SYSTEM, async tx => {
    await tx.updateTable('bankBranches').set({ isGone: false }).execute()
    await tx.updateTable('banks').set({ isGone: true }).where('id', '=', fixture.system.rows.a.bankId).execute()
  })
  const refused = await send('insight:admin', CREATE, { input: account({ number: '2' }) })
  expect(refusalsOf(refused)).toEqual([['bank-account/bank-unknown', 'input.bankId']])
  const { answer } = await upsert('insight:admin', base(), inUse(monthFromNow(0)))
  expect(refusalsOf(answer)).toEqual([['agreement/bank-account-gone', 'agreementBankAccounts.0.bankAccountId']])
  expect(dataOf<Listed>(await send('insight:viewer', LIST)).bankAccounts.nodes[0]?.bank.isGone).toBe(true)
})
