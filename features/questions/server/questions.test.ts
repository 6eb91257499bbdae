import { readSqlRefusal } from '@pc/platform/postgres/translate-sql-state.ts'
import { TABLES } from '@pc/platform/stats/tables.ts'
import { importFacts } from '@pc/testing/statistics/stats-rows.ts'
import { codeOf, startStatementFixture, textOf } from '@pc/testing/system/statement-fixture.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notifyOfQuestion } from './notify-question.ts'

/** Questions over HTTP: asked by people of both organisations, answered by staff, and invisible to others. */
const { system, ask, inBooks, closedMonth } = await startStatementFixture()
afterAll(() => system.close())

const FIELDS = `id kind state subject context month valueThen valueNow { value } unit organizationName askerEmail assigneeUid
  assigneeEmail isMine isUnread revision messages { id text isByStaff isInternal isMine writerEmail }`
const SUBJECT =
  'query ($subject: QuestionSubjectInput!) { questionSubject(subject: $subject) { subject context value unit } }'
const ASK = `mutation ($subject: QuestionSubjectInput!, $seen: String, $text: String!, $key: String) {
  askQuestion(subject: $subject, seenValue: $seen, text: $text, idempotencyKey: $key) { ${FIELDS} } }`
const WRITE = `mutation ($id: ID!, $text: String!, $isInternal: Boolean, $key: String) {
  writeQuestionMessage(id: $id, text: $text, isInternal: $isInternal, idempotencyKey: $key) { ${FIELDS} } }`
const RESOLVE = `mutation ($id: ID!, $revision: Int!) { resolveQuestion(id: $id, expectedRevision: $revision) { ${FIELDS} } }`
const ASSIGN = `mutation ($id: ID!, $uid: ID) { assignQuestion(id: $id, assigneeUid: $uid) { ${FIELDS} } }`
const READ = 'mutation ($id: ID!, $messageId: ID!) { readQuestion(id: $id, messageId: $messageId) { isUnread } }'

interface Thread {
  readonly id: string
  readonly state: string
  readonly valueThen: string | null
  readonly valueNow: { readonly value: string | null } | null
  readonly isUnread: boolean
  readonly assigneeUid: string | null
  readonly revision: number
  readonly messages: readonly { readonly id: string; readonly text: string; readonly isInternal: boolean }[]
}
const { users } = system.rows
const done = async (as: string, query: string, variables: object): Promise<Thread> => {
  const answer = await ask(query, as, variables)
  expect(answer.json.errors, answer.text).toBeUndefined()
  return Object.values(answer.json.data as object)[0] as Thread
}
const show = async (as: string, id: string) => {
  const answer = await ask(`query ($id: ID!) { question(id: $id) { ${FIELDS} } }`, as, { id })
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (answer.json.data as { question: Thread | null }).question
}
const list = async (as: string, param: object = {}, q?: string) => {
  const answer = await ask(
    `query ($param: QuestionsParam, $q: String) { questions(limit: 100, offset: 0, param: $param, q: $q) {
      total counts { open answered resolved unread } nodes { id state } } }`,
    as,
    { param, q },
  )
  expect(answer.json.errors, answer.text).toBeUndefined()
  return (
    answer.json.data as {
      questions: { total: number; counts: Record<string, number>; nodes: { id: string; state: string }[] }
    }
  ).questions
}

/** A payment of A that its editor is assigned to, one of A that it is not, and one of B. */
let payments: { readonly ofEditor: string; readonly ofA: string; readonly ofB: string }
const payment = (id: string, column = 'paymentIncludingTax', path?: string) => ({ kind: 'payment', id, column, path })

beforeAll(async () => {
  const [first, second] = await closedMonth(61n, 202606, [10_000n, 20_000n])
  const [foreign] = await closedMonth(62n, 202606, [30_000n], system.rows.b)
  payments = {
    ofEditor: first!.monthlyPaymentId,
    ofA: second!.monthlyPaymentId,
    ofB: foreign!.monthlyPaymentId,
  }
  await inBooks(async tx => {
    const { agreementId } = await tx
      .selectFrom('monthlyPayments')
      .select('agreementId')
      .where('id', '=', BigInt(payments.ofEditor))
      .executeTakeFirstOrThrow()
    const { uid } = users['insight:publisher_editor']
    await tx.insertInto('userAgreements').values({ uid, agreementId }).execute()
  })
})

