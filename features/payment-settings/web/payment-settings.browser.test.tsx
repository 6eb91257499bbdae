import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { paymentSettingsRoute } from './payment-settings-route.ts'

const SETTINGS = {
  __typename: 'PaymentSettings',
  lastFinalizedMonth: '2026-09',
  revisions: [
    'payout',
    'consumption_tax',
    'input_tax_deduction',
    'transfer_fee',
    'transfer_source',
    'withholding',
    'journal_account',
    'settlement_rule',
  ].map((section, index) => ({
    ...{ __typename: 'PaymentSettingRevision', section, revision: index + 3, historyId: `settings/${section}` },
  })),
  payout: [
    {
      ...{
        __typename: 'PayoutSetting',
        validFromMonth: '2026-11',
        payoutThreshold: 5_000,
        returnFee: 880,
        businessDayShift: 'previous',
      },
      ...{ inputTaxTiming: 'accrual' },
      ...{ needsTwoPersons: true, taxPeriodStartMonth: 4, sspWeight: 'article_click', videoSspWeight: 'video_watch3s' },
      liveSspWeight: 'live_watch',
    },
    {
      ...{
        __typename: 'PayoutSetting',
        validFromMonth: '2020-12',
        payoutThreshold: 1,
        returnFee: 0,
        businessDayShift: 'previous',
      },
      ...{
        needsTwoPersons: false,
        taxPeriodStartMonth: 4,
        inputTaxTiming: 'finalising',
        sspWeight: 'article_click',
        videoSspWeight: 'video_watch3s',
      },
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
  transferSources: [
    {
      ...{ __typename: 'TransferSource', validFromMonth: '2020-12', clientCode: '0000012345', clientName: 'ｶ)ﾃｽﾄ' },
      ...{ bankCode: '0001', bankName: 'ﾐｽﾞﾎ', branchCode: '001', branchName: 'ﾎﾝﾃﾝ', accountType: 'ordinary' },
      ...{ accountNumber: '1234567', hasLineBreaks: true, extraCharacters: '', resultMarkOffset: 0 },
      transferLimit: 9_999_999_999,
      ...{ resultMarkLength: 1, resultPaidMarks: ['0'], resultReturnedMarks: ['8'] },
    },
  ],
  withholding: [
    {
      ...{ __typename: 'WithholdingRate', validFrom: '2013-01-01', threshold: 1_000_000 },
      ...{ rateUpToThreshold: 1021, rateAboveThreshold: 2042, rateNonResident: 2042 },
    },
  ],
  returnsRule: { __typename: 'ReturnsRule', firstMonth: '2026-12', isProposed: true },
  journalAccounts: [
    {
      ...{ __typename: 'JournalAccountName', validFromMonth: '2020-12', account: 'payable', label: '未払金' },
      ...{ name: '未払金', subAccount: '', department: '' },
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

async function chooseMonth(dialog: Locator, from: string, year: number, month: string) {
  await dialog.getByRole('button', { name: from }).click()
  const grid = dialog.getByRole('dialog', { name: '適用開始月' })
  await grid.getByRole('button', { name: '翌年' }).click()
  await expect.element(grid.getByText(`${year}年`)).toBeVisible()
  await grid.getByRole('button', { name: month, exact: true }).click()
  await expect.element(dialog.getByRole('button', { name: `適用開始月: ${year}年${month}` })).toHaveFocus()
}

test('a new line begins after the last final month, carries the revision that was seen, and is refused in words', async () => {
  const { operations } = await show({
    SavePayoutSetting: refusedWith('record/edited-by-other', 'ほかの方が先に変更しました。', ['expectedRevision']),
  })
  await page.getByRole('button', { name: '支払の基準を変更する' }).click()
  const dialog = page.getByRole('dialog', { name: '支払の基準' })
  await chooseMonth(dialog, '適用開始月: 2026年10月', 2027, '1月')
  await dialog.getByRole('textbox', { name: '支払下限額' }).fill('3000')
  await expectAccessible()
  await dialog.getByRole('button', { name: '2027年1月分から変更する' }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SavePayoutSetting')?.variables)
    .toMatchObject({
      expectedRevision: 3,
      input: {
        validFromMonth: '2027-01',
        payoutThreshold: 3_000,
        returnFee: 880,
        businessDayShift: 'previous',
        needsTwoPersons: true,
        taxPeriodStartMonth: 4,
        inputTaxTiming: 'accrual',
      },
    })
  await expect.element(dialog.getByRole('alert').getByText('ほかの方が先に変更しました。')).toBeVisible()
})

test('the month that an upgrade proposed for returns is confirmed or changed', async () => {
  const { operations } = await show({ SaveReturnsFirstMonth: { saveReturnsFirstMonth: 11 } })
  await expect.element(page.getByText(/更新時に設定した月です/)).toBeVisible()
  await page.getByRole('button', { name: '適用開始月を確認する' }).click()
  const dialog = page.getByRole('dialog', { name: '返還の計算' })
  await chooseMonth(dialog, '適用開始月: 2026年12月', 2027, '1月')
  await dialog.getByRole('button', { name: '2027年1月分から適用する' }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SaveReturnsFirstMonth')?.variables)
    .toMatchObject({ validFromMonth: '2027-01', expectedRevision: 10 })
})

test('lines of finalised months and first lines cannot go; later ones can, after a question', async () => {
  const { operations } = await show({ RemoveDatedSetting: { removeDatedSetting: 4 } })
  await expect.element(page.getByRole('button', { name: '2020年12月分からの行を削除' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: '2023年10月分からの行を削除' })).toBeDisabled()
  await page.getByRole('button', { name: '2026年11月分からの行を削除' }).click()
  await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: '行を削除する' }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'RemoveDatedSetting')?.variables)
    .toMatchObject({ section: 'payout', validFromMonth: '2026-11', expectedRevision: 3 })
})

test('until the terms were saved once, the month in which tax periods begin has to be chosen', async () => {
  const revisions = SETTINGS.revisions.map(each => (each.section === 'payout' ? { ...each, revision: 1 } : each))
  const { operations } = await show({
    PaymentSettings: { paymentSettings: { ...SETTINGS, revisions } },
    SavePayoutSetting: { savePayoutSetting: 2 },
  })
  await page.getByRole('button', { name: '支払の基準を変更する' }).click()
  const dialog = page.getByRole('dialog', { name: '支払の基準' })
  const begins = dialog.getByRole('combobox', { name: '課税期間の開始月' })
  await expect.element(begins).toHaveValue('')
  await dialog.getByRole('button', { name: /分から変更する$/ }).click()
  await expect.element(begins).toHaveFocus()
  await expect.element(begins).toHaveAccessibleDescription(/^課税期間の開始月を選択してください。/)
  await expectAccessible()
  await begins.selectOptions('4月')
  await dialog.getByRole('button', { name: /分から変更する$/ }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SavePayoutSetting')?.variables)
    .toMatchObject({ expectedRevision: 1, input: { taxPeriodStartMonth: 4 } })
})

test('a price list is entered line by line and sent as a whole', async () => {
  const { operations } = await show({ SaveTransferFees: { saveTransferFees: 7 } })
  await page.getByRole('button', { name: '料金表を登録する' }).click()
  const dialog = page.getByRole('dialog', { name: '振込手数料の料金表' })
  await dialog.getByRole('button', { name: '行を追加する' }).click()
  await dialog.getByRole('button', { name: '料金表を保存する' }).click()
  // What is missing is reported at its field, and nothing about the amount that is there.
  const first = dialog.getByRole('textbox', { name: 'この金額から（2行目）' })
  await expect.element(first).toHaveFocus()
  await expect.element(first).toHaveAccessibleDescription('金額を入力してください。')
  const fee = (line: number) => dialog.getByRole('textbox', { name: `手数料（${line}行目）` })
  await expect.element(fee(2)).toHaveAccessibleDescription('手数料を入力してください。')
  await expect.element(fee(1)).not.toHaveAttribute('aria-invalid')
  await dialog.getByRole('textbox', { name: 'この金額から（2行目）' }).fill('30000')
  await dialog.getByRole('textbox', { name: '手数料（2行目）' }).fill('660')
  await expectAccessible()
  await dialog.getByRole('button', { name: '料金表を保存する' }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SaveTransferFees')?.variables)
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

test('the sending account: codes and kana as typed, the mark counted from one, the seen revision', async () => {
  const { operations } = await show({ SaveTransferSource: { saveTransferSource: 8 } })
  await expect.element(page.getByText('1文字目から1文字：振込済み 0、組戻し 8')).toBeVisible()
  await page.getByRole('button', { name: '振込元の口座を登録する' }).click()
  const dialog = page.getByRole('dialog', { name: '振込元の口座' })
  await dialog.getByRole('textbox', { name: /口座番号/ }).fill('７６５４３２１')
  const clientCode = dialog.getByRole('textbox', { name: /^委託者コード/ })
  const before = (clientCode.element() as HTMLInputElement).value
  await clientCode.fill('12345678901')
  // A digit too many is refused by the server, not cut to the code of somebody else.
  await expect.element(clientCode).toHaveValue('12345678901')
  await clientCode.fill(before)
  await dialog.getByRole('textbox', { name: /^委託者名/ }).fill('')
  await dialog.getByRole('button', { name: /から適用する/ }).click()
  const holder = dialog.getByRole('textbox', { name: /^委託者名/ })
  await expect.element(holder).toHaveAccessibleDescription('委託者名を入力してください。')
  await expect.element(holder).toHaveFocus()
  await dialog.getByRole('textbox', { name: /^委託者名/ }).fill('カ）テスト')
  await dialog.getByRole('textbox', { name: /^1件あたりの振込限度額/ }).fill('100000000')
  await expectAccessible()
  await dialog.getByRole('button', { name: /から適用する/ }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SaveTransferSource')?.variables)
    .toMatchObject({
      expectedRevision: 7,
      input: {
        ...{ clientName: 'カ）テスト', accountNumber: '7654321', bankCode: '0001', branchCode: '001' },
        transferLimit: 100_000_000,
        ...{ resultMarkOffset: 0, resultMarkLength: 1, resultPaidMarks: ['0'], resultReturnedMarks: ['8'] },
      },
    })
})

test('withholding rates are in per cent with two decimals; the first line stays', async () => {
  const { operations } = await show({ SaveWithholdingRate: { saveWithholdingRate: 9 } })
  await expect.element(page.getByText('10.21%')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /2013.*からの税率を削除/ })).toBeDisabled()
  await page.getByRole('button', { name: '源泉徴収税率を追加する' }).click()
  const dialog = page.getByRole('dialog', { name: '源泉徴収税率' })
  await dialog.getByLabelText('適用開始日（支払日）').fill('2099-01-01')
  await dialog.getByRole('textbox', { name: '基準額以下の部分の税率' }).fill('10.1')
  await dialog.getByRole('button', { name: '税率を保存する' }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SaveWithholdingRate')?.variables)
    .toMatchObject({
      expectedRevision: 8,
      input: {
        ...{ validFrom: '2099-01-01', threshold: 1_000_000 },
        ...{ rateUpToThreshold: 1010, rateAboveThreshold: 2042, rateNonResident: 2042 },
      },
    })
})

test('what is refused of a field stands at it and has the focus; what is of none stands above all fields', async () => {
  const code = 'payment-setting/account-number-invalid'
  const wrong = [
    ...refusedWith('payment-setting/result-marks-invalid', '印を確認してください。', ['input', 'resultPaidMarks']),
    ...refusedWith(code, '口座番号は7桁の数字で入力してください。', ['input', 'accountNumber']),
    ...refusedWith('record/edited-by-other', 'ほかの方が先に変更しました。', ['expectedRevision']),
  ]
  await show({ SaveTransferSource: wrong })
  await page.getByRole('button', { name: '振込元の口座を登録する' }).click()
  const dialog = page.getByRole('dialog', { name: '振込元の口座' })
  await dialog.getByRole('button', { name: /から適用する/ }).click()
  const number = dialog.getByRole('textbox', { name: /口座番号/ })
  await expect.element(number).toHaveFocus()
  await expect.element(number).toHaveAttribute('aria-invalid', 'true')
  await expect.element(number).toHaveAccessibleDescription('口座番号は7桁の数字で入力してください。')
  await expect
    .element(dialog.getByRole('textbox', { name: /^振込済みの結果コード/ }))
    .toHaveAccessibleDescription('印を確認してください。')
  await expect.element(dialog.getByRole('alert').getByText('ほかの方が先に変更しました。')).toBeVisible()
  await expectAccessible()
})

test('names of accounts are entered together from an open month on', async () => {
  const { operations } = await show({ SaveJournalAccounts: { saveJournalAccounts: 10 } })
  await page.getByRole('button', { name: '勘定科目を変更する' }).click()
  const dialog = page.getByRole('dialog', { name: '仕訳の勘定科目' })
  const payable = dialog.getByRole('group', { name: '未払金' })
  await payable.getByRole('textbox', { name: '科目名' }).fill('買掛金')
  await payable.getByRole('textbox', { name: '部門' }).fill('編集部')
  await dialog.getByRole('button', { name: '2026年10月分から適用する' }).click()
  await expect
    .poll(() => operations.find(each => each.name === 'SaveJournalAccounts')?.variables)
    .toMatchObject({
      expectedRevision: 9,
      input: {
        validFromMonth: '2026-10',
        names: [{ account: 'payable', name: '買掛金', subAccount: '', department: '編集部' }],
      },
    })
})

test('the holiday file goes as it is, in whatever encoding', async () => {
  const { operations } = await show({ ImportHolidayFile: { importHolidayFile: 1_050 } })
  const bytes = new Uint8Array([0x8d, 0x91, 0x96, 0xaf, 0x0d, 0x0a])
  const sent = () => operations.filter(one => one.name === 'ImportHolidayFile').length
  const before = sent()
  await userEvent.upload(page.getByLabelText('祝日のCSVファイル'), new File([new Uint8Array(1_500_001)], 'zenbu.csv'))
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('「zenbu.csv」は大きすぎます。1.5MBまでのファイルを選んでください。')
  expect(sent()).toBe(before)
  await userEvent.upload(page.getByLabelText('祝日のCSVファイル'), new File([bytes], 'syukujitsu.csv'))
  await expect.element(page.getByText('祝日1050日分を取り込みました。')).toBeVisible()
  expect(operations.find(each => each.name === 'ImportHolidayFile')?.variables).toMatchObject({
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
