import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { apiKeysRoute } from './api-keys-route.ts'

const KEY = {
  __typename: 'ApiKey',
  id: '3',
  organizationName: 'サンプル新聞社',
  name: '会計システム',
  secretEnd: 'a1B2',
  scopes: ['reports', 'payments'],
  state: 'working',
  createdByEmail: 'me@example.jp',
  requestCount: 1234,
  createdAt: '2026-11-01T00:00:00Z',
  expiresAt: '2027-01-30T00:00:00Z',
  revokedAt: null,
  lastUsedAt: '2026-11-02T00:30:00Z',
  lastUsedFrom: '192.0.2.1',
  allowedAddresses: [] as string[],
  refusedAt: null as string | null,
  refusedFrom: null as string | null,
}
const UNUSED = { ...KEY, id: '4', name: '新しいキー', requestCount: 0, lastUsedAt: null, lastUsedFrom: null }
const SECRET = `pcr_${'x'.repeat(49)}`
const ADDRESS = 'https://api.example.jp/query'

const show = (
  keys: readonly object[],
  secret: string | null = SECRET,
  role: Role = 'insight:publisher_admin',
  more: object = {},
) =>
  showScreen({
    screens: [apiKeysRoute],
    path: '/api-keys',
    role,
    answers: Object.fromEntries<object>([
      ['ApiKeys', { apiKeys: { __typename: 'ApiKeyList', total: keys.length, nodes: keys } }],
      ['CreateApiKey', { createApiKey: { __typename: 'CreatedApiKey', secret, address: ADDRESS, apiKey: UNUSED } }],
      ['RevokeApiKey', { revokeApiKey: { ...KEY, state: 'revoked', revokedAt: '2026-11-03T00:00:00Z' } }],
      ...Object.entries(more),
    ]) as never,
  })
afterEach(dismissAllToasts)

async function create() {
  await page.getByRole('button', { name: 'APIキーを作成', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'APIキーを作成する' }).click()
  await expect.element(dialog.getByText('名前を入力してください。')).toBeVisible()
  await expect.element(dialog.getByText('読み取れるデータを1つ以上選択してください。')).toBeVisible()
  await dialog.getByLabelText('名前').fill(' 会計システム ')
  await dialog.getByLabelText('レポート').click()
  await dialog.getByLabelText('有効期間').selectOptions('365日（1年）')
  await dialog.getByLabelText('許可するIPアドレス（任意）').fill('203.0.113.10\n 2001:db8::/32、')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'APIキーを作成する' }).click()
}

test('a key is made in a dialog, and shown once with a first question to send', async () => {
  const { operations } = await show([])
  await expect.element(page.getByText('APIキーはまだありません')).toBeVisible()
  await create()
  await expect.element(page.getByText(SECRET)).toBeVisible()
  await expect.element(page.getByText(/curl https:.*api.example.jp.query/)).toBeVisible()
  // What is copied into a terminal does not have the key in it.
  expect(document.querySelector('pre')?.textContent).not.toContain('pcr_')
  await expectAccessible()
  expect(operations.find(one => one.name === 'CreateApiKey')?.variables.input).toEqual({
    ...{ name: '会計システム', scopes: ['reports'], days: 365, addresses: ['203.0.113.10', '2001:db8::/32'] },
  })
  await page.getByRole('button', { name: '控えました' }).click()
  expect(page.getByText(SECRET).elements()).toEqual([])
})

test('a failed attempt, each of them, leads to the first field that has to be corrected', async () => {
  const wrong = refusedWith('api-key/address-wrong', 'アドレスの書き方を確認してください。', ['input', 'addresses'])
  await show([], SECRET, 'insight:publisher_admin', { CreateApiKey: wrong })
  await page.getByRole('button', { name: 'APIキーを作成', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'APIキーの作成' })
  const create = dialog.getByRole('button', { name: 'APIキーを作成する' })
  await create.click()
  await expect.element(dialog.getByLabelText('名前')).toHaveFocus()
  await create.click()
  await expect.element(dialog.getByLabelText('名前')).toHaveFocus()
  await dialog.getByLabelText('名前').fill('会計')
  await create.click()
  await expect.element(dialog.getByRole('checkbox').first()).toHaveFocus()
  await dialog.getByRole('checkbox').first().click()
  // What was corrected keeps the focus until the next attempt.
  await expect.element(dialog.getByRole('checkbox').first()).toHaveFocus()
  await create.click()
  await expect.element(dialog.getByLabelText(/許可するIPアドレス/)).toHaveFocus()
  await expectAccessible()
})

test('when the answer was lost on its way, it says that the key has to be revoked', async () => {
  await show([], null)
  await create()
  await expect
    .element(page.getByText(`このキー（pcr_…${KEY.secretEnd}）を失効させて、もう一度作成してください。`))
    .toBeVisible()
  expect(page.getByRole('button', { name: 'キーをコピーする' }).elements()).toEqual([])
})

test('the list says what each is for, when it ends and when it was used last; ended ones cannot be revoked', async () => {
  const ended = { ...UNUSED, id: '5', name: '古いキー', state: 'ended' }
  await show([
    KEY,
    { ...UNUSED, state: 'ending' },
    { ...UNUSED, id: '6', name: '止まったキー', state: 'stopped' },
    ended,
  ])
  await expect.element(page.getByText('pcr_…a1B2').first()).toBeVisible()
  await expect.element(page.getByText('192.0.2.1・通算1,234回')).toBeVisible()
  await expect.element(page.getByText('まだ使われていません').first()).toBeVisible()
  for (const state of ['有効', 'まもなく期限', '停止', '期限切れ'])
    await expect.element(page.getByText(state, { exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: '古いキーを失効' }).elements()).toEqual([])
  await expectAccessible()
})

test('the list says from where each may be used, and that somebody tried from elsewhere', async () => {
  const allowedAddresses = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '192.0.2.1']
  const refused = { refusedAt: '2026-11-03T00:30:00Z', refusedFrom: '198.51.100.99' }
  await show([KEY, { ...UNUSED, allowedAddresses, ...refused }])
  await expect.element(page.getByText('制限なし')).toBeVisible()
  await expect.element(page.getByText('203.0.113.0/24')).toBeVisible()
  await expect.element(page.getByText('ほか2件')).toBeVisible()
  await expect.element(page.getByText(/許可していない 198\.51\.100\.99 からの利用を拒否/)).toBeVisible()
  await expectAccessible()
})

test('a key is revoked only after a question', async () => {
  const { operations } = await show([KEY])
  await page.getByRole('button', { name: '会計システムを失効' }).click()
  expect(operations.some(one => one.name === 'RevokeApiKey')).toBe(false)
  // Another key may have the same name.
  await expect.element(page.getByText(`キー pcr_…${KEY.secretEnd} を使うシステム`, { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'APIキーを失効させる' }).click()
  await expect.element(page.getByText('APIキーを失効させました。')).toBeVisible()
  expect(operations.find(one => one.name === 'RevokeApiKey')?.variables).toMatchObject({ id: '3' })
})

test('staff sees whose each is and revokes, and makes none', async () => {
  await show([KEY], SECRET, 'insight:admin')
  await expect.element(page.getByText('サンプル新聞社')).toBeVisible()
  await expect.element(page.getByRole('button', { name: '会計システムを失効' })).toBeVisible()
  expect(page.getByRole('button', { name: 'APIキーを作成' }).elements()).toEqual([])
})