describe('asking', () => {
  test('pins the amount with its value; twenty times the same submission is one thread', async () => {
    const subject = payment(payments.ofA)
    const seen = (await ask(SUBJECT, 'insight:publisher_admin', { subject })).json.data as {
      questionSubject: { subject: string; context: string; value: string; unit: string }
    }
    expect(seen.questionSubject).toMatchObject({ subject: '2026年6月分の支払額（税込）', value: '22,000', unit: 'yen' })
    const variables = {
      subject,
      seen: '22,000',
      text: ' 先月より少ない理由を教えてください。\r\nお願いします。 ',
      key: 'once',
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(ASK, 'insight:publisher_admin', variables)))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    const thread = (answers[0]!.json.data as { askQuestion: Thread }).askQuestion
    expect(thread).toMatchObject({
      kind: 'payment',
      state: 'open',
      month: '2026-06',
      valueThen: '22,000',
      valueNow: { value: '22,000' },
      isMine: true,
      isUnread: false,
      assigneeEmail: null,
      revision: 1,
      messages: [{ text: '先月より少ない理由を教えてください。\nお願いします。', isByStaff: false, isMine: true }],
    })
    expect((await list('insight:publisher_admin', {}, '支払額')).total).toBe(1)
  })

  test('pins a line of the breakdown, down to the day', async () => {
    const EXPLAIN = `query ($id: ID!, $path: String) { explainAmount(kind: payment, id: $id, column: revenue, path: $path) {
      id label amount children { id label amount hasChildren } } }`
    type Level = { id: string; label: string; amount: string; children: { id: string; hasChildren: boolean }[] }
    let path: string | undefined
    let level: Level | undefined
    for (let depth = 0; depth < 6; depth += 1) {
      const answer = await ask(EXPLAIN, 'insight:publisher_admin', { id: payments.ofA, path })
      level = (answer.json.data as { explainAmount: Level }).explainAmount
      const next = level.children.find(child => child.hasChildren)
      if (!next) break
      path = next.id
    }
    const subject = payment(payments.ofA, 'revenue', path)
    const thread = await done('insight:publisher_admin', ASK, { subject, seen: level!.amount, text: 'この行について' })
    expect(thread).toMatchObject({ valueThen: level!.amount, valueNow: { value: level!.amount } })
    expect((await show('insight:editor', thread.id))?.valueNow).toEqual({ value: level!.amount })
  })

  test('is refused where the value is another one by now, where nothing is said, and for staff', async () => {
    const subject = payment(payments.ofA)
    const say = (as: string, change: object) => ask(ASK, as, { subject, seen: '22,000', text: 'x', ...change })
    expect(textOf(await say('insight:publisher_admin', { seen: '21,999' }))).toContain('現在 22,000')
    expect(textOf(await say('insight:publisher_admin', { text: ' \n' }))).toContain('入力してください')
    expect(textOf(await say('insight:publisher_admin', { text: 'あ'.repeat(2_001) }))).toContain('2000文字')
    expect(codeOf(await say('insight:admin', {}))).toBe('FORBIDDEN')
    for (const wrong of [
      { kind: 'payment' },
      { kind: 'statement', id: '1' },
      { kind: 'report', from: '2026-06-02', to: '2026-06-01', figure: 'clicks' },
      { kind: 'report', from: '1900-01-01', to: '2026-06-01', figure: 'clicks' },
      { kind: 'report', from: '2026-06-01', to: '2999-12-31', figure: 'clicks' },
      payment(payments.ofA, 'nothing'),
      payment(payments.ofA, 'revenue', 'payment/0/nowhere'),
    ])
      expect(textOf(await say('insight:publisher_admin', { subject: wrong })), JSON.stringify(wrong)).toContain(
        '質問の対象が見つかりません',
      )
  })
})

