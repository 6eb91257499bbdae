import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { retentionRoute } from './retention-route.ts'

const HOLD = {
  __typename: 'LegalHold',
  id: '5',
  organizationName: '東都新聞社',
  fromMonth: '2026-04',
  toMonth: '2026-06',
  reason: '税務調査',
  placedByEmail: 'admin@example.jp',
  placedAt: '2026-11-01T03:00:00Z',
  releasedAt: null,
  releasedByEmail: null,
  releaseReason: null,
}
const RULE = {
  __typename: 'RetentionRule',
  id: 'page_views',
  label: 'ページ閲覧の記録',
  why: '前年同月との比較',
  deletedBy: 'job',
  months: 13,
  days: null,
}
const RUN = { __typename: 'RetentionRun', id: '9', ranAt: '2026-11-20T18:40:00Z', kind: 'page_views' }
const ANSWERS = {
  Retention: {
    retention: {
      __typename: 'Retention',
      rules: [RULE, { ...RULE, id: 'statements', label: '支払通知書', deletedBy: 'nobody', months: null }],
      holds: [HOLD],
      runs: [{ ...RUN, keptSince: '2025-10-21', deleted: 1_234, held: 5 }],
    },
  },
  OrganizationOptions: {
    organizations: {
      __typename: 'OrganizationList',
      nodes: [{ __typename: 'Organization', id: '3', name: '西都放送' }],
    },
  },
}
const NONE_FOUND = { organizations: { __typename: 'OrganizationList', nodes: [] } }
const show = (role: 'insight:admin' | 'insight:editor', answers = {}) =>
  showScreen({
    screens: [retentionRoute],
    path: '/adjustments/retention',
    role,
    answers: { ...ANSWERS, ...answers } as Parameters<typeof showScreen>[0]['answers'],
  })

afterEach(() => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
})

test('an administrator places a hold on an organisation and releases one with a reason', async () => {
  let refusals = 1
  const place = () => {
    refusals -= 1
    return refusals >= 0
      ? refusedWith('legal-hold/reason-missing', '理由を入力してください。')
      : { placeLegalHold: { __typename: 'LegalHold', id: '6' } }
  }
  const { operations } = await show('insight:admin', {
    PlaceLegalHold: place,
    ReleaseLegalHold: { releaseLegalHold: { __typename: 'LegalHold', id: '5' } },
  })
  await expect.element(page.getByRole('cell', { name: '13か月' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: '1,234' })).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: '保全を登録する' }).click()
  const dialog = page.getByRole('dialog', { name: '保全を登録します' })
  await dialog.getByRole('combobox', { name: '組織' }).selectOptions('3')
  await dialog.getByRole('button', { name: '保全を登録する' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('理由を入力してください。')
  await dialog.getByRole('textbox', { name: /理由/ }).fill('訴訟')
  await expectAccessible()
  await dialog.getByRole('button', { name: '保全を登録する' }).click()
  await expect
    .poll(() => operations.findLast(one => one.name === 'PlaceLegalHold')?.variables)
    .toMatchObject({ input: { organizationId: '3', reason: '訴訟' } })
  await page.getByRole('button', { name: '東都新聞社・2026年4月〜2026年6月の保全を解除する' }).click()
  await page.getByRole('textbox', { name: /解除の理由/ }).fill('調査終了')
  await page.getByRole('button', { name: '保全を解除する', exact: true }).click()
  await expect
    .poll(() => operations.findLast(one => one.name === 'ReleaseLegalHold')?.variables)
    .toMatchObject({ id: '5', reason: '調査終了' })
})

test('the chosen organisation stays chosen, and in sight, when a further search does not find it', async () => {
  const find = ({ q }: { q?: string }) => (q ? NONE_FOUND : ANSWERS.OrganizationOptions)
  const { operations } = await show('insight:admin', { ...{ OrganizationOptions: find } })
  await page.getByRole('button', { name: '保全を登録する' }).click()
  const choice = page.getByRole('combobox', { name: '組織' })
  await choice.selectOptions('3')
  await page.getByRole('searchbox', { name: '組織を検索' }).fill('東都')
  await expect.poll(() => operations.filter(one => one.name === 'OrganizationOptions').length).toBe(2)
  await expect.element(choice).toHaveDisplayValue('西都放送')
})

test('others of staff read, without the buttons', async () => {
  await show('insight:editor')
  await expect.element(page.getByText('税務調査')).toBeVisible()
  expect(page.getByRole('button', { name: /登録する|解除する/ }).elements()).toHaveLength(0)
})

test('which screens are used is asked when it is opened, month by month', async () => {
  const use = (path: string, title: string | null, views: number) => ({
    ...{ __typename: 'ScreenUse', path, title, views, lastViewedAt: '2026-11-20T03:00:00Z' },
  })
  const screenUse = [use('/reports/dashboard', 'ダッシュボード', 1_234), use('/iam/users', null, 5)]
  const { operations } = await show('insight:editor', { ScreenUse: { screenUse } })
  await expect.element(page.getByRole('heading', { name: '画面の利用状況' })).toBeVisible()
  expect(operations.some(one => one.name === 'ScreenUse')).toBe(false)
  await page.getByRole('button', { name: '画面の利用状況' }).click()
  const table = page.getByRole('table', { name: '画面の利用状況' })
  await expect.element(table.getByRole('row', { name: /ダッシュボード/ })).toMatchTextContent(/1,234/)
  await table.getByRole('button', { name: '閲覧（回）' }).click()
  await expect.element(table.getByRole('rowheader').first()).toMatchTextContent('/iam/users')
  await expectAccessible()
  await page.getByRole('group', { name: '対象月' }).getByRole('button', { name: '前月' }).click()
  await expect.poll(() => operations.filter(one => one.name === 'ScreenUse').length).toBe(2)
})
