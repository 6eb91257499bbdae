import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { WholeReportMailFragment } from './report-emails.gen.ts'
import { reportEmailsRoute } from './report-emails-route.ts'

const MAIL: WholeReportMailFragment = {
  ...({ __typename: 'ReportMail' } as object),
  ...{ id: '5', name: '毎朝の確認', cadence: 'weekly', hour: 9, monthDay: 'first', compareWith: 'same_weekdays' },
  ...{ ranking: 'articles', mediumIds: ['1'], organizationIds: [], publisherIds: ['2', '3'], isPaused: false },
  revision: 2,
  last: {
    ...({ __typename: 'ReportMailDelivery' } as object),
    ...{ from: '2026-11-08', to: '2026-11-14', state: 'sent', changedAt: '2026-11-16T00:00:00Z' },
  },
} as WholeReportMailFragment

const mail = (id = '5') => ({ __typename: 'ReportMail', id })
/** By the names of the operations. */
const answersOf = (mails: readonly WholeReportMailFragment[]) =>
  Object.fromEntries<object>([
    ['ReportMails', { reportMails: mails }],
    ['SaveReportMail', { saveReportMail: MAIL }],
    ['PauseReportMail', { pauseReportMail: { ...MAIL, isPaused: true } }],
    ['DeleteReportMail', { deleteReportMail: mail() }],
    ['RestoreReportMail', { restoreReportMail: mail() }],
    ['SendReportMailTest', { sendReportMailTest: true }],
  ])
const show = (mails: readonly WholeReportMailFragment[], more: object = {}, path = '/reports/mails') =>
  showScreen({
    ...{ screens: [reportEmailsRoute], path, role: 'insight:publisher_admin' },
    answers: { ...answersOf(mails), ...more } as never,
  })
afterEach(dismissAllToasts)

test('each mail says when it is sent, of what, and what became of the last one', async () => {
  await show([MAIL, { ...MAIL, id: '6', name: '月次', cadence: 'monthly', isPaused: true, last: null }])
  const row = page.getByRole('row', { name: /毎朝の確認/ })
  await expect.element(row).toBeVisible()
  await expect.element(row.getByText('毎週月曜日 9:00')).toBeVisible()
  await expect.element(row.getByText('媒体1件・パブリッシャー2件')).toBeVisible()
  await expect.element(row.getByText('送信済み')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /月次/ }).getByText('停止中')).toBeVisible()
  await expectAccessible()
})

test('a new mail is made in a dialog; publishers choose no ranking of publishers', async () => {
  const { operations } = await show([])
  await expect.element(page.getByText('レポートメールはまだありません')).toBeVisible()
  await page.getByRole('button', { name: 'メールを登録' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabelText('メールの名前').fill('  月の成果 ')
  await dialog.getByLabelText('送る間隔').selectOptions('monthly')
  await dialog.getByLabelText('送る日').selectOptions('first_business_day')
  await dialog.getByLabelText('時刻（日本時間）').selectOptions('7')
  expect(dialog.getByLabelText('順位').element().textContent).not.toContain('パブリッシャーの上位')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'メールを登録する' }).click()
  await expect.element(page.getByText('レポートメール「毎朝の確認」を保存しました')).toBeVisible()
  expect(operations.find(one => one.name === 'SaveReportMail')?.variables.input).toEqual({
    ...{ name: '月の成果', cadence: 'monthly', monthDay: 'first_business_day', hour: 7, ranking: 'articles' },
    ...{ compareWith: 'same_weekdays', mediumIds: [], organizationIds: [], publisherIds: [] },
  })
})

test('what the server refuses stands at the name, and the dialog stays', async () => {
  await show([MAIL], {
    SaveReportMail: refusedWith('report-mail/too-many', '20件までです。', ['input']),
  })
  await page.getByRole('button', { name: '毎朝の確認', exact: true }).click()
  await page.getByRole('button', { name: '変更を保存する' }).click()
  await expect.element(page.getByText('20件までです。')).toBeVisible()
})

test('the link of a mail stops it with one press', async () => {
  const { operations } = await show([MAIL], {}, '/reports/mails/mail=5')
  await page.getByRole('button', { name: 'このメールを止める' }).click()
  await expect.element(page.getByText('「毎朝の確認」を止めました')).toBeVisible()
  expect(operations.find(one => one.name === 'PauseReportMail')?.variables).toMatchObject({ id: '5', isPaused: true })
})

test('a test, and a deletion that can be taken back', async () => {
  const { operations } = await show([MAIL])
  await page.getByRole('button', { name: '「毎朝の確認」をテスト送信' }).click()
  await expect.element(page.getByText(/テストのメールを送りました/)).toBeVisible()
  await page.getByRole('button', { name: '「毎朝の確認」を削除' }).click()
  await page.getByRole('button', { name: 'メールを削除する' }).click()
  await page.getByRole('button', { name: '元に戻す' }).click()
  await expect.element(page.getByText('「毎朝の確認」を元に戻しました')).toBeVisible()
  expect(operations.map(one => one.name)).toContain('RestoreReportMail')
})