describe('who sees what', () => {
  test('a foreign amount is not there, as a subject and as a thread', async () => {
    const subject = payment(payments.ofB)
    for (const as of ['insight:publisher_admin', 'insight:publisher_editor']) {
      expect((await ask(SUBJECT, as, { subject })).json.data).toEqual({ questionSubject: null })
      expect(textOf(await ask(ASK, as, { subject, seen: '33,000', text: 'x' }))).toContain('質問の対象が見つかりません')
    }
    const other = payment(payments.ofA)
    expect(textOf(await ask(ASK, 'insight:publisher_editor', { subject: other, seen: '22,000', text: 'x' }))).toContain(
      '質問の対象が見つかりません',
    )
    const foreign = await done('ofB', ASK, { subject, seen: '33,000', text: '他社の質問' })
    for (const as of ['insight:publisher_admin', 'insight:publisher_editor']) {
      expect(await show(as, foreign.id)).toBeNull()
      expect((await list(as)).nodes.map(node => node.id)).not.toContain(foreign.id)
      for (const [query, more] of [
        [WRITE, { text: 'x' }],
        [RESOLVE, { revision: 1 }],
        [ASSIGN, { uid: null }],
        [READ, { messageId: '1' }],
      ] as const)
        expect(codeOf(await ask(query, as, { id: foreign.id, ...more })), query).toBe('BAD_REQUEST')
    }
    expect(codeOf(await ask(SUBJECT, 'nobody', { subject }))).toBe('FORBIDDEN')
    expect((await show('insight:viewer', foreign.id))?.messages).toHaveLength(1)
    expect(codeOf(await ask(WRITE, 'insight:viewer', { id: foreign.id, text: 'x' }))).toBe('FORBIDDEN')
  })

  test("an editor sees the threads of the own agreements, the administrator all of the organisation's", async () => {
    const mine = { subject: payment(payments.ofEditor), seen: '11,000', text: '担当契約の質問' }
    const thread = await done('insight:publisher_editor', ASK, mine)
    expect((await show('insight:publisher_admin', thread.id))?.messages).toHaveLength(1)
    const others = (await list('insight:publisher_admin')).nodes.filter(node => node.id !== thread.id)
    expect(others.length).toBeGreaterThan(0)
    expect((await list('insight:publisher_editor')).nodes.map(node => node.id)).toEqual([thread.id])
    for (const { id } of others) expect(await show('insight:publisher_editor', id)).toBeNull()
  })
})

