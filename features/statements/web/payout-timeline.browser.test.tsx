import '@pc/ui/theme/styles.ts'
import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/show-screen.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { PayoutTimeline } from './payout-timeline.tsx'

const route = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:monthly_payment.' },
  view: async () => PayoutTimeline,
})
const month = (text: string, more: object) => ({
  ...{ __typename: 'PayoutMonth', month: text, payments: 1, total: 5_000, scheduled: 0, exported: 0, paid: 0 },
  ...{ returned: 0, carriedOver: 0, dueOn: null, paidOn: null, ...more },
})
const statement = (id: string) => ({
  ...{ __typename: 'Statement', id, hash: `hash-${id}`, month: '2020-03', numberText: `202003-00000${id}` },
  ...{ agreementName: `配信契約${id}`, payeeName: '東都新聞社', total: 2_500, deemedOn: '2020-06-06' },
  account: {
    __typename: 'StatementAccount',
    bankName: 'みずほ',
    branchName: '本店',
    typeName: '普通',
    number: '7654321',
  },
})
const MONTHS = [
  month('2020-03', { scheduled: 5_000, dueOn: '2020-06-30' }),
  month('2020-02', { paid: 4_000, total: 4_000, paidOn: '2020-05-29' }),
  month('2020-01', { paid: 3_000, total: 3_000, paidOn: '2020-04-30' }),
  month('2019-12', { payments: 0, total: 0, carriedOver: 900 }),
]
const timeline = (statements: readonly object[], months = MONTHS) => ({
  payoutMonths: months,
  summaryStats: { __typename: 'SummaryStatsList', dataUntil: null, nodes: [] },
  cashForecast: {
    __typename: 'CashForecast',
    dueDates: months
      .filter(each => each.dueOn !== null)
      .map(({ dueOn, total }) => ({ __typename: 'CashForecastDueDate', dueOn, confirmed: total })),
  },
  statements: { __typename: 'StatementList', total: statements.length, nodes: statements },
})
const card = page.getByRole('region', { name: 'お支払いの予定と状況' })
const show = (
  role: 'insight:publisher_admin' | 'insight:publisher_editor',
  read: () => Readonly<Record<string, unknown>> | Error,
  confirm: (variables: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | Error = () => ({}),
) => showScreen({ screens: [route], path: '/x', role, answers: { PayoutTimeline: read, ConfirmStatement: confirm } })

afterEach(async () => {
  dismissAllToasts()
  await page.viewport(1440, 900)
})

test.each([1440, 390])('at %i px the next payout comes first, then the way of each month', async width => {
  await page.viewport(width, 844)
  await show('insight:publisher_admin', () => timeline([statement('1'), statement('2')]))
  await expect.element(card.getByText('5,000円').first()).toBeVisible()
  await expect
    .element(card.getByText(/2020年3月分 \/ みずほ 本店 普通 ＊＊＊321 \/ 前回（2020年5月29日、4,000円）より\+1,000円/))
    .toBeVisible()
  const lines = card.getByRole('list', { name: '月ごとの状況' }).getByRole('listitem')
  await expect.element(lines.first()).toMatchTextContent(/2020年3月分.*2020年6月30日にお支払い予定/)
  expect(lines.elements()).toHaveLength(3)
  await card.getByRole('button', { name: 'これまでの4か月を表示' }).click()
  await expect.element(lines.last()).toMatchTextContent(/翌月以降に900円（税抜）を繰り越しました/)
  await expect
    .element(lines.first().getByRole('link', { name: '明細と内訳' }))
    .toHaveAttribute('href', '#/histories/payments-for-publishers/month=2020-03&monthTo=2020-03')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  await expectAccessible()
})

test('several statements are confirmed at once, each by its own text; what is refused stays', async () => {
  let waiting = [statement('1'), statement('2')]
  const revised = { code: 'statement/changed', path: [], data: {}, message: '改訂されました。' }
  const refused = new CombinedGraphQLErrors({
    data: null,
    errors: [{ message: revised.message, extensions: { code: 'BAD_REQUEST', refusals: [revised] } }],
  })
  const confirm = ({ id }: Readonly<Record<string, unknown>>) => {
    if (id === '2') return refused
    waiting = waiting.filter(each => each.id !== id)
    const confirmed = { __typename: 'Statement', id, state: 'confirmed', isUntold: false, stateLabel: '確認済み' }
    return { confirmStatement: confirmed }
  }
  const { operations } = await show('insight:publisher_admin', () => timeline(waiting), confirm)
  await card.getByRole('button', { name: '支払通知書2件をまとめて確認する' }).click()
  const dialog = page.getByRole('dialog', { name: '支払通知書2件の内容を確認しましたか？' })
  await expect.element(dialog.getByText(/合計（税込）/)).toMatchTextContent('合計（税込） 5,000円')
  await expectAccessible()
  await dialog.getByRole('button', { name: '2件を確認済みにする' }).click()
  await expect.element(dialog.getByText('202003-000002：改訂されました。')).toBeVisible()
  expect(operations.filter(each => each.name === 'ConfirmStatement').map(each => each.variables)).toMatchObject([
    { id: '1', hash: 'hash-1' },
    { id: '2', hash: 'hash-2' },
  ])
  // Only what is left is tried again.
  await expect.element(dialog.getByRole('button', { name: '1件を確認済みにする' })).toBeVisible()
})

test('a person without statements sees the payments alone; nothing is promised before a close', async () => {
  const { operations } = await show('insight:publisher_editor', () => timeline([], []))
  await expect.element(card.getByText(/^次のお支払いはまだ確定していません/)).toBeVisible()
  expect(operations.find(each => each.name === 'PayoutTimeline')?.variables).toMatchObject({ seesStatements: false })
  expect(card.getByRole('button', { name: /確認する/ }).elements()).toHaveLength(0)
})

test('what cannot be read says so and is tried again', async () => {
  let fails = true
  await show('insight:publisher_admin', () => (fails ? new Error('away') : timeline([])))
  await expect.element(card.getByRole('button', { name: /もう一度/ })).toBeVisible()
  fails = false
  await card.getByRole('button', { name: /もう一度/ }).click()
  await expect.element(card.getByText('5,000円').first()).toBeVisible()
})
