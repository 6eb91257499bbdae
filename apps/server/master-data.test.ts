import { addDays } from '@pc/domain/month/day.ts'
import { tokyoDayOf } from '@pc/domain/month/tokyo-day.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type SystemUnderTest, startSystemUnderTest } from './system-under-test.ts'

/** Agreements, publishers, rules and bank accounts through the HTTP API, with the real database, rights and jobs. */
let system: SystemUnderTest
const tokens = new Map<string, string>()
beforeAll(async () => {
  system = await startSystemUnderTest()
  for (const role of [
    'admin',
    'insight:admin',
    'insight:editor',
    'insight:viewer',
    'insight:publisher_admin',
    'insight:publisher_editor',
  ] as const) {
    tokens.set(role, await system.tokenOf(system.rows.users[role].email))
  }
  tokens.set('ofB', await system.tokenOf(system.rows.users.ofB.email))
})
afterAll(() => system?.close())

const ask = (as: string, query: string, variables: object = {}) =>
  system.ask('insight', query, tokens.get(as), variables)
function dataOf<T = Record<string, never>>(answer: Answer): T {
  expect(answer.json.errors, answer.text).toBeUndefined()
  return answer.json.data as T
}
interface Refused {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly data: Readonly<Record<string, string | number>>
  readonly message: string
}
const refusalsOf = (answer: Answer) =>
  ((answer.json.errors?.[0]?.extensions.refusals ?? []) as Refused[]).map(({ code, path }) => [code, path.join('.')])