describe('answering', () => {
  test('goes on until it is solved; notes and names of staff stay with staff; each side sees what is new', async () => {
    const { id } = await done('insight:publisher_admin', ASK, {
      subject: payment(payments.ofA, 'revenue'),
      seen: '20,000',
      text: '収益の内訳について',
    })
    expect((await show('insight:editor', id))?.isUnread).toBe(true)
    const editor = users['insight:editor']
    await done('insight:editor', ASSIGN, { id, uid: editor.uid })
    expect(textOf(await ask(ASSIGN, 'insight:editor', { id, uid: users['insight:publisher_admin'].uid }))).toContain(
      '担当者が見つかりません',
    )
    await done('insight:admin', WRITE, { id, text: '社内：原資の確認待ち', isInternal: true })
    const noted = await show('insight:publisher_admin', id)
    expect(noted).toMatchObject({ state: 'open', assigneeUid: null, assigneeEmail: null, isUnread: false })
    // Publishers do not even learn that a note was added or the thread assigned: what they have read stays the latest
    // message.
    expect(noted!.revision).toBe(1)
    expect(JSON.stringify(noted)).not.toContain('社内')
    const answered = await done('insight:editor', WRITE, { id, text: '原資が減ったためです。' })
    expect(answered).toMatchObject({ state: 'answered', assigneeEmail: editor.email })
    expect(answered.messages.map(message => message.isInternal)).toEqual([false, true, false])
    const seen = await show('insight:publisher_admin', id)
    expect(seen).toMatchObject({
      state: 'answered',
      isUnread: true,
      messages: [{ writerEmail: users['insight:publisher_admin'].email }, { isByStaff: true, writerEmail: null }],
    })
    await done('insight:publisher_admin', READ, { id, messageId: seen!.messages.at(-1)!.id })
    // What was read stays read, whatever is sent later.
    await done('insight:publisher_admin', READ, { id, messageId: seen!.messages[0]!.id })
    expect((await show('insight:publisher_admin', id))?.isUnread).toBe(false)
    expect((await list('insight:publisher_admin', { isUnread: true })).nodes.map(node => node.id)).not.toContain(id)
    // A resolution with an old revision does not close a thread with a new question.
    await done('insight:publisher_admin', WRITE, { id, text: 'もう一点あります。' })
    expect(textOf(await ask(RESOLVE, 'insight:editor', { id, revision: answered.revision }))).not.toBe('')
    const open = await show('insight:editor', id)
    expect(open).toMatchObject({ state: 'open', isUnread: true })
    expect(await done('insight:editor', RESOLVE, { id, revision: open!.revision })).toMatchObject({ state: 'resolved' })
    expect(await done('insight:publisher_admin', WRITE, { id, text: '再度' })).toMatchObject({ state: 'open' })
    expect((await list('insight:editor', { assignee: 'me', states: ['open'] })).nodes.map(node => node.id)).toEqual([
      id,
    ])
  })

  test('only staff notes and assigns', async () => {
    const [{ id } = { id: '' }] = (await list('insight:publisher_admin')).nodes
    const note = { id, text: '社内のつもり', isInternal: true }
    expect(textOf(await ask(WRITE, 'insight:publisher_admin', note))).toContain('担当者だけ')
    expect(textOf(await ask(ASSIGN, 'insight:publisher_admin', { id, uid: null }))).toContain('担当者だけ')
    expect((await ask('{ questionAnswerers { uid } }', 'insight:publisher_admin')).json.data).toEqual({
      questionAnswerers: [],
    })
    expect(codeOf(await ask('{ answerTemplates { id } }', 'insight:publisher_admin'))).toBe('FORBIDDEN')
  })

  test('both sides are mailed once for each message, and never of a note', async () => {
    const subject = payment(payments.ofEditor, 'payment')
    const { id } = await done('insight:publisher_editor', ASK, { subject, seen: '10,000', text: 'メールの質問' })
    const sent: { to: string; subject: string; text: string }[] = []
    const jobs = {
      ...system.dependencies.jobs,
      enqueue: async (_tx: unknown, _kind: unknown, data: object) => sent.push(data as never),
    }
    const parts = {
      database: system.dependencies.database,
      webOrigin: 'https://pc.example.jp',
      jobs,
    } as unknown as Parameters<typeof notifyOfQuestion>[0]
    const notify = async () => {
      await notifyOfQuestion(parts, BigInt(id))
      await notifyOfQuestion(parts, BigInt(id))
      return sent.splice(0)
    }
    const first = await notify()
    expect(first.map(mail => mail.to)).toEqual([users['insight:admin'].email, users['insight:editor'].email])
    expect(first[0]!.text).toContain('メールの質問')
    expect(first[0]!.text).toContain(`https://pc.example.jp/gpc/#/histories/questions/id%3D${id}`)
    await done('insight:admin', WRITE, { id, text: '秘密のメモ', isInternal: true })
    expect(await notify()).toEqual([])
    await done('insight:admin', ASSIGN, { id, uid: users['insight:admin'].uid })
    await done('insight:admin', WRITE, { id, text: '回答です' })
    const answer = await notify()
    expect(answer.map(mail => mail.to)).toEqual([users['insight:publisher_editor'].email])
    expect(answer[0]!.text).toContain('回答です')
    expect(JSON.stringify(answer)).not.toContain('秘密')
    expect(JSON.stringify(answer)).not.toContain(users['insight:admin'].email)
    await done('insight:publisher_editor', WRITE, { id, text: '続きです' })
    expect((await notify()).map(mail => mail.to)).toEqual([users['insight:admin'].email])
  })

  test('questions and answers are never changed, not even by the system', async () => {
    const [{ id } = { id: '' }] = (await list('insight:admin')).nodes
    const change = (statement: 'value' | 'message' | 'deletion') =>
      inBooks(async tx => {
        if (statement === 'value')
          await tx.updateTable('questions').set({ valueThen: '1' }).where('id', '=', BigInt(id)).execute()
        if (statement === 'message') await tx.updateTable('questionMessages').set({ text: 'x' }).execute()
        if (statement === 'deletion') await tx.deleteFrom('questions').execute()
      })
    for (const statement of ['value', 'message', 'deletion'] as const)
      await expect(change(statement), statement).rejects.toMatchObject({ code: '23514' })
  })
})

