import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { registrationsRoute } from '../../registrations/web/registrations-route.ts'
import { cashForecastRoute } from './cash-forecast-route.ts'

const SCREENS = [registrationsRoute, cashForecastRoute]
const MEDIA = {
  availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
}
const number = (more: object) => ({
  ...{ __typename: 'WatchedRegistrationNumber', agreementId: '7', agreementName: '配信契約', agreementCode: 'TOT-1' },
  ...{
    mediumId: '1',
    partnerName: '東都新聞社',
    registrationNumber: 'T7123456789012',
    standing: 'valid',
    endedOn: null,
  },
  ...{ checkedAt: '2026-10-01T00:00:00Z', month: '2026-09', revenue: 73_782, lostTax: 2_213, ...more },
})
const WATCH = {
  invoiceRegisterWatch: {
    __typename: 'InvoiceRegisterWatch',
    counts: { __typename: 'InvoiceRegisterCounts', ended: 1, impossible: 0, ending: 0, unseen: 0, valid: 1 },
    nodes: [
      number({ agreementId: '8', partnerName: 'あさひ出版', standing: 'ended', endedOn: '2026-09-30' }),
      number({}),
    ],
  },
}
const due = (dueOn: string, confirmed: number, draft: number) => ({
  ...{ __typename: 'CashForecastDueDate', dueOn, confirmed, draft },
})
const FORECAST = {
  cashForecast: {
    ...{ __typename: 'CashForecast', overdue: 11_000 },
    dueDates: [due('2026-10-30', 120_000, 0), due('2026-11-30', 0, 88_000)],
    payees: [
      {
        ...{ __typename: 'CashForecastPayee', organizationId: '3', partnerName: '東都新聞社' },
        ...{ overdue: 11_000, total: 219_000 },
        amounts: [due('2026-10-30', 120_000, 0), due('2026-11-30', 0, 88_000)],
      },
    ],
  },
}
const show = (path: string, role: 'insight:admin' | 'insight:publisher_admin' = 'insight:admin', more: object = {}) =>
  showScreen({
    screens: SCREENS,
    path,
    role,
    answers: { MediumOptions: MEDIA, InvoiceRegisterWatch: WATCH, CashForecast: FORECAST, ...more },
  })

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('a number that has ended comes first with what it costs, and a mail that staff may send', async () => {
  await show('/adjustments/registrations')
  const row = page.getByRole('row', { name: /あさひ出版/ })
  await expect.element(row.getByText('登録が終了')).toBeVisible()
  await expect.element(row.getByText('2,213')).toBeVisible()
  await expectAccessible()
  await row.getByRole('button', { name: '連絡文を作る（あさひ出版）' }).click()
  const dialog = page.getByRole('dialog', { name: 'あさひ出版への連絡文' })
  await expect.element(dialog.getByText(/2026年9月30日に終了していることを確認しました/)).toBeVisible()
  await expectAccessible()
})

test('a file of the register is taken, and says how many numbers it was about', async () => {
  const { operations } = await show('/adjustments/registrations', 'insight:admin', {
    ImportInvoiceRegister: {
      importInvoiceRegister: { __typename: 'ImportedInvoiceRegister', lines: 3, known: 2, changed: 1 },
    },
  })
  await expect.element(page.getByText('登録あり 1件')).toBeVisible()
  await userEvent.upload(page.getByLabelText('登録番号のCSVファイル'), new File(['x'], 'register.csv'))
  await expect.element(page.getByText('支払先の登録番号2件を確認しました（変更1件）。').first()).toBeVisible()
  expect(operations.find(each => each.name === 'ImportInvoiceRegister')?.variables).toMatchObject({
    name: 'register.csv',
    content: btoa('x'),
  })
})

test('a file that cannot be read says why', async () => {
  await show('/adjustments/registrations', 'insight:admin', {
    ImportInvoiceRegister: refusedWith('register-file/line-unreadable', '3行目を読み取れません。', ['content']),
  })
  await userEvent.upload(page.getByLabelText('登録番号のCSVファイル'), new File(['x'], 'register.csv'))
  await expect.element(page.getByText('3行目を読み取れません。').first()).toBeVisible()
})

test('the next due dates: what is final and what is not, for staff', async () => {
  await show('/histories/cash-forecast')
  await expect.element(page.getByText('期日を過ぎた未払', { exact: true })).toBeVisible()
  await expect.element(page.getByText('確定 0円 + 見込み 88,000円')).toBeVisible()
  const row = page.getByRole('row', { name: /東都新聞社/ })
  await expect.element(row.getByText('219,000')).toBeVisible()
  await expectAccessible()
})

test('a payee reads that only final months count, and nothing of estimates', async () => {
  await show('/histories/cash-forecast', 'insight:publisher_admin')
  await expect.element(page.getByText(/確定した月だけを表示します/)).toBeVisible()
  expect(document.body.textContent).not.toContain('見込み')
})
