import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { questionsRoute } from './questions-route.ts'

const ROW = {
  __typename: 'Question',
  id: '7',
  state: 'open',
  stateLabel: '未回答',
  subject: '2026年6月分の支払額（税込）',
  context: '東都新聞 配信契約 / ニュースアプリ',
  valueThen: '81,160',
  unit: 'yen',
  organizationName: '東都新聞社',
  askerEmail: 'keiri@example.jp',
  excerpt: '先月より少ない理由を教えてください。',
  assigneeEmail: null,
  askedAt: '2026-07-10T03:00:00Z',
  lastMessageAt: '2026-07-10T03:00:00Z',
  isUnread: true,
  revision: 1,
}
const message = (id: string, text: string, parts: object = {}) => ({
  __typename: 'QuestionMessage',
  id,
  text,
  isByStaff: false,
  isInternal: false,
  isMine: false,
  writerEmail: 'keiri@example.jp',
  writtenAt: '2026-07-10T03:00:00Z',
  ...parts,
})
const THREAD = {
  ...ROW,
  kind: 'payment',
  month: '2026-06',
  monthlyPaymentId: '31',
  monthlyPublisherPaymentId: null,
  statementId: null,
  column: 'paymentIncludingTax',
  path: null,
  fromDay: null,
  toDay: null,
  mediumIds: ['1'],
  publisherIds: [],
  valueNow: { __typename: 'QuestionValue', value: '81,160' },
  assigneeUid: null,
  isObjection: false,
  isMine: false,
  messages: [message('11', '先月より少ない理由を教えてください。')],
}
const COUNTS = { __typename: 'QuestionCounts', open: 1, answered: 0, resolved: 0, unread: 1 }
const ANSWERS = {
  Questions: { questions: { __typename: 'QuestionList', total: 1, counts: COUNTS, nodes: [ROW] } },
  Question: { question: THREAD },
  ReadQuestion: { readQuestion: { __typename: 'Question', id: '7', isUnread: false } },
  QuestionAnswerers: {
    questionAnswerers: [{ __typename: 'QuestionAnswerer', uid: 'u1', email: 'tanto@example.jp' }],
  },
  AnswerTemplates: {
    answerTemplates: [
      { __typename: 'AnswerTemplate', id: '3', name: '確認中', body: '{月}の{対象}（{現在の値}）', revision: 1 },
    ],
  },
}
const show = (path: string, role: 'insight:publisher_admin' | 'insight:editor' | 'insight:viewer', answers = {}) =>
  showScreen({
    screens: [questionsRoute],
    path: `/histories/questions${path}`,
    role,
    answers: { ...ANSWERS, ...answers } as Parameters<typeof showScreen>[0]['answers'],
  })

afterEach(() => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
})

test('the month is typed or chosen in the field of every list', async () => {
  const { operations } = await show('', 'insight:editor')
  const month = page.getByRole('textbox', { name: '対象の月' })
  await month.fill('2026-06')
  await userEvent.keyboard('{Enter}')
  const requested = () => operations.filter(one => one.name === 'Questions').at(-1)?.variables
  await expect.poll(requested).toMatchObject({ param: { month: '2026-06' } })
  await month.fill('')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => JSON.stringify(requested())).not.toContain('2026-06')
})