describe('a figure of the reports', () => {
  const DAY = '2026-10-05'
  const enter = (clicks: bigint, batchNo: bigint) =>
    importFacts(system.dependencies.stats, batchNo, {
      publisher_day: [system.rows.a.publisherIds[0]!, system.rows.b.publisherIds[0]!].map(publisherId => ({
        ...Object.fromEntries(TABLES.publisher_day.columns.map(([column]) => [column, 0n])),
        date: DAY,
        medium_id: 1n,
        publisher_id: publisherId,
        batch_no: batchNo,
        article_click: clicks,
      })),
    })
  const subject = { kind: 'report', from: DAY, to: DAY, figure: 'clicks', mediumIds: ['1'] }

  test('is the sum of the own rows, and the thread shows when it has changed since', async () => {
    await enter(1_234n, 901n)
    const read = (await ask(SUBJECT, 'insight:publisher_admin', { subject })).json.data
    expect(read).toEqual({
      questionSubject: {
        subject: '2026年10月5日のクリック数',
        context: 'すべてのパブリッシャー / メディア1',
        value: '1,234',
        unit: 'count',
      },
    })
    const thread = await done('insight:publisher_admin', ASK, { subject, seen: '1,234', text: '少なくありませんか' })
    expect(thread).toMatchObject({ valueThen: '1,234', valueNow: { value: '1,234' } })
    await enter(6n, 902n)
    // The same rows as the publisher sees, although staff could see everybody's.
    for (const as of ['insight:publisher_admin', 'insight:admin'])
      expect(await show(as, thread.id)).toMatchObject({ valueThen: '1,234', valueNow: { value: '1,240' } })
    expect(await show('insight:publisher_editor', thread.id)).toBeNull()
  })

  test('without data is no zero, and a foreign publisher is not there', async () => {
    const nothing = { ...subject, from: '2026-10-06', to: '2026-10-06' }
    const thread = await done('insight:publisher_admin', ASK, { subject: nothing, seen: null, text: '届いていません' })
    expect(thread).toMatchObject({ valueThen: null, valueNow: { value: null } })
    const foreign = { ...subject, publisherIds: [String(system.rows.b.publisherIds[0])] }
    expect((await ask(SUBJECT, 'insight:publisher_admin', { subject: foreign })).json.data).toEqual({
      questionSubject: null,
    })
  })
})

describe('an objection to a statement', () => {
  const OBJECT =
    'mutation ($id: ID!, $hash: String!) { objectToStatement(id: $id, hash: $hash, text: "違います") { state } }'
  const ANSWER =
    'mutation ($id: ID!) { resolveStatement(id: $id, resolution: upheld, text: "記載のとおりです") { state } }'
  test('stands among the questions, is talked about there and is answered in the statement', async () => {
    const [statement] = await closedMonth(63n, 202606, [40_000n])
    const { id, hash } = statement!
    expect((await ask(OBJECT, 'insight:publisher_admin', { id, hash })).json.errors).toBeUndefined()
    const thread = (await list('insight:admin', { states: ['open'] }, '支払通知書')).nodes[0]!
    expect(await show('insight:admin', thread.id)).toMatchObject({
      ...{ kind: 'statement', valueThen: '44,000', valueNow: null, messages: [{ text: '違います', isByStaff: false }] },
    })
    expect(await show('insight:publisher_editor', thread.id)).toBeNull()
    expect(await show('ofB', thread.id)).toBeNull()
    expect(await done('insight:editor', WRITE, { id: thread.id, text: 'どの明細でしょうか' })).toMatchObject({
      state: 'open',
    })
    expect(textOf(await ask(RESOLVE, 'insight:editor', { id: thread.id, revision: 2 }))).toContain('照会に回答する')
    expect((await ask(ANSWER, 'insight:editor', { id })).json.errors).toBeUndefined()
    const ended = await show('insight:publisher_admin', thread.id)
    expect(ended).toMatchObject({ state: 'resolved' })
    expect(ended?.messages.map(message => message.text)).toEqual(['違います', 'どの明細でしょうか', '記載のとおりです'])
  })

  test('once withdrawn, a further message reopens the thread, which is then answered and resolved here', async () => {
    const [statement] = await closedMonth(64n, 202606, [40_000n])
    const { id, hash } = statement!
    const WITHDRAW = 'mutation ($id: ID!) { withdrawStatementObjection(id: $id) { state } }'
    await ask(OBJECT, 'insight:publisher_admin', { id, hash })
    const thread = (await list('insight:admin', { states: ['open'] }, '支払通知書')).nodes[0]!
    expect((await ask(WITHDRAW, 'insight:publisher_admin', { id })).json.errors).toBeUndefined()
    const further = await done('insight:publisher_admin', WRITE, { id: thread.id, text: '念のため教えてください' })
    expect(further).toMatchObject({ state: 'open' })
    expect(await done('insight:editor', WRITE, { id: thread.id, text: '記載のとおりです' })).toMatchObject({
      state: 'answered',
    })
    const { revision } = (await show('insight:editor', thread.id))!
    expect(await done('insight:editor', RESOLVE, { id: thread.id, revision })).toMatchObject({ state: 'resolved' })
  })
})