/** Audit rows of changes, or of reads. */
const auditCount = (action: 'read' | 'change' = 'change') =>
  system.parts.database.inScope(SYSTEM, async tx => {
    const rows = tx.selectFrom('auditLog').where('action', action === 'read' ? '=' : '<>', 'read-in-full')
    const counted = await rows.select(eb => eb.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
    return Number(counted.count)
  })
let codes = 0
const newCode = () => `NEW-${++codes}`
const lastMonth = (() => {
  const now = new Date(Date.now() + 9 * 3_600_000)
  return (months: number) => {
    const index = now.getUTCFullYear() * 12 + now.getUTCMonth() + months
    return Math.floor(index / 12) * 100 + (index % 12) + 1
  }
})()

const UPSERT = `mutation M($input: AgreementInput!, $accounts: [AgreementBankAccountInput!], $key: String) {
  upsertAgreement(input: $input, agreementBankAccounts: $accounts, idempotencyKey: $key) {
    id name code revision feePaidBy paymentTiming minimumRevenueType fixedRevenue minimumRevenue payoutThreshold isTerminated
    terminatedAt isPaymentDisabled notes invoiceRegistrationNumber qualifiedInvoiceIssuer
    termsHistory { validFromMonth feePaidBy fixedRevenue }
    agreementBankAccounts { usedFromMonth bankAccountId bankAccount { number holder bank { name } } }
    inUseAgreementBankAccount { bankAccountId }
    lawFindings { ruleId severity isAcknowledged } } }`
interface Agreement {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly feePaidBy: string
  readonly fixedRevenue: number
  readonly isTerminated: boolean
  readonly notes: string | null
  readonly termsHistory: readonly {
    readonly validFromMonth: number
    readonly feePaidBy: string
    readonly fixedRevenue: number
  }[]
  readonly agreementBankAccounts: readonly { readonly usedFromMonth: number; readonly bankAccountId: string }[]
  readonly inUseAgreementBankAccount: { readonly bankAccountId: string } | null
  readonly lawFindings: readonly { readonly ruleId: string; readonly severity: string }[]
}
const upsert = async (as: string, input: object, more: object = {}) => {
  const answer = await ask(as, UPSERT, { input, ...more })
  return { answer, agreement: (answer.json.data as { upsertAgreement?: Agreement } | null)?.upsertAgreement }
}
const base = () => ({
  mediumId: '1',
  organizationId: String(system.rows.a.organizationId),
  name: '新しい契約',
  code: newCode(),
})
async function finalize(mediumId: bigint, month: number) {
  await system.parts.database.inScope(SYSTEM, tx =>
    tx
      .insertInto('monthClosings')
      .values({ mediumId, month, finalizedAt: new Date() })
      .onConflict(conflict => conflict.doNothing())
      .execute(),
  )
}

describe('agreements', () => {
  test('are created with everything, changed, terminated and taken back, each with its audit row', async () => {
    const before = await auditCount()
    const [account] = system.rows.a.bankAccountIds
    const created = await upsert(
      'insight:editor',
      {
        ...base(),
        fixedRevenue: 1000,
        minimumRevenue: 5000,
        minimumRevenueType: 'by_agreement',
        notes: ' 社内 ',
        validFromMonth: 202012,
      },
      { accounts: [{ bankAccountId: String(account), usedFromMonth: 202101 }] },
    )
    expect(created.agreement).toMatchObject({
      revision: 1,
      feePaidBy: 'product',
      fixedRevenue: 1000,
      notes: '社内',
      isTerminated: false,
      inUseAgreementBankAccount: { bankAccountId: String(account) },
    })
    const id = created.agreement?.id
    const terminated = await upsert('insight:admin', { id, isTerminated: true, expectedRevision: 1 })
    expect(terminated.agreement).toMatchObject({ isTerminated: true, revision: 2, notes: '社内' })
    const same = await upsert('insight:admin', { id, isTerminated: true, expectedRevision: 2 })
    expect(same.agreement?.revision).toBe(2)
    const back = await upsert('insight:admin', { id, isTerminated: false, notes: null, isPaymentDisabled: true })
    expect(back.agreement).toMatchObject({ isTerminated: false, notes: null, revision: 3 })
    expect(await auditCount()).toBe(before + 3)
    const history = await ask(
      'insight:viewer',
      `query Q($id: ID!) { recordHistory(kind: agreement, id: $id, limit: 10, offset: 0) { total nodes { action actorEmail fields { name before after } } } }`,
      { id },
    )
    const { recordHistory } = dataOf<{
      recordHistory: { total: number; nodes: { action: string; actorEmail: string; fields: { name: string }[] }[] }
    }>(history)
    expect(recordHistory.total).toBe(3)
    expect(recordHistory.nodes[0]?.fields.map(one => one.name).sort()).toEqual([
      'isPaymentDisabled',
      'notes',
      'terminatedAt',
    ])
    expect(recordHistory.nodes[2]).toMatchObject({ action: 'create', actorEmail: 'insight.editor@example.jp' })
    expect(
      (
        await ask(
          'insight:publisher_admin',
          `{ recordHistory(kind: agreement, id: "${id}", limit: 1, offset: 0) { total } }`,
        )
      ).json.errors?.[0]?.extensions.code,
    ).toBe('FORBIDDEN')
  })

  test('keep the terms of every month, and show them as of a month', async () => {
    const { agreement } = await upsert('insight:admin', { ...base(), fixedRevenue: 100, validFromMonth: 202601 })
    const id = agreement?.id
    await upsert('insight:admin', { id, fixedRevenue: 300, validFromMonth: lastMonth(2) })
    const third = await upsert('insight:admin', { id, fixedRevenue: 200, validFromMonth: 202603 })
    expect(third.agreement?.termsHistory.map(one => [one.validFromMonth, one.fixedRevenue])).toEqual([
      [202601, 100],
      [202603, 200],
      [lastMonth(2), 300],
    ])
    expect(third.agreement?.fixedRevenue).toBe(200)
    const asOf = async (month: number) => {
      const answer = await ask('insight:viewer', `{ agreement(id: "${id}", asOfMonth: ${month}) { fixedRevenue } }`)
      return dataOf<{ agreement: { fixedRevenue: number | null } }>(answer).agreement.fixedRevenue
    }
    expect([await asOf(202512), await asOf(202602), await asOf(202603), await asOf(lastMonth(2))]).toEqual([
      null,
      100,
      200,
      300,
    ])
    // A beginning that was noted too late is moved forward.
    const earlier = await upsert('insight:admin', { id, fixedRevenue: 50, validFromMonth: 202511 })
    expect(earlier.agreement?.termsHistory.map(one => [one.validFromMonth, one.fixedRevenue])).toEqual([
      [202511, 50],
      [202601, 100],
      [202603, 200],
      [lastMonth(2), 300],
    ])
  })

  test('refuse what is wrong at its field, all at once', async () => {
    expect(refusalsOf((await upsert('insight:admin', {})).answer)).toEqual([
      ['agreement/name-required', 'input.name'],
      ['agreement/code-required', 'input.code'],
      ['agreement/medium-unknown', 'input.mediumId'],
      ['agreement/organization-unknown', 'input.organizationId'],
    ])
    expect(refusalsOf((await upsert('insight:admin', { ...base(), mediumId: '77' })).answer)).toEqual([
      ['agreement/medium-unknown', 'input.mediumId'],
    ])
    expect(refusalsOf((await upsert('insight:admin', { ...base(), code: 'ALPHA-1' })).answer)).toEqual([
      ['agreement/code-taken', 'input.code'],
    ])
    expect(refusalsOf((await upsert('insight:admin', { ...base(), fixedRevenue: -1 })).answer)).toEqual([
      ['agreement/amount-negative', 'input.fixedRevenue'],
    ])
    expect(refusalsOf((await upsert('insight:admin', { ...base(), validFromMonth: 202613 })).answer)).toEqual([
      ['month/not-a-month', 'input.validFromMonth'],
    ])
    expect(refusalsOf((await upsert('insight:admin', { id: '999999', name: 'x' })).answer)).toEqual([
      ['record/not-found', 'input.id'],
    ])
    const { agreement } = await upsert('insight:admin', base())
    expect(refusalsOf((await upsert('insight:admin', { id: agreement?.id, mediumId: '2' })).answer)).toEqual([
      ['agreement/medium-fixed', 'input.mediumId'],
    ])
    const foreign = String(system.rows.b.bankAccountIds[0])
    const pending = String(system.rows.a.bankAccountIds[1])
    for (const bankAccountId of [foreign, pending]) {
      const { answer } = await upsert('insight:admin', base(), { accounts: [{ bankAccountId, usedFromMonth: 202601 }] })
      expect(refusalsOf(answer)).toEqual([['agreement/bank-account-unknown', 'agreementBankAccounts.0.bankAccountId']])
    }
  })

  test('are checked against the law when they are saved', async () => {
    const covered = {
      ...base(),
      smallSupplierCoverage: 'covered',
      feePaidBy: 'publisher',
      paymentTiming: 'two_months_later',
    }
    const { answer } = await upsert('insight:admin', covered)
    expect(refusalsOf(answer)).toEqual([
      ['agreement/law', 'input.feePaidBy'],
      ['agreement/law', 'input.paymentTiming'],
    ])
    expect(answer.json.errors?.[0]?.message).toContain('取適法')
    const number = { ...base(), qualifiedInvoiceIssuer: true, invoiceRegistrationNumber: 'T1234567890123' }
    expect(refusalsOf((await upsert('insight:admin', number)).answer)).toEqual([
      ['agreement/law', 'input.invoiceRegistrationNumber'],
    ])
    const right = await upsert('insight:admin', { ...number, invoiceRegistrationNumber: 'ｔ7000012050002' })
    expect(right.agreement).toMatchObject({ invoiceRegistrationNumber: 'T7000012050002', qualifiedInvoiceIssuer: true })
    // A form acknowledges warnings one by one; without acknowledgement they stand as findings.
    const warned = {
      ...base(),
      freelanceCoverage: 'covered',
      feePaidBy: 'publisher',
      smallSupplierCoverage: 'not_covered',
    }
    expect(refusalsOf((await upsert('insight:admin', { ...warned, acknowledgedLawRuleIds: [] })).answer)).toEqual([
      ['agreement/law', 'input.feePaidBy'],
    ])
    const acknowledged = await upsert('insight:admin', { ...warned, acknowledgedLawRuleIds: ['freelance-fee'] })
    expect(acknowledged.agreement?.lawFindings).toContainEqual({
      ruleId: 'freelance-fee',
      severity: 'warning',
      isAcknowledged: true,
    })
  })

  test('20 parallel submissions with one key create one agreement; another body is refused', async () => {
    const input = base()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upsert('insight:editor', input, { key: 'once' })),
    )
    expect(new Set(answers.map(one => one.agreement?.id)).size).toBe(1)
    const list = await ask('insight:viewer', `{ agreements(limit: 10, offset: 0, q: "${input.code}") { total } }`)
    expect(list.json.data).toEqual({ agreements: { total: 1 } })
    expect(refusalsOf((await upsert('insight:editor', base(), { key: 'once' })).answer)).toEqual([
      ['idempotency/key-reused', 'idempotencyKey'],
    ])
  })

  test('of several media are created together, or none', async () => {
    const query = `mutation M($input: [AgreementInput!]!, $accounts: [AgreementBankAccountInput!]) {
      createAgreements(input: $input, agreementBankAccounts: $accounts) { id mediumId agreementBankAccounts { usedFromMonth } } }`
    const accounts = [{ bankAccountId: String(system.rows.a.bankAccountIds[0]), usedFromMonth: 202601 }]
    const two = [
      { ...base(), mediumId: '2' },
      { ...base(), mediumId: '3' },
    ]
    const created = dataOf<{ createAgreements: object[] }>(await ask('insight:editor', query, { input: two, accounts }))
    expect(created.createAgreements).toMatchObject([
      { mediumId: '2', agreementBankAccounts: [{ usedFromMonth: 202601 }] },
      { mediumId: '3', agreementBankAccounts: [{ usedFromMonth: 202601 }] },
    ])
    const before = await auditCount()
    const broken = [
      { ...base(), mediumId: '2' },
      { ...base(), name: '' },
    ]
    expect(refusalsOf(await ask('insight:editor', query, { input: broken }))).toEqual([
      ['agreement/name-required', 'input.1.name'],
    ])
    expect(await auditCount()).toBe(before)
    expect(refusalsOf(await ask('insight:editor', query, { input: [] }))).toEqual([
      ['agreement/too-many-at-once', 'input'],
    ])
  })

  test('tell the second of two editors who changed what', async () => {
    const { agreement } = await upsert('insight:admin', base())
    const id = agreement?.id
    await upsert('insight:admin', { id, name: '先の変更', expectedRevision: 1 })
    const { answer } = await upsert('insight:editor', { id, name: '後の変更', expectedRevision: 1 })
    const [refused] = (answer.json.errors?.[0]?.extensions.refusals ?? []) as Refused[]
    expect(refused).toMatchObject({
      code: 'record/edited-by-other',
      data: { editedBy: 'insight.admin@example.jp', changedFields: 'name', revision: 2 },
    })
    expect(refused?.message).toContain('insight.admin@example.jpさんが')
    const shown = await ask('insight:viewer', `{ agreement(id: "${id}") { name revision } }`)
    expect(shown.json.data).toEqual({ agreement: { name: '先の変更', revision: 2 } })
  })

  test('leave months alone that are final', async () => {
    const media9 = { ...base(), mediumId: '9' }
    await finalize(9n, 202602)
    expect(refusalsOf((await upsert('insight:admin', { ...media9, validFromMonth: 202602 })).answer)).toEqual([
      ['agreement/valid-from-finalized', 'input.validFromMonth'],
    ])
    const { agreement } = await upsert('insight:admin', { ...media9, validFromMonth: 202603 })
    const id = agreement?.id
    const late = await upsert('insight:admin', { id, fixedRevenue: 9, validFromMonth: 202601 })
    expect(refusalsOf(late.answer)).toEqual([['agreement/valid-from-finalized', 'input.validFromMonth']])
    expect(late.answer.json.errors?.[0]?.message).toContain('2026年3月以降')
    const account = { bankAccountId: String(system.rows.a.bankAccountIds[0]), usedFromMonth: 202602 }
    expect(refusalsOf((await upsert('insight:admin', { id }, { accounts: [account] })).answer)).toEqual([
      ['agreement/bank-account-month-finalized', 'agreementBankAccounts.0.usedFromMonth'],
    ])
    expect(
      refusalsOf((await upsert('insight:admin', { id, terminatedAt: '2026-01-31T00:00:00+09:00' })).answer),
    ).toEqual([['agreement/terminated-in-finalized-month', 'input.terminatedAt']])
    const open = await upsert('insight:admin', { id, terminatedAt: '2026-02-15T00:00:00+09:00' })
    expect(open.agreement?.isTerminated).toBe(true)
  })
})

