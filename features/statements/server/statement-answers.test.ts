import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { codeOf, startStatementFixture, textOf } from '@pc/testing/system/statement-fixture.ts'
import { afterAll, expect, test } from 'vitest'
import { autoConfirmStatements } from './auto-confirm-statements.ts'

/** What payees and the payer say about statements, over HTTP: once each, and never a change of the document. */
const { system, clock, ask, list, closedMonth, file, eventsOf } = await startStatementFixture()
afterAll(() => system.close())

const CONFIRM = `mutation ($id: ID!, $hash: String!, $key: String) {
  confirmStatement(id: $id, hash: $hash, idempotencyKey: $key) { state confirmationMethod } }`
const OBJECT = `mutation ($id: ID!, $hash: String!, $text: String, $lines: [ObjectedLineInput!], $key: String) {
  objectToStatement(id: $id, hash: $hash, text: $text, lines: $lines, idempotencyKey: $key) { state } }`
const RESOLVE = `mutation ($id: ID!, $resolution: StatementResolution!, $text: String!, $month: String) {
  resolveStatement(id: $id, resolution: $resolution, text: $text, adjustmentMonth: $month) { state } }`

test('confirmed: the very text, by whom, when and from where; 20 at the same time are one', async () => {
  const [statement] = await closedMonth(41n, 202606, [10_000n])
  const { id, hash } = statement!
  expect(textOf(await ask(CONFIRM, 'insight:admin', { id, hash }))).toContain('支払先の方だけ')
  expect(textOf(await ask(CONFIRM, 'insight:publisher_admin', { id, hash: 'f'.repeat(64) }))).toContain('差し替え')
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => ask(CONFIRM, 'insight:publisher_admin', { id, hash })),
    ...Array.from({ length: 10 }, () => ask(OBJECT, 'insight:publisher_admin', { id, hash, text: '違います' })),
  ])
  expect(answers.filter(answer => !answer.json.errors)).toHaveLength(1)
  expect(new Set(answers.filter(answer => answer.json.errors).map(codeOf))).toEqual(new Set(['BAD_REQUEST']))
  const events = await eventsOf(id)
  expect(events).toHaveLength(1)
  const { uid, email } = system.rows.users['insight:publisher_admin']
  expect(events[0]).toMatchObject({ statementHash: hash, actorUid: uid, actorEmail: email })
  expect(events[0]!.sourceAddress).toMatch(/127\.0\.0\.1|::1/)
  expect(events[0]!.at.getTime()).toBe(clock.now())
})

test('the same submission twenty times is one answer', async () => {
  const [statement] = await closedMonth(42n, 202606, [10_000n])
  const variables = { id: statement!.id, hash: statement!.hash, key: 'confirm-once' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(CONFIRM, 'insight:publisher_admin', variables)),
  )
  expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
  expect(answers[0]!.json.data).toEqual({ confirmStatement: { state: 'confirmed', confirmationMethod: 'explicit' } })
  expect(await eventsOf(statement!.id)).toHaveLength(1)
})

test('objected by line, answered by a later month; the document never changes', async () => {
  const [statement] = await closedMonth(43n, 202606, [10_000n])
  const { id, hash } = statement!
  const before = (await file(id, 'pdf', 'insight:admin')).file!.sha256
  const wrong = { id, hash, lines: [{ label: '存在しない明細', reason: 'x' }] }
  expect(textOf(await ask(OBJECT, 'insight:publisher_admin', wrong))).toContain('存在しない明細')
  const lines = [{ label: '配信収益（自社広告）', reason: '動画の再生が含まれていません' }]
  const objected = await ask(OBJECT, 'insight:publisher_admin', { id, hash, lines })
  expect(objected.json.data).toEqual({ objectToStatement: { state: 'objected' } })
  clock.set('2026-12-01T12:00:00+09:00')
  await autoConfirmStatements(system.dependencies.database, clock)
  clock.set('2026-08-05T12:00:00+09:00')
  expect((await list('insight:admin', { ids: [id] })).nodes[0]!.state).toBe('objected')
  const text = '7月分の調整でお支払いします。'
  const early = { id, resolution: 'adjusted_later', text, month: '2026-06' }
  expect(textOf(await ask(RESOLVE, 'insight:editor', early))).toContain('後の月')
  expect(textOf(await ask(RESOLVE, 'insight:publisher_admin', early))).toContain('支払元')
  const resolved = await ask(RESOLVE, 'insight:editor', { ...early, month: '2026-07' })
  expect(resolved.json.data).toEqual({ resolveStatement: { state: 'resolved' } })
  expect((await file(id, 'pdf', 'insight:admin')).file!.sha256).toBe(before)
  const events = await ask(
    'query ($id: ID!) { statement(id: $id) { events { event actorEmail text lines { label reason } adjustmentMonth } } }',
    'insight:publisher_admin',
    { id },
  )
  expect((events.json.data as { statement: { events: object[] } }).statement.events).toEqual([
    {
      event: 'object',
      actorEmail: system.rows.users['insight:publisher_admin'].email,
      text: null,
      lines,
      adjustmentMonth: null,
    },
    { event: 'resolve', actorEmail: null, text, lines: [], adjustmentMonth: '2026-07' },
  ])
})