describe('a person of a publisher', () => {
  test('asks about an amount with the value that is shown, and sees when it is another one by now', async () => {
    let value = '81,160'
    const readSubject = () => {
      const { subject, context } = ROW
      return { questionSubject: { __typename: 'QuestionSubject', subject, context, value, unit: 'yen' } }
    }
    const ask = (variables: { seenValue: string }) => {
      value = '80,000'
      if (variables.seenValue === '80,000') return { askQuestion: { __typename: 'Question', id: '7' } }
      return refusedWith('question/value-changed', '表示した後に値が変わりました。')
    }
    const { operations } = await show('/ask=payment-31-paymentIncludingTax', 'insight:publisher_admin', {
      QuestionSubject: readSubject,
      AskQuestion: ask,
    })
    const dialog = page.getByRole('dialog', { name: '質問する' })
    await expect.element(dialog.getByText('81,160円')).toBeVisible()
    await dialog.getByRole('button', { name: '質問を送る' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('質問の内容を入力してください。')
    await dialog.getByRole('textbox', { name: /質問の内容/ }).fill('理由を教えてください')
    await expectAccessible()
    await dialog.getByRole('button', { name: '質問を送る' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('表示した後に値が変わりました。')
    await expect.element(dialog.getByText('80,000円')).toBeVisible()
    await dialog.getByRole('button', { name: '質問を送る' }).click()
    await expect.element(page.getByRole('dialog', { name: ROW.subject })).toBeVisible()
    const sent = operations.filter(one => one.name === 'AskQuestion').map(one => one.variables)
    expect(sent).toMatchObject([
      { subject: { kind: 'payment', id: '31', column: 'paymentIncludingTax' }, seenValue: '81,160' },
      { seenValue: '80,000', text: '理由を教えてください' },
    ])
    expect(sent[0]!.idempotencyKey).not.toBe(sent[1]!.idempotencyKey)
  })

  test('does not lose what was typed by a key', async () => {
    await show('/ask=payment-31-paymentIncludingTax', 'insight:publisher_admin', {
      QuestionSubject: {
        questionSubject: { __typename: 'QuestionSubject', subject: 's', context: 'c', value: '1', unit: 'yen' },
      },
    })
    const dialog = page.getByRole('dialog', { name: '質問する' })
    await dialog.getByRole('textbox', { name: /質問の内容/ }).fill('書きかけ')
    await userEvent.keyboard('{Escape}')
    await page.getByRole('button', { name: '入力に戻る' }).click()
    await expect.element(dialog.getByRole('textbox', { name: /質問の内容/ })).toHaveValue('書きかけ')
    await dialog.getByRole('button', { name: 'キャンセル' }).click()
    await page.getByRole('button', { name: '入力を破棄する' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('asks about another figure of the same days', async () => {
    const { operations } = await show(
      '/ask=report-2026-11-01-2026-11-07-clicks&mediumId=1',
      'insight:publisher_admin',
      {
        QuestionSubject: {
          questionSubject: { __typename: 'QuestionSubject', subject: 's', context: 'c', value: null, unit: 'count' },
        },
      },
    )
    const dialog = page.getByRole('dialog', { name: '質問する' })
    await expect.element(dialog.getByText('データなし')).toBeVisible()
    await dialog.getByRole('combobox', { name: '数値' }).selectOptions('impressions')
    await expect
      .poll(() => operations.findLast(one => one.name === 'QuestionSubject')?.variables)
      .toEqual({
        subject: { kind: 'report', from: '2026-11-01', to: '2026-11-07', figure: 'impressions', mediumIds: ['1'] },
      })
  })

  test('reads the answer, which is marked as read, and never sees who of the platform wrote it', async () => {
    const answered = [
      ...THREAD.messages,
      message('12', '原資が減ったためです。', { isByStaff: true, writerEmail: null }),
    ]
    const { operations } = await show('/id=7', 'insight:publisher_admin', {
      Question: { question: { ...THREAD, state: 'answered', stateLabel: '回答済み', messages: answered } },
    })
    const dialog = page.getByRole('dialog', { name: ROW.subject })
    await expect.element(dialog.getByText('原資が減ったためです。')).toBeVisible()
    await expect.element(dialog.getByText('媒体の担当者')).toBeVisible()
    expect(dialog.getByRole('checkbox').elements()).toHaveLength(0)
    expect(dialog.getByRole('combobox').elements()).toHaveLength(0)
    await expect
      .element(dialog.getByRole('link', { name: 'もとの画面を開く' }))
      .toHaveAttribute('href', expect.stringContaining('#/histories/payments-for-publishers/'))
    await expect
      .poll(() => operations.find(one => one.name === 'ReadQuestion')?.variables)
      .toMatchObject({ id: '7', messageId: '12' })
    await expectAccessible()
  })

  test('marks what it shows as read once, also while the list knows of something newer', async () => {
    const { operations } = await show('/id=7', 'insight:publisher_admin')
    const namesOf = (name: string) => operations.filter(one => one.name === name)
    // The answer to the list calls the thread unread whatever was marked.
    await expect.poll(() => namesOf('Questions')).toHaveLength(2)
    await expectAccessible()
    expect(namesOf('ReadQuestion')).toHaveLength(1)
    expect(namesOf('Questions')).toHaveLength(2)
  })
})

describe('staff', () => {
  test('sees that the value has changed, begins with a template, and answers', async () => {
    const changed = { ...THREAD, valueNow: { __typename: 'QuestionValue', value: '81,200' } }
    const { operations } = await show('/id=7', 'insight:editor', {
      Question: { question: changed },
      WriteQuestionMessage: { writeQuestionMessage: { ...changed, state: 'answered', stateLabel: '回答済み' } },
    })
    const dialog = page.getByRole('dialog', { name: ROW.subject })
    await expect.element(dialog.getByText('質問の後に変わりました')).toBeVisible()
    await dialog.getByRole('combobox', { name: 'テンプレート' }).selectOptions('3')
    const text = '2026年6月分の2026年6月分の支払額（税込）（81,200円）'
    await expect.element(dialog.getByRole('textbox', { name: '回答' })).toHaveValue(text)
    await dialog.getByRole('button', { name: '回答を送る' }).click()
    await expect
      .poll(() => operations.find(one => one.name === 'WriteQuestionMessage')?.variables)
      .toMatchObject({ id: '7', text, isInternal: false })
    await expect.element(page.getByText(/回答を送りました/)).toBeVisible()
    await expect.element(dialog.getByRole('textbox', { name: '回答' })).toHaveValue('')
  })

  test('keeps what is typed while a message is on its way, and clears only what was sent', async () => {
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>()

    const second = Promise.withResolvers<Record<string, unknown>>()
    const answerOf = ({ text }: Readonly<Record<string, unknown>>) =>
      text === '確認しました。' ? promise : second.promise
    const { operations } = await show('/id=7', 'insight:editor', {
      Question: { question: THREAD },
      WriteQuestionMessage: answerOf,
    })
    const dialog = page.getByRole('dialog', { name: ROW.subject })
    const field = dialog.getByRole('textbox', { name: '回答' })
    await field.fill('確認しました。')
    await dialog.getByRole('button', { name: '回答を送る' }).click()
    await userEvent.type(field, '追ってご連絡します。')
    resolve({ writeQuestionMessage: THREAD })
    await expect.element(page.getByText(/回答を送りました/)).toBeVisible()
    await expect.element(field).toHaveValue('追ってご連絡します。')
    await dialog.getByRole('button', { name: '回答を送る' }).click()
    await expect.poll(() => operations.filter(one => one.name === 'WriteQuestionMessage')).toHaveLength(2)
    await field.fill('別の内容です。')
    second.resolve({ writeQuestionMessage: THREAD })
    await expect.element(dialog.getByRole('button', { name: '回答を送る' })).toHaveAttribute('aria-disabled', 'false')
    await expect.element(field).toHaveValue('別の内容です。')
  })

  test('leaves a note among itself, and narrows the list to what nobody has taken on', async () => {
    const { operations } = await show('', 'insight:editor', {
      WriteQuestionMessage: { writeQuestionMessage: THREAD },
    })
    await page.getByRole('combobox', { name: '担当' }).selectOptions('none')
    await expect
      .poll(() => operations.findLast(one => one.name === 'Questions')?.variables)
      .toMatchObject({ param: { states: ['open', 'answered'], assignee: 'none' } })
    await expectAccessible()
    await page.getByRole('link', { name: /未読 2026年6月分の支払額/ }).click()
    const dialog = page.getByRole('dialog', { name: ROW.subject })
    await dialog.getByRole('checkbox', { name: /社内メモにする/ }).click()
    await dialog.getByRole('textbox', { name: '社内メモ' }).fill('原資を確認中')
    await dialog.getByRole('button', { name: '社内メモを残す' }).click()
    await expect
      .poll(() => operations.find(one => one.name === 'WriteQuestionMessage')?.variables)
      .toMatchObject({ text: '原資を確認中', isInternal: true })
  })

  test('who may only read has no field to write in', async () => {
    await show('/id=7', 'insight:viewer')
    const dialog = page.getByRole('dialog', { name: ROW.subject })
    await expect.element(dialog.getByText('担当　未定')).toBeVisible()
    expect(dialog.getByRole('textbox').elements()).toHaveLength(0)
    expect(dialog.getByRole('button', { name: '解決にする' }).elements()).toHaveLength(0)
  })
})
