import { type Day, day } from '@pc/domain/month/day.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { sampleAgreement, sampleRule } from '@pc/domain/settlement/sample-month.ts'
import { codeOf, month, startStatementFixture, textOf } from '@pc/testing/system/statement-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { notifyStatements } from './notify-statements.ts'

/** Statements and the close of their month, over HTTP: what prevents it, who is notified, and their settings. */
const { system, inBooks, ask, list, enter, finalize, entered, closedMonth } = await startStatementFixture()
afterAll(() => system.close())

interface Check {
  readonly kind: string
  readonly state: string
  readonly detail: string
  readonly link: string | null
}

async function boardOf(mediumId: string): Promise<readonly Check[]> {
  const answer = await ask(
    '{ monthCloseBoard(month: "2026-06") { mediumId checks { kind state detail link } } }',
    'insight:admin',
  )
  const { monthCloseBoard } = answer.json.data as { monthCloseBoard: { mediumId: string; checks: Check[] }[] }
  return monthCloseBoard.find(row => row.mediumId === mediumId)!.checks
}

test('a missing field is red on the board and refuses the close, with what to do', async () => {
  const agreements = await entered(51n, system.rows.a.organizationId, [sampleAgreement(1n, [sampleRule(101n, 9_000n)])])
  const input = month(51n, 202606, { agreements })
  await enter(input)
  const board = async () => (await boardOf('51')).find(check => check.kind === 'statements')!
  expect((await board()).state).toBe('green')
  await inBooks(tx => tx.updateTable('statementSettings').set({ validFromMonth: 202701 }).execute())
  expect(await board()).toMatchObject({ state: 'red', detail: expect.stringContaining('支払元の設定') })
  expect(textOf(await finalize(input))).toContain('支払元の設定')
  expect((await list('insight:admin', { mediumId: '51' })).total).toBe(0)
  const state = await inBooks(tx =>
    tx.selectFrom('monthStates').select('state').where('mediumId', '=', 51n).executeTakeFirstOrThrow(),
  )
  expect(state.state).toBe('computed')
  await inBooks(tx => tx.updateTable('statementSettings').set({ validFromMonth: 202012 }).execute())
  // Nobody has said which account the money leaves: the board says where to enter it.
  await inBooks(tx => tx.updateTable('transferSources').set({ validFromMonth: 202701 }).execute())
  expect(await board()).toMatchObject({
    state: 'red',
    detail: expect.stringContaining('振込元の口座'),
    link: '/adjustments/settings',
  })
  expect(textOf(await finalize(input))).toContain('振込元の口座')
  await inBooks(tx => tx.updateTable('transferSources').set({ validFromMonth: 202012 }).execute())
  expect((await finalize(input)).json.errors).toBeUndefined()
})

test('a price of transfers that nobody has entered is red, refuses the close and leads to the settings', async () => {
  const agreements = await entered(53n, system.rows.a.organizationId, [
    sampleAgreement(1n, [sampleRule(101n, 9_000n)], { terms: { feePaidBy: 'publisher' } }),
    sampleAgreement(2n, [sampleRule(102n, 9_000n)]),
  ])
  const input = month(53n, 202606, { agreements })
  await enter(input)
  const fees = async () => (await boardOf('53')).find(check => check.kind === 'transfer_fees')!
  expect(await fees()).toMatchObject({
    state: 'red',
    detail: expect.stringContaining('振込手数料が分からない契約が1件あります（「契約53001」）'),
    link: '/adjustments/settings',
  })
  // The paper itself lacks nothing: one thing is red, where it is cured.
  expect((await boardOf('53')).find(check => check.kind === 'statements')!.state).toBe('green')
  expect(textOf(await finalize(input))).toContain('手数料表')
  const state = await inBooks(tx =>
    tx.selectFrom('monthStates').select('state').where('mediumId', '=', 53n).executeTakeFirstOrThrow(),
  )
  expect(state.state).toBe('computed')
  await inBooks(tx =>
    tx
      .insertInto('transferFees')
      .values({
        ...{ sourceBankCode: '0009', destination: 'other_bank', validFrom: day('2020-01-01') },
        ...{ fromAmountYen: 0n, feeYen: 660n },
      })
      .execute(),
  )
  expect((await fees()).state).toBe('green')
  expect((await finalize(input)).json.errors).toBeUndefined()
  expect((await list('insight:admin', { mediumId: '53' })).nodes).toMatchObject([
    { fee: 660, transferAmount: 9_240 },
    { fee: 0, transferAmount: 9_900 },
  ])
})

test('a number that nobody has looked up is named with its agreement and leads to the register', async () => {
  const agreements = await entered(54n, system.rows.a.organizationId, [
    sampleAgreement(1n, [sampleRule(101n, 9_000n)], { invoiceRegistrationNumber: 'T7010705000725' }),
  ])
  await enter(month(54n, 202606, { agreements }))
  const number = async () => (await boardOf('54')).find(check => check.kind === 'registrations')!
  const expected = {
    state: 'amber',
    detail: expect.stringContaining('「契約54001」のT7010705000725'),
    link: '/adjustments/registrations',
  }
  expect(await number()).toMatchObject(expected)
  // The same whether the draft fits and nothing is loaded, or has to be compared once more.
  await inBooks(tx => tx.updateTable('monthStates').set({ state: 'open' }).where('mediumId', '=', 54n).execute())
  expect(await number()).toMatchObject(expected)
})

