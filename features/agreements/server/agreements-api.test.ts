import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { agreementFixture, monthFromNow } from '@pc/testing/system/agreement-fixture.ts'
import { dataOf, refusalsOf } from '@pc/testing/system/api-fixture.ts'
import { describe, expect, test } from 'vitest'

const fixture = agreementFixture()
const { auditCount, base, finalize, send, upsert } = fixture
interface Refused {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly data: Readonly<Record<string, string | number>>
  readonly message: string
}

describe('agreements', () => {
  test('are created with everything, changed, terminated and taken back, each with its audit row', async () => {
    const before = await auditCount()
    const [account] = fixture.system.rows.a.bankAccountIds
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
    const scheduled = await upsert('insight:editor', { ...base(), terminatedAt: '2099-03-31T00:00:00+09:00' })
    expect(scheduled.agreement).toMatchObject({ isTerminated: false, terminatedAt: '2099-03-30T15:00:00.000Z' })
    const atOnce = await upsert('insight:admin', { id: scheduled.agreement?.id, isTerminated: true })
    expect(atOnce.agreement).toMatchObject({ isTerminated: true, revision: 2 })
    const same = await upsert('insight:admin', { id, isTerminated: true, expectedRevision: 2 })
    expect(same.agreement?.revision).toBe(2)
    const back = await upsert('insight:admin', { id, isTerminated: false, notes: null, isPaymentDisabled: true })
    expect(back.agreement).toMatchObject({ isTerminated: false, notes: null, revision: 3 })
    expect(await auditCount()).toBe(before + 5)
    const history = await send(
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
        await send(
          'insight:publisher_admin',
          `{ recordHistory(kind: agreement, id: "${id}", limit: 1, offset: 0) { total } }`,
        )
      ).json.errors?.[0]?.extensions.code,
    ).toBe('FORBIDDEN')
  })

  test('of a non-resident have a treaty form that is whole; staff alone sees it', async () => {
    const { agreement } = await upsert('insight:editor', base())
    const id = agreement?.id
    const form = {
      payeeResidence: 'non_resident',
      treatyFormFrom: '2026-07-01',
      treatyFormTo: null,
      treatyFormRate: 1000,
    }
    expect(refusalsOf((await upsert('insight:editor', { id, ...form, payeeResidence: 'resident' })).answer)).toEqual([
      ['agreement/treaty-form-of-resident', 'input.payeeResidence'],
    ])
    expect(refusalsOf((await upsert('insight:editor', { id, ...form, treatyFormRate: 2043 })).answer)).toEqual([
      ['agreement/treaty-form-rate', 'input.treatyFormRate'],
    ])
    expect((await upsert('insight:editor', { id, ...form })).agreement?.revision).toBe(2)
    const read = `query Q($id: ID!) { agreement(id: $id) { payeeResidence treatyFormFrom treatyFormTo treatyFormRate } }`
    expect(dataOf<{ agreement: object }>(await send('insight:viewer', read, { id })).agreement).toEqual(form)
    const own = await send('insight:publisher_admin', read, { id })
    expect(own.json.data).toEqual({ agreement: Object.fromEntries(Object.keys(form).map(name => [name, null])) })
    // Living in Japan again, the form has to go.
    const back = { id, payeeResidence: 'resident' }
    expect(refusalsOf((await upsert('insight:editor', back)).answer)[0]?.[0]).toBe('agreement/treaty-form-of-resident')
    const gone = { treatyFormFrom: null, treatyFormTo: null, treatyFormRate: null }
    expect((await upsert('insight:editor', { ...back, ...gone })).agreement?.revision).toBe(3)
  })

  test('distinguish a default of the tax treatment from a decision, and whose it was first', async () => {
    const { agreement } = await upsert('insight:editor', base())
    const id = agreement?.id
    const read = () =>
      send('insight:viewer', `query Q($id: ID!) { agreement(id: $id) { taxTreatmentConfirmedAt } }`, { id })
    const confirmedAt = async () =>
      dataOf<{ agreement: { taxTreatmentConfirmedAt: string | null } }>(await read()).agreement.taxTreatmentConfirmedAt
    expect(await confirmedAt()).toBeNull()
    await upsert('insight:editor', { id, payeeKind: 'company' })
    expect(await confirmedAt()).toBeNull()
    const saved = await upsert('insight:editor', { id, payeeKind: 'company', confirmsTaxTreatment: true })
    expect(saved.agreement?.revision).toBe(2)
    const first = await confirmedAt()
    expect(first).not.toBeNull()
    expect((await upsert('insight:admin', { id, confirmsTaxTreatment: true })).agreement?.revision).toBe(2)
    expect(await confirmedAt()).toBe(first)
    const other = { id, payeeKind: 'individual', confirmsTaxTreatment: true }
    expect((await upsert('insight:admin', other)).agreement?.revision).toBe(3)
    expect(await confirmedAt()).not.toBe(first)
    const fresh = await upsert('insight:editor', { ...base(), payeeKind: 'company', confirmsTaxTreatment: true })
    const own = await send(
      'insight:publisher_admin',
      `{ agreement(id: "${fresh.agreement?.id}") { taxTreatmentConfirmedAt } }`,
    )
    expect(own.json.data).toEqual({ agreement: { taxTreatmentConfirmedAt: null } })
  })

  test('are not confirmed as of a kind of payee that nobody has chosen', async () => {
    const missing = [['agreement/payee-kind-missing', 'input.payeeKind']]
    const fresh = { ...base(), confirmsTaxTreatment: true }
    expect(refusalsOf((await upsert('insight:editor', fresh)).answer)).toEqual(missing)
    const { agreement } = await upsert('insight:editor', base())
    const id = agreement?.id
    const residence = { id, payeeResidence: 'non_resident', confirmsTaxTreatment: true }
    expect(refusalsOf((await upsert('insight:editor', residence)).answer)).toEqual(missing)
    expect((await upsert('insight:editor', { ...residence, payeeKind: 'individual' })).agreement?.revision).toBe(2)
    // Decided once, it stays decided.
    const back = { id, payeeResidence: 'resident', confirmsTaxTreatment: true }
    expect((await upsert('insight:editor', back)).agreement?.revision).toBe(3)
  })

  test('keep the terms of every month, and show them as of a month', async () => {
    const { agreement } = await upsert('insight:admin', { ...base(), fixedRevenue: 100, validFromMonth: 202601 })
    const id = agreement?.id
    await upsert('insight:admin', { id, fixedRevenue: 300, validFromMonth: monthFromNow(2) })
    const third = await upsert('insight:admin', { id, fixedRevenue: 200, validFromMonth: 202603 })
    expect(third.agreement?.termsHistory.map(one => [one.validFromMonth, one.fixedRevenue])).toEqual([
      [202601, 100],
      [202603, 200],
      [monthFromNow(2), 300],
    ])
    expect(third.agreement?.fixedRevenue).toBe(200)
    const asOf = async (month: number) => {
      const answer = await send('insight:viewer', `{ agreement(id: "${id}", asOfMonth: ${month}) { fixedRevenue } }`)
      return dataOf<{ agreement: { fixedRevenue: number | null } }>(answer).agreement.fixedRevenue
    }
    expect([await asOf(202512), await asOf(202602), await asOf(202603), await asOf(monthFromNow(2))]).toEqual([
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
      [monthFromNow(2), 300],
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
    // In full width it looks the same on a statement.
    expect(refusalsOf((await upsert('insight:admin', { ...base(), code: '　ＡＬＰＨＡ－１' })).answer)).toEqual([
      ['agreement/code-taken', 'input.code'],
    ])
    // So does one that an earlier version kept as it was typed; its own agreement may keep it.
    const id = fixture.system.rows.b.agreementIds[0]!
    const setCode = (code: string) =>
      fixture.system.dependencies.database.inScope(SYSTEM, tx =>
        tx.updateTable('agreements').set({ code }).where('id', '=', id).execute(),
      )
    const { code } = await fixture.system.dependencies.database.inScope(SYSTEM, tx =>
      tx.selectFrom('agreements').select('code').where('id', '=', id).executeTakeFirstOrThrow(),
    )
    await setCode('ＯＬＤ−０１')
    const own = { id: String(fixture.system.rows.a.agreementIds[0]) }
    for (const input of [base(), own])
      expect(refusalsOf((await upsert('insight:admin', { ...input, code: 'OLD-01' })).answer)).toEqual([
        ['agreement/code-taken', 'input.code'],
      ])
    expect(refusalsOf((await upsert('insight:admin', { id: String(id), code: 'OLD-01' })).answer)).toEqual([])
    await setCode(code)
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
    const foreign = String(fixture.system.rows.b.bankAccountIds[0])
    const pending = String(fixture.system.rows.a.bankAccountIds[1])
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
    const freelancer = { ...base(), freelanceCoverage: 'covered', smallSupplierCoverage: 'not_covered' }
    const reduced = { ...freelancer, feePaidBy: 'publisher', payoutThreshold: 5_000, acknowledgedLawRuleIds: [] }
    expect(refusalsOf((await upsert('insight:admin', reduced)).answer)).toEqual([
      ['agreement/law', 'input.feePaidBy'],
      ['agreement/law', 'input.payoutThreshold'],
    ])
    // A form acknowledges warnings one by one; without acknowledgement they stand as findings.
    const warned = { ...base(), freelanceCoverage: 'unknown', smallSupplierCoverage: 'not_covered' }
    expect(refusalsOf((await upsert('insight:admin', { ...warned, acknowledgedLawRuleIds: [] })).answer)).toEqual([
      ['agreement/law', 'input.freelanceCoverage'],
    ])
    const acknowledged = await upsert('insight:admin', { ...warned, acknowledgedLawRuleIds: ['coverage-unknown'] })
    expect(acknowledged.agreement?.lawFindings).toContainEqual({
      ruleId: 'coverage-unknown',
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
    const list = await send('insight:viewer', `{ agreements(limit: 10, offset: 0, q: "${input.code}") { total } }`)
    expect(list.json.data).toEqual({ agreements: { total: 1 } })
    expect(refusalsOf((await upsert('insight:editor', base(), { key: 'once' })).answer)).toEqual([
      ['idempotency/key-reused', 'idempotencyKey'],
    ])
  })

  test('are found by their registration number, from four digits on; not by others of which it is hidden', async () => {
    const numbers = { qualifiedInvoiceIssuer: true, invoiceRegistrationNumber: 'T7123456789012' }
    const { agreement } = await upsert('insight:editor', { ...base(), ...numbers })
    const found = async (as: string, q: string) => {
      const query = 'query Q($q: String) { agreements(limit: 100, offset: 0, q: $q) { nodes { id } } }'
      const { agreements } = dataOf<{ agreements: { nodes: { id: string }[] } }>(await send(as, query, { q }))
      return agreements.nodes.some(node => node.id === agreement?.id)
    }
    for (const q of ['T7123456789012', 'ｔ７１２３', 'T7123 新しい'])
      expect(await found('insight:viewer', q), q).toBe(true)
    for (const q of ['T7123456789013', 'T712', '7123456789012', 'T7123 無い'])
      expect(await found('insight:viewer', q), q).toBe(false)
    expect(await found('insight:publisher_admin', 'T7123456789012')).toBe(true)
    expect(await found('ofB', 'T7123456789012')).toBe(false)
  })

  test('of several media are created together, or none', async () => {
    const query = `mutation M($input: [AgreementInput!]!, $accounts: [AgreementBankAccountInput!]) {
      createAgreements(input: $input, agreementBankAccounts: $accounts) { id mediumId agreementBankAccounts { usedFromMonth } } }`
    const accounts = [{ bankAccountId: String(fixture.system.rows.a.bankAccountIds[0]), usedFromMonth: 202601 }]
    const two = [
      { ...base(), mediumId: '2' },
      { ...base(), mediumId: '3' },
    ]
    const created = dataOf<{ createAgreements: object[] }>(
      await send('insight:editor', query, { input: two, accounts }),
    )
    expect(created.createAgreements).toMatchObject([
      { mediumId: '2', agreementBankAccounts: [{ usedFromMonth: 202601 }] },
      { mediumId: '3', agreementBankAccounts: [{ usedFromMonth: 202601 }] },
    ])
    const before = await auditCount()
    const broken = [
      { ...base(), mediumId: '2' },
      { ...base(), name: '' },
    ]
    expect(refusalsOf(await send('insight:editor', query, { input: broken }))).toEqual([
      ['agreement/name-required', 'input.1.name'],
    ])
    const turned = [{ ...base(), mediumId: '2', name: '契約\u202e', code: 'A\u0007' }]
    expect(refusalsOf(await send('insight:editor', query, { input: turned }))).toEqual([
      ['name/hidden-characters', 'input.0.name'],
      ['name/hidden-characters', 'input.0.code'],
    ])
    expect(await auditCount()).toBe(before)
    expect(refusalsOf(await send('insight:editor', query, { input: [] }))).toEqual([
      ['agreement/too-many-at-once', 'input'],
    ])
  })

  test('show the second of two editors who changed what', async () => {
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
    const shown = await send('insight:viewer', `{ agreement(id: "${id}") { name revision } }`)
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
    const account = { bankAccountId: String(fixture.system.rows.a.bankAccountIds[0]), usedFromMonth: 202602 }
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
