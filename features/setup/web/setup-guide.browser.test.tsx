import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { type SetupStepKey, type SetupTask, setupSteps } from '@pc/domain/setup/setup-step.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { SetupGuide } from './setup-guide.tsx'

const route = defineRoute({
  path: '/reports/dashboard',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => SetupGuide,
})
const guide = page.getByRole('region', { name: 'はじめてガイド', exact: true })
const row = (title: string) =>
  guide.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`^${title}`) }) })

beforeEach(() => localStorage.clear())

/** As the server answers: what is there, in the reader's eyes. */
function answerOf(counts: Partial<Record<SetupTask, bigint>>, role: Role, kept: string | null) {
  const side = role.startsWith('insight:publisher_') ? 'publisher' : 'operator'
  const steps = setupSteps(side, new Map(Object.entries(counts) as [SetupTask, bigint][]), ({ resource }) =>
    role === 'insight:editor' ? resource === 'insight:agreement.' : !resource.startsWith('iam:org'),
  )
  return {
    preferences: kept === null ? [] : [{ __typename: 'Preference', key: 'setup-guide', value: kept }],
    setupSteps: steps.map(({ roles, found, ...step }) => ({
      __typename: 'SetupStep',
      ...step,
      roleLabels: roles.map(name => `〔${name}〕`),
      found: found.map(fact => ({ __typename: 'SetupFact', ...fact, count: Number(fact.count) })),
    })),
  }
}

async function show(
  counts: Partial<Record<SetupTask, bigint>>,
  role: Role = 'insight:admin',
  first: string | null = null,
) {
  let kept = first
  const state = { counts }
  const read = () => answerOf(state.counts, role, kept)
  const save = ({ value }: Readonly<Record<string, unknown>>) => {
    kept = value as string | null
    return { savePreference: kept === null ? null : { __typename: 'Preference', key: 'setup-guide', value: kept } }
  }
  const answers = { SetupGuide: read, SavePreference: save }
  const { operations } = await showScreen({ screens: [route], path: '/reports/dashboard', role, answers })
  return { operations, state, questions: () => operations.filter(({ name }) => name === 'SetupGuide').length }
}
const EVERYTHING: Partial<Record<SetupTask, bigint>> = {
  medium: 1n,
  payer: 1n,
  transfer_source: 1n,
  transfer_fee: 1n,
  tax_rate: 4n,
  tax_period: 1n,
  holidays: 1n,
  delivery: 1n,
  organization: 1n,
  publisher: 1n,
  agreement: 1n,
  rule: 1n,
  account_request: 1n,
  account_approval: 1n,
  account_assignment: 1n,
  colleague: 2n,
  figures: 1n,
  closed_month: 1n,
}

test('what is done, what comes next with its link, and whom to ask; on a telephone and by keyboard', async () => {
  await show({ medium: 2n, tax_rate: 4n })
  await expect.element(guide.getByText('1 / 10 完了')).toBeVisible()
  await expect.element(row('媒体').getByText('媒体 2件')).toBeVisible()
  await expect.element(row('媒体').getByRole('img', { name: '完了' })).toBeVisible()
  const next = row('支払元と振込元の口座')
  await expect.element(next).toHaveAttribute('aria-current', 'step')
  await expect.element(next.getByText('支払元 未登録・振込元の口座 未登録・振込手数料 未登録')).toBeVisible()
  await expect
    .element(next.getByRole('link', { name: '支払元を登録する' }))
    .toHaveAttribute('href', '#/histories/statements')
  await expect.element(row('組織').getByText('〔admin〕、〔iam:admin〕に依頼してください。')).toBeVisible()
  expect(row('組織').getByRole('link').elements()).toHaveLength(0)
  await expect.element(row('契約とパブリッシャー').getByText('先に「組織」を済ませてください。')).toBeVisible()
  // No file of statistics is taken before its publishers are there.
  await expect
    .element(row('統計の送信方法').getByText('先に「契約とパブリッシャー」を済ませてください。'))
    .toBeVisible()
  await expect.element(row('ほかの担当者').getByText('口座を申請・承認できる人 0人（2人必要です）')).toBeVisible()
  await expect.element(guide.getByRole('link', { name: 'まとめて取り込めます' })).toBeVisible()
  await expectAccessible()
  await page.viewport(390, 800)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
  await page.viewport(1280, 800)
  guide.getByRole('button', { name: 'ガイドを閉じる' }).element().focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(next.getByRole('link')).toHaveFocus()
})

test('put away it is gone, also for the next visit without a question; undone it is back', async () => {
  const { operations } = await show({})
  await guide.getByRole('button', { name: 'ガイドを閉じる' }).click()
  await expect.element(guide).not.toBeInTheDocument()
  expect(operations.find(({ name }) => name === 'SavePreference')?.variables).toEqual({
    key: 'setup-guide',
    value: '"away"',
  })
  await page.getByRole('button', { name: '元に戻す' }).click()
  await expect.element(guide).toBeVisible()
  await guide.getByRole('button', { name: 'ガイドを閉じる' }).click()
  await expect.element(guide).not.toBeInTheDocument()
  const again = await show({})
  expect(again.questions()).toBe(0)
})

const done = page.getByRole('region', { name: 'はじめてガイドは完了です' })

test('its end is not said to who has never seen it', async () => {
  const { questions } = await show(EVERYTHING)
  await expect.poll(questions).toBe(1)
  await expect.poll(() => localStorage.getItem('pc-setup-guide')).toBe('me gone')
  expect(done.elements()).toHaveLength(0)
})

test('its end is said once to who has seen it', async () => {
  const { state } = await show({ ...EVERYTHING, closed_month: 0n })
  await expect.element(row('最初の月次締め').getByText('次はここから')).toBeVisible()
  state.counts = EVERYTHING
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.element(done).toBeVisible()
  await expectAccessible()
  await done.getByRole('button', { name: '閉じる' }).click()
  await expect.element(done).not.toBeInTheDocument()
  expect(localStorage.getItem('pc-setup-guide')).toBe('me gone')
})

test("a colleague's work shows when the person comes back to the window", async () => {
  const { state } = await show({})
  await expect.element(row('媒体').getByText('媒体 0件')).toBeVisible()
  state.counts = { medium: 1n }
  window.dispatchEvent(new Event('focus'))
  await expect.element(row('媒体').getByRole('img', { name: '完了' })).toBeVisible()
})

test('put away elsewhere, it is not shown here', async () => {
  const { questions } = await show({}, 'insight:admin', '"away"')
  await expect.poll(questions).toBe(1)
  await expect.poll(() => localStorage.getItem('pc-setup-guide')).toBe('me gone')
  expect(guide.elements()).toHaveLength(0)
})

test('the people of a publisher have their own, and are sent to the operator for what is not theirs', async () => {
  await show({ own_agreement: 1n, account_request: 1n }, 'insight:publisher_admin')
  const keys: readonly SetupStepKey[] = ['company', 'registration', 'bank_account', 'notifications', 'first_statement']
  await expect.element(guide.getByText(`1 / ${keys.length} 完了`)).toBeVisible()
  await expect.element(row('登録番号').getByText(/運営に連絡してください/)).toBeVisible()
  await expect.element(row('振込口座').getByText(/運営が申請の内容を確認しています/)).toBeVisible()
  await expect.element(row('通知').getByRole('link', { name: 'メールを設定する' })).toBeVisible()
  await expect.element(row('通知')).toHaveAttribute('aria-current', 'step')
  expect(guide.getByText('まとめて取り込めます').elements()).toHaveLength(0)
  await expectAccessible()
})