/** What would be sent is kept instead. */
const recording = (sent: object[]) =>
  ({
    ...system.dependencies.money.statements,
    jobs: {
      ...system.dependencies.jobs,
      enqueue: async (_tx: unknown, _kind: unknown, data: object) => void sent.push(data),
    },
  }) as unknown as Parameters<typeof notifyStatements>[0]

test('the payee hears of it by mail and bell, once', async () => {
  const statements = await closedMonth(52n, 202606, [8_000n, 7_000n])
  const ids = statements.map(each => BigInt(each.id))
  const sent: { to: string; subject: string; text: string }[] = []
  await notifyStatements(recording(sent), ids)
  await notifyStatements(recording(sent), ids)
  expect(sent.map(mail => mail.to)).toEqual([system.rows.users['insight:publisher_admin'].email])
  expect(sent[0]!.subject).toContain('2026年6月分の支払通知書')
  expect(sent[0]!.text).toContain('2026年8月19日までに')
  // June was due on the last day of July, and today is 5 August: that is no plan.
  expect(sent[0]!.text).not.toContain('【お支払いの予定】')
  expect(sent[0]!.text).toContain('#/histories/statements/state=unconfirmed')
  const bell = await inBooks(tx =>
    tx
      .selectFrom('announcements as a')
      .innerJoin('announcementTargets as t', 't.announcementId', 'a.id')
      .select(['a.enabled', 'a.level', 't.kind', 't.organizationId'])
      .where('a.title', '=', '2026年6月分の支払通知書を発行しました')
      .execute(),
  )
  const { organizationId } = system.rows.a
  expect(bell).toEqual([{ enabled: true, level: 'info', kind: 'organization', organizationId }])
})

test('staff hears once of an objection that is withdrawn before its job runs, also when both jobs run twice', async () => {
  const [statement] = await closedMonth(57n, 202607, [8_000n])
  const { id, hash } = statement!
  const as = 'insight:publisher_admin'
  const ids = [BigInt(id)]
  await notifyStatements(recording([]), ids)
  const OBJECT = `mutation ($id: ID!, $hash: String!) { objectToStatement(id: $id, hash: $hash, text: "違います") { id } }`
  const WITHDRAW = 'mutation ($id: ID!) { withdrawStatementObjection(id: $id) { id } }'
  expect((await ask(OBJECT, as, { id, hash })).json.errors).toBeUndefined()
  expect((await ask(WITHDRAW, as, { id })).json.errors).toBeUndefined()
  const sent: { to: string; subject: string }[] = []
  await Promise.all([notifyStatements(recording(sent), ids), notifyStatements(recording(sent), ids)])
  await notifyStatements(recording(sent), ids)
  expect(sent.length).toBeGreaterThan(0)
  expect(new Set(sent.map(mail => mail.to)).size).toBe(sent.length)
  expect(new Set(sent.map(mail => mail.subject))).toEqual(
    new Set([expect.stringContaining('への照会が取り下げられました')]),
  )
})

test('a statement that was replaced before its job ran is not announced', async () => {
  const [statement] = await closedMonth(56n, 202607, [8_000n])
  const { id } = statement!
  const REVISE = 'mutation ($id: ID!) { reviseStatement(id: $id, reason: "住所の訂正") { id } }'
  expect((await ask(REVISE, 'insight:admin', { id })).json.errors).toBeUndefined()
  const sent: object[] = []
  await notifyStatements(recording(sent), [BigInt(id)])
  expect(sent).toEqual([])
})

test('the email says when the money comes', async () => {
  const statements = await closedMonth(55n, 202607, [8_000n, 7_000n])
  const ids = statements.map(each => BigInt(each.id))
  const sent: { text: string }[] = []
  await notifyStatements(recording(sent), ids)
  const { dueOn, totalYen } = await inBooks(tx =>
    tx
      .selectFrom('statements')
      .select(eb => ['dueOn', eb.fn.sum<bigint>('totalYen').as('totalYen')])
      .where('id', 'in', ids)
      .groupBy('dueOn')
      .executeTakeFirstOrThrow(),
  )
  const payout = `${dayText(dueOn as Day)}　${BigInt(totalYen).toLocaleString('ja-JP')}円`
  expect(sent[0]!.text).toContain(`【お支払いの予定】（税込。源泉徴収と振込手数料を差し引く前）\n${payout}`)
})

test('settings are dated and belong to administrators', async () => {
  const save = (as: string, input: object) =>
    ask(
      'mutation ($input: StatementSettingsInput!) { saveStatementSettings(input: $input) { validFromMonth payerName revision } }',
      as,
      { input },
    )
  const input = {
    validFromMonth: '2026-09',
    payerName: ' 株式会社サンプルHD ',
    payerRegistrationNumber: 'Ｔ4011001098993',
    deemedConfirmationDays: 10,
  }
  expect(codeOf(await save('insight:editor', input))).toBe('FORBIDDEN')
  for (const wrong of [
    { payerName: ' ' },
    { payerRegistrationNumber: 'T1' },
    // The check digit is 9.
    { payerRegistrationNumber: 'T1180301018772' },
    { deemedConfirmationDays: 0 },
    { sourceBankCode: '1' },
    { validFromMonth: '2026-07' },
  ]) {
    expect(codeOf(await save('insight:admin', { ...input, ...wrong }))).toBe('BAD_REQUEST')
  }
  const saved = await save('insight:admin', input)
  expect(saved.json.data).toEqual({
    saveStatementSettings: { validFromMonth: '2026-09', payerName: '株式会社サンプルHD', revision: 1 },
  })
  const settings = await ask('{ statementSettings { payerName } }', 'insight:publisher_admin')
  expect(settings.json.data).toEqual({ statementSettings: [] })
})
