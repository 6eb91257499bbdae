import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { goTo } from '@pc/ui/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/show-screen.tsx'
import { dismissAllToasts } from '@pc/ui/toasts.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paymentSettingsRoute } from './payment-settings-route.ts'

const SETTINGS = {
  __typename: 'PaymentSettings',
  lastFinalizedMonth: '2026-09',
  revisions: ['payout', 'consumption_tax', 'input_tax_deduction', 'transfer_fee'].map((section, index) => ({
    ...{ __typename: 'PaymentSettingRevision', section, revision: index + 3, historyId: `settings/${section}` },
  })),
  payout: [
    {
      ...{
        __typename: 'PayoutSetting',
        validFromMonth: '2026-11',
        payoutThreshold: 5_000,
        businessDayShift: 'previous',
      },
      ...{ needsTwoPersons: true, sspWeight: 'article_click', videoSspWeight: 'video_watch3s' },
      liveSspWeight: 'live_watch',
    },
    {
      ...{ __typename: 'PayoutSetting', validFromMonth: '2020-12', payoutThreshold: 1, businessDayShift: 'previous' },
      ...{ needsTwoPersons: false, sspWeight: 'article_click', videoSspWeight: 'video_watch3s' },
      liveSspWeight: 'live_watch',
    },
  ],
  consumptionTax: [{ __typename: 'DatedRate', validFromMonth: '2019-10', percent: 10 }],
  inputTaxDeductions: [
    { __typename: 'DatedRate', validFromMonth: '2099-10', percent: 50 },
    { __typename: 'DatedRate', validFromMonth: '2023-10', percent: 80 },
  ],
  transferFees: [
    {
      ...{ __typename: 'TransferFee', sourceBankCode: '0001', destination: 'same_branch', validFrom: '2026-01-01' },
      ...{ fromAmount: 0, fee: 0 },
    },
  ],
  holidays: {
    ...{ __typename: 'HolidayCalendar', firstYear: 2020, lastYear: 2027, sourceName: 'syukujitsu.csv' },
    ...{ importedAt: '2026-11-02T00:00:00Z', days: [{ __typename: 'Holiday', day: '2099-01-01', name: '元日' }] },
  },
}
const HISTORY = {
  recordHistory: {
    ...{ __typename: 'RecordChangeList', total: 1 },
    nodes: [
      {
        ...{ __typename: 'RecordChange', id: '1', at: '2026-11-02T00:00:00Z', action: 'create' },
        ...{ actorUid: null, actorEmail: 'keiri@example.jp' },
        fields: [{ __typename: 'ChangedField', name: 'payoutThresholdYen', before: null, after: '5000' }],
      },
    ],
  },
}
const show = (answers: object = {}, role: 'insight:admin' | 'insight:viewer' = 'insight:admin') =>
  showScreen({
    screens: [paymentSettingsRoute],
    path: '/adjustments/settings',
    role,
    answers: { PaymentSettings: { paymentSettings: SETTINGS }, RecordHistory: HISTORY, ...answers },
  })

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('a new line begins after the last final month, carries the revision that was seen, and is refused in words', async () => {
  const { asked } = await show({
    SavePayoutSetting: refusedWith('record/edited-by-other', 'ほかの方が先に変更しました。', ['expectedRevision']),
  })
  await page.getByRole('button', { name: '支払の基準を変更する' }).click()
  const dialog = page.getByRole('dialog', { name: '支払の基準' })
  const month = dialog.getByRole('combobox', { name: '適用開始月' })
  await expect.element(month).toHaveValue('2026-10')
  await month.selectOptions('2027-01')
  await dialog.getByRole('textbox', { name: '支払下限額' }).fill('3000')
  await expectAccessible()
  await dialog.getByRole('button', { name: '2027年1月分から変更する' }).click()
  await expect
    .poll(() => asked.find(each => each.name === 'SavePayoutSetting')?.variables)
    .toMatchObject({
      expectedRevision: 3,
      input: { validFromMonth: '2027-01', payoutThreshold: 3_000, businessDayShift: 'previous', needsTwoPersons: true },
    })
  await expect.element(dialog.getByRole('alert').getByText('ほかの方が先に変更しました。')).toBeVisible()
})

test('lines of finalised months and first lines cannot go; later ones can, after a question', async () => {
  const { asked } = await show({ RemoveDatedSetting: { removeDatedSetting: 4 } })
  await expect.element(page.getByRole('button', { name: '2020年12月分からの行を削除' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: '2023年10月分からの行を削除' })).toBeDisabled()
  await page.getByRole('button', { name: '2026年11月分からの行を削除' }).click()
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: '行を削除する' }).click()
  await expect
    .poll(() => asked.find(each => each.name === 'RemoveDatedSetting')?.variables)
    .toMatchObject({ section: 'payout', validFromMonth: '2026-11', expectedRevision: 3 })
})

test('a price list is entered line by line and sent as a whole', async () => {
  const { asked } = await show({ SaveTransferFees: { saveTransferFees: 7 } })
  await page.getByRole('button', { name: '料金表を登録する' }).click()
  const dialog = page.getByRole('dialog', { name: '振込手数料の料金表' })
  await dialog.getByRole('button', { name: '行を追加する' }).click()
  await dialog.getByRole('button', { name: '料金表を保存する' }).click()
  await expect.element(dialog.getByRole('alert').getByText('金額と手数料をすべて入力してください。')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'この金額から（2行目）' }).fill('30000')
  await dialog.getByRole('textbox', { name: '手数料（2行目）' }).fill('660')
  await expectAccessible()
  await dialog.getByRole('button', { name: '料金表を保存する' }).click()
  await expect
    .poll(() => asked.find(each => each.name === 'SaveTransferFees')?.variables)
    .toMatchObject({
      expectedRevision: 6,
      input: {
        sourceBankCode: '0001',
        lines: [
          { destination: 'same_branch', fromAmount: 0, fee: 0 },
          { destination: 'other_bank', fromAmount: 30_000, fee: 660 },
        ],
      },
    })
})

test('the holiday file goes as it is, in whatever encoding', async () => {
  const { asked } = await show({ ImportHolidayFile: { importHolidayFile: 1_050 } })
  const bytes = new Uint8Array([0x8d, 0x91, 0x96, 0xaf, 0x0d, 0x0a])
  await userEvent.upload(page.getByLabelText('祝日のCSVファイル'), new File([bytes], 'syukujitsu.csv'))
  await expect.element(page.getByText('祝日1050日分を取り込みました。')).toBeVisible()
  expect(asked.find(each => each.name === 'ImportHolidayFile')?.variables).toMatchObject({
    name: 'syukujitsu.csv',
    content: btoa(String.fromCharCode(...bytes)),
  })
})

test('the law: what holds today, and what changes next; the history in words', async () => {
  await show({}, 'insight:viewer')
  const next = page.getByRole('list', { name: '今後の変更' })
  await expect.element(next.getByText(/登録のない支払先の仕入税額控除の割合が50%になります/)).toBeVisible()
  await expect.element(page.getByText(/取適法の対象となるパブリッシャーに振込手数料/)).toBeVisible()
  await expect.element(page.getByText('5000円')).toBeVisible()
  expect(page.getByRole('button', { name: '支払の基準を変更する' }).elements()).toHaveLength(0)
  await expectAccessible()
})

test('a phone shows it without scrolling sideways', async () => {
  await page.viewport(390, 844)
  await show()
  await expect.element(page.getByRole('heading', { name: '支払の基準' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
})