const UPSERT_PUBLISHER = `mutation M($publisher: PublisherInput!, $rules: [AgreementPublisherRuleInput!]!) {
  upsertPublisherWithAgreementPublisherRules(publisher: $publisher, agreementPublisherRules: $rules) {
    id name kana enabled revision organization { id name }
    agreementPublisherRules { id mediumId revision agreement { id code } fixedRevenue
      paymentRate { paymentRate sspPaymentRate isTargetForSspAllocation }
      history { validFromMonth fixedRevenue paymentRate { paymentRate } } } } }`
interface Publisher {
  readonly id: string
  readonly revision: number
  readonly agreementPublisherRules: readonly {
    readonly revision: number
    readonly paymentRate: { readonly paymentRate: number } | null
    readonly history: readonly {
      readonly validFromMonth: number
      readonly paymentRate: { readonly paymentRate: number }
    }[]
  }[]
}

describe('publishers', () => {
  const save = async (as: string, publisher: object, rules: object[] = []) => {
    const answer = await ask(as, UPSERT_PUBLISHER, { publisher, rules })
    return {
      answer,
      publisher: (answer.json.data as { upsertPublisherWithAgreementPublisherRules?: Publisher } | null)
        ?.upsertPublisherWithAgreementPublisherRules,
    }
  }
  const own = () => ({
    organizationId: String(system.rows.a.organizationId),
    name: '青空新聞',
    kana: 'アオゾラシンブン',
  })

  test('are saved with their rules, each dated by month', async () => {
    const agreementId = String(system.rows.a.agreementIds[0])
    const rule = {
      agreementId,
      validFromMonth: 202603,
      paymentRate: { paymentRate: 4555, isTargetForSspAllocation: true },
    }
    const created = await save('insight:editor', own(), [rule])
    expect(created.publisher).toMatchObject({
      revision: 1,
      kana: 'アオゾラシンブン',
      agreementPublisherRules: [
        {
          mediumId: '1',
          agreement: { code: 'ALPHA-1' },
          paymentRate: { paymentRate: 4555, sspPaymentRate: 0, isTargetForSspAllocation: true },
        },
      ],
    })
    const id = created.publisher?.id
    const later = { ...rule, validFromMonth: lastMonth(3), paymentRate: { paymentRate: 6000 } }
    const changed = await save('insight:editor', { id }, [later])
    expect(changed.publisher).toMatchObject({ revision: 1 })
    expect(changed.publisher?.agreementPublisherRules[0]).toMatchObject({
      revision: 2,
      paymentRate: { paymentRate: 4555, isTargetForSspAllocation: true },
      history: [
        { validFromMonth: 202603, paymentRate: { paymentRate: 4555 } },
        { validFromMonth: lastMonth(3), paymentRate: { paymentRate: 6000 } },
      ],
    })
    const before = await auditCount()
    await save('insight:editor', { id }, [later])
    expect(await auditCount()).toBe(before)
    const asOf = await ask(
      'insight:viewer',
      `{ publisher(id: "${id}", asOfMonth: ${lastMonth(3)}) { agreementPublisherRules { paymentRate { paymentRate } } } }`,
    )
    expect(asOf.json.data).toEqual({ publisher: { agreementPublisherRules: [{ paymentRate: { paymentRate: 6000 } }] } })
  })

  test('refuse wrong rates, foreign media and months that are final, with their paths', async () => {
    const agreementId = String(system.rows.a.agreementIds[2]) // medium 2
    await finalize(2n, 202604)
    const { answer } = await save('insight:admin', { ...own(), name: ' ' }, [])
    expect(refusalsOf(answer)).toEqual([['publisher/name-required', 'publisher.name']])
    const rules = [
      { agreementId, validFromMonth: 202605, paymentRate: { paymentRate: 10001 } },
      { agreementId: '999999' },
      { agreementId: String(system.rows.a.agreementIds[0]), mediumId: '2', paymentRate: {} },
    ]
    expect(refusalsOf((await save('insight:admin', own(), rules)).answer).sort()).toEqual([
      ['agreement/rate-out-of-range', 'agreementPublisherRules.0.paymentRate.paymentRate'],
      ['publisher/agreement-unknown', 'agreementPublisherRules.1.agreementId'],
      ['publisher/rule-medium-differs', 'agreementPublisherRules.2.mediumId'],
    ])
    const late = [{ agreementId, validFromMonth: 202604, paymentRate: { paymentRate: 1 } }]
    expect(refusalsOf((await save('insight:admin', own(), late)).answer)).toEqual([
      ['agreement/valid-from-finalized', 'agreementPublisherRules.0.validFromMonth'],
    ])
    expect(await save('insight:viewer', own()).then(one => one.answer.json.errors?.[0]?.extensions.code)).toBe(
      'FORBIDDEN',
    )
  })

  test('show publishers their own rates, and staff alone the rest', async () => {
    const query =
      '{ publishers(limit: 50, offset: 0, orderBy: ID_ASC) { nodes { name notes agreementPublisherRules { fixedRevenue paymentRate { paymentRate } } } } }'
    const admin = await ask('insight:publisher_admin', query)
    expect(admin.text).toContain('"paymentRate":{"paymentRate":5000}')
    expect(admin.text).not.toContain('CANARY-B')
    const codes = new Set(admin.json.errors?.map(error => `${error.path?.at(-1)} ${error.extensions.code}`))
    expect(codes).toEqual(new Set(['notes FORBIDDEN', 'fixedRevenue FORBIDDEN']))
    const editor = await ask('insight:publisher_editor', query)
    expect(editor.json.errors?.some(error => error.path?.at(-1) === 'agreementPublisherRules')).toBe(true)
  })

  test('every order of the list is complete', async () => {
    for (const order of ['ID', 'CREATEDAT', 'UPDATEDAT', 'NAME']) {
      const read = async (way: string) => {
        const answer = await ask(
          'insight:viewer',
          `{ publishers(limit: 1000, offset: 0, orderBy: ${order}_${way}) { nodes { id } } }`,
        )
        return dataOf<{ publishers: { nodes: { id: string }[] } }>(answer).publishers.nodes.map(node => node.id)
      }
      expect((await read('ASC')).toReversed()).toEqual(await read('DESC'))
    }
  })
})

