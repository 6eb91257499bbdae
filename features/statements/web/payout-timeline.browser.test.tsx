import '@pc/ui/theme/styles.ts'
import { CombinedGraphQLErrors } from '@apollo/client/errors'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
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
  ...{ __typename: 'Statement', id, hash: `hash-${id}`, month: '2099-03', numberText: `209903-00000${id}` },
  ...{ agreementName: `配信契約${id}`, payeeName: '東都新聞社', total: 2_500, deemedOn: '2099-06-06' },
})
const printed = (id: string) => ({
  ...{ __typename: 'Statement', id, month: '2099-03' },
  account: {
    __typename: 'StatementAccount',
    bankName: 'みずほ',
    branchName: '本店',
    typeName: '普通',
    number: '7654321',
  },
})
const MONTHS = [
  month('2099-03', { scheduled: 5_000, dueOn: '2099-06-30' }),
  month('2099-02', { paid: 4_000, total: 4_000, paidOn: '2099-05-29' }),
  month('2099-01', { paid: 3_000, total: 3_000, paidOn: '2099-04-30' }),
  month('2098-12', { payments: 0, total: 0, carriedOver: 900 }),
]
const timeline = (statements: readonly object[], months = MONTHS) => ({
  payoutMonths: months,
  summaryStats: { __typename: 'SummaryStatsList', dataUntil: null, nodes: [] },
  cashForecast: {
    __typename: 'CashForecast',
    overdue: 0,
    dueDates: months
      .filter(each => each.dueOn !== null)
      .map(({ dueOn, total }) => ({ __typename: 'CashForecastDueDate', dueOn, confirmed: total })),
  },
  statements: { __typename: 'StatementList', total: statements.length, nodes: statements },
  // Where the money goes stands also in statements that are confirmed.
  printed: { __typename: 'StatementList', nodes: [printed('9')] },
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
    .element(card.getByText(/2099年3月分 \/ みずほ 本店 普通 ＊＊＊321 \/ 前回（2099年5月29日、4,000円）より\+1,000円/))
    .toBeVisible()
  const lines = card.getByRole('list', { name: '月ごとの状況' }).getByRole('listitem')
  await expect.element(lines.first()).toMatchTextContent(/2099年3月分.*2099年6月30日にお支払い予定/)
  expect(lines.elements()).toHaveLength(3)
  await card.getByRole('button', { name: 'これまでの4か月を表示' }).click()
  await expect.element(lines.last()).toMatchTextContent(/^2098年12月分翌月以降に900円（税抜）を繰り越しました/)
  // Amounts stand below each other, whatever can be done with a month.
  const ends = lines.elements().map(line => line.querySelector('[data-amount]')!.getBoundingClientRect().right)
  if (width === 1440) expect(new Set(ends.map(Math.round)).size).toBe(1)
  await expect
    .element(lines.first().getByRole('link', { name: '明細と内訳' }))
    .toHaveAttribute('href', '#/histories/payments-for-publishers/month=2099-03&monthTo=2099-03')
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
  await expect.element(dialog.getByText('209903-000002：改訂されました。')).toBeVisible()
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

test('a due day that is over without the money is the first thing that is said, instead of the next close', async () => {
  const late = [month('2020-03', { returned: 5_000, dueOn: '2020-06-30' })]
  const data = () => ({
    ...timeline([], late),
    cashForecast: { __typename: 'CashForecast', overdue: 5_000, dueDates: [] },
  })
  await show('insight:publisher_admin', data)
  await expect.element(card.getByText(/5,000円のお支払いが済んでいません。.*口座をご確認ください/)).toBeVisible()
  expect(card.getByText(/次のお支払いはまだ確定していません/).elements()).toHaveLength(0)
  await expect.element(card.getByRole('link', { name: '口座を確認する' })).toHaveAttribute('href', '#/bank-accounts')
  await expectAccessible()
})

test('on a phone a long name of an agreement keeps its width beside the number of a revision', async () => {
  await page.viewport(390, 844)
  const long = { agreementName: '東都新聞社 ツムギニュース ライト 配信契約', numberText: '209903-000002（改訂1）' }
  await show('insight:publisher_admin', () => timeline([{ ...statement('1'), ...long }, statement('2')]))
  await card.getByRole('button', { name: '支払通知書2件をまとめて確認する' }).click()
  const name = page.getByRole('dialog').getByText('ツムギニュース ライト 配信契約')
  await expect.element(name).toBeVisible()
  expect(name.element().getBoundingClientRect().width).toBeGreaterThan(150)
})