test('the database refuses a thread of another organisation or agreement than that of its subject', async () => {
  const { a, b } = system.rows
  const { uid, email } = users['insight:publisher_admin']
  const [ofA, ofB] = await inBooks(tx =>
    Promise.all(
      [payments.ofA, payments.ofB].map(async id => {
        const { rows } = await sql<{ agreementId: bigint; lineId: bigint; statementId: bigint }>`
          select p.agreement_id, l.id as line_id, s.id as statement_id from monthly_payments p
          join monthly_publisher_payments l on l.monthly_payment_id = p.id
          join statements s on s.monthly_payment_id = p.id where p.id = ${id}`.execute(tx)
        return { paymentId: BigInt(id), ...rows[0]! }
      }),
    ),
  )
  const refusedBy = (kind: string, organizationId: bigint, ids: Readonly<Record<string, bigint>>) => {
    const now = new Date()
    const requested = { subject: '支払額', unit: 'yen', askerUid: uid, askerEmail: email, askerScope: 'organization' }
    const question = {
      ...requested,
      kind,
      organizationId,
      stateChangedAt: now,
      askedAt: now,
      lastMessageAt: now,
      ...ids,
    }
    return inBooks(tx => tx.insertInto('questions').values(question).execute()).then(
      () => 'nothing',
      (error: unknown) => readSqlRefusal(error),
    )
  }
  const SUBJECTS = [
    ['payment', 'monthlyPaymentId', 'paymentId'],
    ['publisher_payment', 'monthlyPublisherPaymentId', 'lineId'],
    ['statement', 'statementId', 'statementId'],
  ] as const
  const said = { kind: 'check', constraint: 'questions_same_organization' }
  for (const [kind, column, id] of SUBJECTS)
    for (const [organization, agreement, subject] of [
      [a, ofA, ofB],
      [a, ofB, ofB],
      [b, ofA, ofB],
      [b, ofA, ofA],
    ] as const) {
      const ids = { agreementId: agreement!.agreementId, [column]: subject![id] }
      expect(await refusedBy(kind, organization.organizationId, ids), kind).toEqual(said)
    }
  const ids = { agreementId: ofB!.agreementId, monthlyPaymentId: ofB!.paymentId }
  expect(await refusedBy('payment', b.organizationId, ids)).toBe('nothing')
})

describe('templates', () => {
  const SAVE = `mutation ($input: AnswerTemplateInput!) { saveAnswerTemplate(input: $input) { id name body revision } }`
  test('are kept by staff, with placeholders that exist, once by name, and changed with the revision', async () => {
    const save = (input: object, as = 'insight:editor') => ask(SAVE, as, { input })
    const made = (await save({ name: ' 確認中 ', body: '{月}の{対象}を確認しています。' })).json.data as {
      saveAnswerTemplate: { id: string; name: string; revision: number }
    }
    const { id } = made.saveAnswerTemplate
    expect(made.saveAnswerTemplate).toMatchObject({ name: '確認中', revision: 1 })
    expect(textOf(await save({ name: '確認中', body: 'x' }))).toContain('同じ名前')
    expect(textOf(await save({ name: '別', body: '{金額}' }))).toContain('{金額}は使えません')
    expect((await save({ id, expectedRevision: 1, name: '確認中', body: '確認中です。' })).json.errors).toBeUndefined()
    expect(textOf(await save({ id, expectedRevision: 1, name: '確認中', body: '古い' }))).not.toBe('')
    expect(codeOf(await save({ name: 'x', body: 'x' }, 'insight:viewer'))).toBe('FORBIDDEN')
    expect(codeOf(await save({ name: 'x', body: 'x' }, 'insight:publisher_admin'))).toBe('FORBIDDEN')
    const remove = 'mutation ($id: ID!) { deleteAnswerTemplate(id: $id) }'
    expect((await ask(remove, 'insight:editor', { id })).json.data).toEqual({ deleteAnswerTemplate: id })
  })
})