const CREATE_ACCOUNT = `mutation M($input: BankAccountInput!, $key: String) { createBankAccount(input: $input, idempotencyKey: $key) {
  id enabled state number holder typeName isOwnRequest revision bank { code name } bankBranch { code } organization { id } requestedByUid } }`
const NUMBERS = '{ bankAccounts(limit: 50, offset: 0) { total nodes { id number state organization { name } } } }'

describe('bank accounts', () => {
  const input = (more: object = {}) => ({
    bankId: String(system.rows.a.bankId),
    bankBranchId: String(system.rows.a.bankBranchId),
    typeName: 'ordinary',
    number: '１２３-４５６',
    holder: 'かぶしきがいしゃ　あおぞら',
    ...more,
  })
  const create = async (as: string, more: object = {}, key?: string) => {
    const answer = await ask(as, CREATE_ACCOUNT, { input: input(more), key })
    return {
      answer,
      account: (answer.json.data as { createBankAccount?: Record<string, unknown> } | null)?.createBankAccount,
    }
  }
  const decide = (as: string, id: unknown, reason?: string) =>
    reason === undefined
      ? ask(as, 'mutation M($id: ID!) { approveBankAccount(id: $id) { state enabled revision } }', { id })
      : ask(
          as,
          'mutation M($id: ID!, $reason: String!) { rejectBankAccount(id: $id, reason: $reason) { state rejectionReason } }',
          { id, reason },
        )

  test('are asked for by a publisher and approved by another person', async () => {
    const { account } = await create('insight:publisher_admin')
    expect(account).toMatchObject({
      enabled: false,
      state: 'requested',
      number: '****456',
      holder: 'ｶ)ｱｵｿﾞﾗ',
      isOwnRequest: true,
      bank: { code: '0001', name: 'みずほ' },
      organization: { id: String(system.rows.a.organizationId) },
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
    const approved = await ask('insight:admin', 'mutation M($id: ID!) { approveBankAccount(id: $id) { usableFrom } }', {
      id,
    })
    const today = tokyoDayOf(Date.now())
    expect(dataOf(approved)).toEqual({ approveBankAccount: { usableFrom: addDays(today, 3) } })
    const accounts = [{ bankAccountId: id, usedFromMonth: lastMonth(0) }]
    const { answer } = await upsert('insight:admin', base(), { accounts })
    expect(refusalsOf(answer)).toEqual([['agreement/bank-account-waiting', 'agreementBankAccounts.0.bankAccountId']])
    await system.parts.database.inScope(SYSTEM, tx =>
      tx.updateTable('bankAccounts').set({ usableFrom: today }).where('id', '=', BigInt(id)).execute(),
    )
    const { agreement } = await upsert('insight:admin', base(), { accounts })
    expect(agreement?.inUseAgreementBankAccount).toEqual({ bankAccountId: id })
  })

  test('are not approved by whoever asked for them', async () => {
    const { account } = await create('insight:admin', { organizationId: String(system.rows.b.organizationId) })
    expect(account?.number).toBe('0123456')
    expect(refusalsOf(await decide('insight:admin', account?.id))).toEqual([['bank-account/own-request', 'id']])
    expect(refusalsOf(await decide('admin', account?.id, ' '))).toEqual([['bank-account/reason-required', 'reason']])
    expect(dataOf(await decide('admin', account?.id, '名義が違います'))).toEqual({
      rejectBankAccount: { state: 'rejected', rejectionReason: '名義が違います' },
    })
  })

  test('refuse what banks do not know', async () => {
    const wrong = {
      bankBranchId: '999999',
      number: '12345678',
      holder: '青空',
      organizationId: String(system.rows.b.organizationId),
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
      const masked = await ask(role, NUMBERS)
      const nodes = dataOf<{ bankAccounts: { nodes: { number: string }[] } }>(masked).bankAccounts.nodes
      expect(nodes.length).toBeGreaterThan(0)
      expect(nodes.every(node => /^\*{4}\d{3}$/.test(node.number))).toBe(true)
    }
    expect(await auditCount('read')).toBe(before)
    const full = await ask('insight:editor', NUMBERS)
    expect(full.text).toContain('7654321')
    const row = await system.parts.database.inScope(SYSTEM, tx =>
      tx.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    )
    expect(row).toMatchObject({
      action: 'read-in-full',
      resourceName: 'insight:bank_account.',
      actorUid: system.rows.users['insight:editor'].uid,
    })
    expect(JSON.stringify(row.after)).not.toContain('7654321')
    expect((await ask('insight:publisher_editor', NUMBERS)).json.errors?.[0]?.extensions.code).toBe('FORBIDDEN')
    // Through an agreement the same.
    const nested = '{ agreements(limit: 50, offset: 0) { nodes { agreementBankAccounts { bankAccount { number } } } } }'
    expect((await ask('insight:viewer', nested)).text).not.toContain('7654321')
    expect((await ask('insight:publisher_admin', nested)).text).toContain('****321')
    const ofB = await ask('ofB', NUMBERS)
    expect(ofB.text).not.toContain('ALPHA')
  })

  test('are told to the people of both sides by mail', async () => {
    const { account } = await create('insight:publisher_admin', { number: '7777777' })
    const { jobs, jobHandlers, config } = system.parts
    expect(jobHandlers.map(handler => handler.kind.name)).toContain('bank-account-notice')
    const notice = jobHandlers.find(handler => handler.kind.name === 'bank-account-notice')
    const mails = jobHandlers.find(handler => handler.kind.name === 'mail')
    if (!notice || !mails) throw new Error('a handler is missing')
    const sent: { to: string; text: string }[] = []
    await jobs.work([notice, { ...mails, run: async data => void sent.push(data as { to: string; text: string }) }])
    for (let n = 0; n < 100 && sent.filter(mail => mail.text.includes('****777')).length < 2; n += 1)
      await new Promise(resolve => setTimeout(resolve, 100))
    const about = sent.filter(mail => mail.text.includes('****777'))
    expect(about.map(mail => mail.to).sort()).toEqual([
      'insight.admin@example.jp',
      'insight.publisher_admin@example.jp',
    ])
    expect(about[0]?.text).toContain(`${config.webOrigin}/gpc/#/bank-accounts`)
    expect(JSON.stringify(sent)).not.toContain('7777777')
    expect(account?.state).toBe('requested')
  })

  test('are never changed in the database once they exist', async () => {
    const change = system.parts.database.inScope(SYSTEM, tx =>
      tx.updateTable('bankAccounts').set({ number: '9999999' }).execute(),
    )
    await expect(change).rejects.toThrow('not changed after its creation')
  })
})