test('withdrawn by the payee alone, and objected to again: one thread, and the answer counts once', async () => {
  const WITHDRAW =
    'mutation ($id: ID!, $key: String) { withdrawStatementObjection(id: $id, idempotencyKey: $key) { state } }'
  const [statement] = await closedMonth(61n, 202606, [10_000n])
  const { id, hash } = statement!
  const as = 'insight:publisher_admin'
  expect((await ask(WITHDRAW, as, { id })).json.errors).toBeDefined()
  await ask(OBJECT, as, { id, hash, text: '違います' })
  expect(textOf(await ask(WITHDRAW, 'insight:admin', { id }))).toContain('支払先の方だけ')
  const many = await Promise.all(Array.from({ length: 6 }, () => ask(WITHDRAW, as, { id })))
  expect(many.filter(answer => !answer.json.errors)).toHaveLength(1)
  expect(await eventsOf(id)).toHaveLength(2)
  const again = await ask(OBJECT, as, { id, hash, text: 'やはり違います' })
  expect(again.json.data).toEqual({ objectToStatement: { state: 'objected' } })
  const keyed = await Promise.all(Array.from({ length: 4 }, () => ask(WITHDRAW, as, { id, key: 'back' })))
  expect(new Set(keyed.map(answer => answer.text)).size).toBe(1)
  expect(keyed[0]!.json.data).toEqual({ withdrawStatementObjection: { state: 'issued' } })
  const { database } = system.dependencies
  const threads = await database.inScope(SYSTEM, tx =>
    tx.selectFrom('questions').select(['id', 'state']).where('statementId', '=', BigInt(id)).execute(),
  )
  expect(threads.map(thread => thread.state)).toEqual(['resolved'])
  const said = await database.inScope(SYSTEM, tx =>
    tx
      .selectFrom('questionMessages')
      .select(['text', 'isByStaff'])
      .where('questionId', '=', threads[0]!.id)
      .orderBy('id')
      .execute(),
  )
  expect(said.map(each => each.text)).toEqual([
    '違います',
    '照会を取り下げました。',
    'やはり違います',
    '照会を取り下げました。',
  ])
  expect(said.some(each => each.isByStaff)).toBe(false)
  // What waits again is confirmed by a person, and then no more withdrawn.
  const confirmed = await ask(CONFIRM, as, { id, hash })
  expect(confirmed.json.data).toMatchObject({ confirmStatement: { state: 'confirmed' } })
  expect((await ask(WITHDRAW, as, { id })).json.errors).toBeDefined()
})

test('silence counts from the day after the printed one in Tokyo; an answer at the same moment is one of both', async () => {
  clock.set('2026-08-17T12:00:00+09:00')
  const statements = await closedMonth(
    44n,
    202606,
    Array.from({ length: 12 }, () => 5_000n),
  )
  expect(new Set(statements.map(each => each.deemedOn))).toEqual(new Set(['2026-08-31']))
  clock.set('2026-08-31T23:59:59+09:00')
  await autoConfirmStatements(system.dependencies.database, clock)
  expect((await list('insight:admin', { mediumId: '44', states: ['issued'] })).total).toBe(12)
  clock.set('2026-09-01T00:00:00+09:00')
  const { database } = system.dependencies
  const racing = statements.map(({ id, hash }) => ask(CONFIRM, 'insight:publisher_admin', { id, hash }))
  await Promise.all([...racing, ...Array.from({ length: 4 }, () => autoConfirmStatements(database, clock))])
  await autoConfirmStatements(database, clock)
  for (const { id } of statements) expect(await eventsOf(id)).toHaveLength(1)
  const { nodes } = await list('insight:admin', { mediumId: '44' })
  expect(new Set(nodes.map(node => node.state))).toEqual(new Set(['confirmed']))
  clock.set('2026-08-05T12:00:00+09:00')
})

