import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { WebhookFormatField } from './webhook-format-field.tsx'
import { webhooksRoute } from './webhooks-route.ts'

const HOOK = {
  ...{ __typename: 'Webhook', id: '3', url: 'https://hooks.example.com/a', events: ['payment_paid', 'feed_failed'] },
  format: 'json',
  isPaused: false,
  isGivenUp: false,
  failingSince: null,
  createdAt: '2026-11-01T00:00:00Z',
  revision: 4,
}
const DELIVERY = {
  __typename: 'WebhookDelivery',
  id: '8',
  key: 'k',
  kind: 'feed.failed',
  occurredAt: '2026-11-02T00:00:00Z',
  state: 'failed',
  attempts: 3,
  lastStatus: 500,
  lastProblem: null,
  changedAt: '2026-11-02T00:00:00Z',
}
const SAVED = { __typename: 'SavedWebhook', secret: 'whsec_abc', isRepeated: false, webhook: HOOK }
const answersOf = (hooks: readonly object[]) =>
  Object.fromEntries<object>([
    ['Webhooks', { webhooks: hooks }],
    ['WebhookDeliveries', { webhookDeliveries: [DELIVERY] }],
    ['SaveWebhook', { saveWebhook: SAVED }],
    ['RenewWebhookSecret', { renewWebhookSecret: SAVED }],
    ['PauseWebhook', { pauseWebhook: { ...HOOK, isPaused: true } }],
    ['PingWebhook', { pingWebhook: true }],
    ['RedeliverWebhook', { redeliverWebhook: true }],
  ])
const show = (hooks: readonly object[], more: object = {}) =>
  showScreen({
    screens: [webhooksRoute],
    path: '/webhooks',
    role: 'insight:publisher_admin',
    answers: { ...answersOf(hooks), ...more } as never,
  })
afterEach(dismissAllToasts)

test('a new address is registered in a dialog, and its key is shown once', async () => {
  const { operations } = await show([])
  await expect.element(page.getByText('送信先はまだありません')).toBeVisible()
  await page.getByRole('button', { name: '送信先を登録' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '送信先を登録する' }).click()
  await expect.element(dialog.getByText('通知するイベントを1つ以上選択してください。')).toBeVisible()
  await dialog.getByLabelText('送信先のURL').fill(' https://hooks.example.com/a ')
  await dialog.getByLabelText('お支払いの完了').click()
  await expectAccessible()
  await dialog.getByRole('button', { name: '送信先を登録する' }).click()
  await expect.element(page.getByText('whsec_abc')).toBeVisible()
  expect(operations.find(one => one.name === 'SaveWebhook')?.variables.input).toEqual({
    ...{ url: 'https://hooks.example.com/a', events: ['payment_paid'], format: 'json' },
  })
  // Shown once: the way back does not take it away without a question.
  goTo('#/reports/dashboard')
  const question = page.getByRole('alertdialog', { name: 'キーはもう一度表示できません' })
  await question.getByRole('button', { name: 'キーに戻る' }).click()
  await expect.element(page.getByText('whsec_abc')).toBeVisible()
  await page.getByRole('button', { name: '控えました' }).click()
  expect(page.getByText('whsec_abc').elements()).toEqual([])
  goTo('#/reports/dashboard')
  expect(question.elements()).toEqual([])
})

test('the format is a choice where there are several', async () => {
  const formats = [
    { name: 'json', label: 'JSON（標準）' },
    { name: 'chat', label: 'チャット' },
  ] as const
  const onChange = vi.fn()
  const { rerender } = await render(<WebhookFormatField formats={formats} value="json" onChange={onChange} />)
  await page.getByLabelText('形式').selectOptions('チャット')
  expect(onChange).toHaveBeenCalledWith('chat')
  await rerender(<WebhookFormatField formats={formats.slice(0, 1)} value="json" onChange={onChange} />)
  expect(page.getByLabelText('形式').elements()).toEqual([])
})

test('each address with its state; what was given up stands out', async () => {
  await show([HOOK, { ...HOOK, id: '4', isPaused: true, isGivenUp: true, failingSince: '2026-11-02T00:00:00Z' }])
  await expect.element(page.getByText('お支払いの完了、フィードの障害').first()).toBeVisible()
  await expect.element(page.getByText('自動で停止')).toBeVisible()
  await expectAccessible()
})

test('the log says what came of each, and sends one again', async () => {
  const { operations } = await show([HOOK])
  await page.getByRole('button', { name: '記録' }).click()
  await expect.element(page.getByText('HTTP 500（3回目）')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'フィードの障害を再送' }).click()
  await expect.element(page.getByText('もう一度送信しています')).toBeVisible()
  expect(operations.find(one => one.name === 'RedeliverWebhook')?.variables).toMatchObject({ deliveryId: '8' })
})

test('a new key only after a question', async () => {
  await show([HOOK])
  await page.getByRole('button', { name: 'キーの作り直し' }).click()
  await page.getByRole('button', { name: '署名キーを作り直す' }).click()
  await expect.element(page.getByText('whsec_abc')).toBeVisible()
})

test('whose submission had arrived before reads that the key is gone, and how to get a new one', async () => {
  await show([HOOK], { RenewWebhookSecret: { renewWebhookSecret: { ...SAVED, secret: null, isRepeated: true } } })
  await page.getByRole('button', { name: 'キーの作り直し' }).click()
  await page.getByRole('button', { name: '署名キーを作り直す' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText(/前回の送信ですでに完了しています.*「キーの作り直し」/)).toBeVisible()
  await expectAccessible()
})