test('silence says nothing of a statement without a notification, until staff records how it was sent', async () => {
  clock.set('2026-08-17T12:00:00+09:00')
  const [statement] = await closedMonth(48n, 202606, [5_000n])
  const { id, hash } = statement!
  const { database } = system.dependencies
  await database.inScope(SYSTEM, tx =>
    tx.deleteFrom('statementNotices').where('statementId', '=', BigInt(id)).execute(),
  )
  const read = async (as: string) =>
    (await ask('query ($id: ID!) { statement(id: $id) { state isUntold } }', as, { id })).json.data
  clock.set('2026-12-01T12:00:00+09:00')
  await autoConfirmStatements(database, clock)
  expect(await read('insight:admin')).toEqual({ statement: { state: 'issued', isUntold: true } })
  expect(await read('insight:publisher_admin')).toEqual({ statement: { state: 'issued', isUntold: false } })
  const SEND = `mutation ($id: ID!, $how: String!) { recordStatementSending(id: $id, how: $how) { state isUntold } }`
  expect(textOf(await ask(SEND, 'insight:publisher_admin', { id, how: '郵送' }))).toContain('支払元')
  expect(textOf(await ask(SEND, 'insight:editor', { id, how: ' ' }))).toContain('入力してください')
  const sent = await ask(SEND, 'insight:editor', { id, how: '12月1日に郵送' })
  expect(sent.json.data).toEqual({ recordStatementSending: { state: 'issued', isUntold: false } })
  expect(textOf(await ask(SEND, 'insight:editor', { id, how: '12月1日に郵送' }))).toContain('すでに通知')
  // Fourteen days from the day of the issue, and so from that of the sending.
  clock.set('2026-12-15T12:00:00+09:00')
  await autoConfirmStatements(database, clock)
  expect(await read('insight:admin')).toMatchObject({ statement: { state: 'issued' } })
  clock.set('2026-12-16T12:00:00+09:00')
  await autoConfirmStatements(database, clock)
  expect(await read('insight:admin')).toMatchObject({ statement: { state: 'confirmed' } })
  expect((await eventsOf(id)).map(each => each.event)).toEqual(['send', 'deem'])
  expect(hash).toHaveLength(64)
  clock.set('2026-08-05T12:00:00+09:00')
})

test('a revision keeps the number, names its reason and is confirmed again', async () => {
  const [statement] = await closedMonth(45n, 202606, [10_000n])
  const { id, hash } = statement!
  await ask(CONFIRM, 'insight:publisher_admin', { id, hash })
  const revise = (reason: string, as = 'insight:admin') =>
    ask(
      'mutation ($id: ID!, $reason: String!) { reviseStatement(id: $id, reason: $reason) { id numberText state revisionReason hash total } }',
      as,
      { id, reason },
    )
  expect(codeOf(await revise('x', 'insight:editor'))).toBe('FORBIDDEN')
  expect(codeOf(await revise(' '))).toBe('BAD_REQUEST')
  const answers = await Promise.all(Array.from({ length: 8 }, () => revise('支払元の住所の訂正')))
  expect(answers.filter(answer => !answer.json.errors)).toHaveLength(1)
  const { nodes } = await list('insight:publisher_admin', { monthlyPaymentIds: [statement!.monthlyPaymentId] })
  expect(nodes).toMatchObject([
    { id, state: 'replaced', confirmationMethod: 'explicit' },
    { number: statement!.number, revision: 1, state: 'issued', total: statement!.total },
  ])
  expect(textOf(await ask(CONFIRM, 'insight:publisher_admin', { id, hash }))).toContain('現在の状態')
})
