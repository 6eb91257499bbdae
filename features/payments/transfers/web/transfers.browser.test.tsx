import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { refusedWith, type SentOperation, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { transferBatchRoute, transfersRoute } from './transfers-route.ts'

const SCREENS = [transfersRoute, transferBatchRoute]
const DAY = {
  __typename: 'PayableDay',
  ...{ dueOn: '2026-11-30', transferOn: '2026-11-30', isLate: false, paymentCount: 3, returnedPaymentCount: 1 },
  paymentIncludingTax: 187_005,
}
const COUNTS = {
  plannedCount: 0,
  exportedCount: 0,
  paidCount: 0,
  returnedCount: 0,
  cancelledCount: 0,
  recallRequestCount: 0,
  recalledPaymentRequestCount: 0,
}
const SUMS = {
  paymentIncludingTax: 187_005,
  withholding: 10_210,
  fee: 1_100,
  feeBorneByPayee: 440,
  transferAmount: 176_355,
}
function batch(more: object = {}) {
  return {
    ...{ __typename: 'TransferBatch', id: '7', kind: 'bank_file', transferOn: '2026-11-30', dueOn: '2026-11-30' },
    ...{ createdAt: '2026-11-20T01:02:03.000Z', createdByEmail: 'keiri@example.jp', exportedAt: null, notes: '' },
    ...{ transferLimit: 1_000_000, splitRecordCount: 0, sentAgainCount: 0, sentAgainPlannedCount: 0 },
    ...{ sentAgainAmount: 0, sentAgainFee: 0, partlyReturnedCount: 0, usualReturnFee: 880 },
    ...{
      findings: [] as object[],
      fileSha256: null,
      transferCount: 2,
      paymentCount: 3,
      ...COUNTS,
      plannedCount: 2,
      ...SUMS,
    },
    ...more,
  }
}
const LISTS = (...batches: readonly object[]) => ({
  payableDays: [DAY],
  legalDeadlines: { __typename: 'LegalDeadlineList', total: 0, nodes: [] as object[] },
  unpaidReasons: [
    {
      __typename: 'UnpaidReason',
      reason: 'NO_BANK_ACCOUNT',
      text: '使用する口座が未登録',
      paymentCount: 1,
      carriedOverToNext: 2_048,
    },
  ],
  transferBatches: { __typename: 'TransferBatchList', total: batches.length, nodes: batches },
})
const PLANNED = (payee: string, isReturned = false) => ({
  __typename: 'PlannedTransfer',
  ...{ partnerName: payee, bankName: 'みずほ', branchName: '本店', accountNumber: '****567', holder: 'ｶ)ｱｻｷﾞﾘ' },
  ...{ paymentIncludingTax: 93_500, withholding: 10_210, feeBorneByPayee: 440, transferAmount: 82_850 },
  recordAmounts: [82_850],
  payments: [
    {
      ...{ __typename: 'PayablePayment', monthlyPaymentId: payee, organizationId: '5', isReturned },
      returnedReason: isReturned ? '口座名義相違' : null,
    },
  ],
})
const PLAN = (problems: readonly object[] = []) => ({
  previewTransfers: {
    ...{ __typename: 'TransferPlan', hash: 'abc', sourceName: '三菱 本店 ****321', transferLimit: 50_000, ...SUMS },
    ...{ transfers: [PLANNED('朝霧新聞社'), PLANNED('みなと放送', true)], problems, warnings: [] },
  },
})
const PROBLEM = {
  __typename: 'TransferProblem',
  ...{
    code: 'transfer/amount-not-positive',
    payee: '小さな出版',
    message: '「小さな出版」への振込額が-110円になります。',
  },
  payments: [
    {
      ...{ organizationId: '5', isReturned: false, returnedReason: null },
      ...{
        __typename: 'PayablePayment',
        monthlyPaymentId: '99',
        agreementName: '契約',
        revenueGeneratedAtMonth: '2026-10',
      },
      paymentIncludingTax: 330,
    },
  ],
}
type Requested = Readonly<Record<string, unknown>>
/** One payee cannot be paid until it is left out. */
const planUntilExcluded = ({ request }: Requested) =>
  PLAN((request as { excludedMonthlyPaymentIds: string[] }).excludedMonthlyPaymentIds.includes('99') ? [] : [PROBLEM])
const VANISHED = {
  ...PROBLEM,
  ...{
    code: 'transfer/branch-gone',
    payee: '海辺出版',
    message: '「海辺出版」の振込先（みずほ 旧支店）は、無くなりました。',
  },
  payments: [{ ...PROBLEM.payments[0], organizationId: '5', isReturned: false, returnedReason: null }],
}
/** The payee cannot be paid until another account is chosen. */
const planOfVanishedBranch = ({ request }: Requested) => {
  if ((request as { accountChanges: readonly object[] }).accountChanges.length === 0) return PLAN([VANISHED])
  const paid = { ...PLANNED('海辺出版'), payments: PLANNED('99').payments }
  return { previewTransfers: { ...PLAN().previewTransfers, transfers: [paid] } }
}
const WAITING = batch({ recallRequestCount: 1, plannedCount: 0, exportedCount: 2 })
const waitingOrAll = ({ hasRecallToDecide }: Requested) =>
  LISTS(...(hasRecallToDecide ? [WAITING] : [WAITING, batch({ id: '6' })]))
const resentKnowingly = ({ isLateAcknowledged }: Requested) =>
  isLateAcknowledged
    ? { resendTransferRecords: { __typename: 'TransferBatch', id: '9', sentAgainCount: 1, sentAgainAmount: 1_000_000 } }
    : refusedWith('transfer/late-by-law', '取引先41の法定の期限は2026年11月30日です。', ['isLateAcknowledged'])
const planUnlessClosed = ({ request }: Requested) =>
  (request as { transferOn: string }).transferOn === '2026-11-30'
    ? PLAN()
    : refusedWith('transfer/day-not-business', '2026-11-29は銀行の休業日です。', ['transferOn'])
const ACCOUNTS = {
  bankAccounts: {
    __typename: 'BankAccountList',
    nodes: [
      {
        ...{ __typename: 'BankAccount', id: '31', holder: 'ﾐﾅﾄ', usableFrom: null },
        ...{
          bank: { __typename: 'Bank', name: '千葉', isGone: false },
          bankBranch: { __typename: 'BankBranch', name: '中央', isGone: false },
        },
      },
      {
        ...{ __typename: 'BankAccount', id: '32', holder: 'ﾐﾅﾄ', usableFrom: '2999-01-05' },
        ...{
          bank: { __typename: 'Bank', name: '千葉', isGone: false },
          bankBranch: { __typename: 'BankBranch', name: '幕張', isGone: false },
        },
      },
    ],
  },
}
function transfer(id: string, more: object = {}) {
  return {
    ...{ __typename: 'Transfer', id, partnerName: `取引先${id}`, bankName: 'みずほ', branchName: '本店' },
    ...{ accountNumber: '****567', holder: 'ｶ)ﾄﾘﾋｷ', paymentIncludingTax: 93_500, withholding: 10_210, fee: 550 },
    ...{ feeBorneByPayee: 440, transferAmount: 82_850, state: 'exported', stateLabel: '結果待ち' },
    ...{ paidOn: null, returnedOn: null, reason: null, recall: null, recalledPayment: null, returnFee: 0, returns: [] },
    ...{ payments: [], batchId: '7', hasReturnedRecord: false, records: [] },
    ...more,
  }
}
const detail = (more: object, ...nodes: readonly object[]) => ({
  transferBatch: batch({ ...more, transfers: { __typename: 'TransferList', total: nodes.length, nodes } }),
})

function last(operations: readonly SentOperation[], name: string) {
  return operations.findLast(one => one.name === name)?.variables
}
type Answers = Parameters<typeof showScreen>[0]['answers']
const open = (
  answers: Answers,
  path = '/adjustments/transfers',
  role: 'insight:admin' | 'insight:viewer' = 'insight:admin',
) =>
  showScreen({
    screens: SCREENS,
    path,
    role,
    answers: { Transfers: LISTS(batch()), ReturnedAccounts: ACCOUNTS, ...answers },
  })

afterEach(async () => {
  dismissAllToasts()
  await page.viewport(1440, 900)
})

describe('what is payable, and what was made', () => {
  test('leads to the batch; who may only look has nothing to press', async () => {
    await open({}, undefined, 'insight:viewer')
    await expect
      .element(page.getByRole('link', { name: '振込データ 7' }))
      .toHaveAttribute('href', '#/adjustments/transfers/7')
    await expect.element(page.getByText(/使用する口座が未登録/)).toBeVisible()
    expect(page.getByRole('button', { name: /振込データを作成/ }).elements()).toEqual([])
    expect(page.getByRole('button', { name: '銀行の結果を取り込む' }).elements()).toEqual([])
    await expect.element(page.getByRole('button', { name: '仕訳を書き出す' })).toBeVisible()
    await expectAccessible()
    await page.viewport(390, 800)
    await expectAccessible()
  })

  test('what waits for a second person alone, and back', async () => {
    const { operations } = await open(
      {
        Transfers: waitingOrAll,
      },
      '/adjustments/transfers/waiting=recall',
    )
    await expect.element(page.getByText('組戻しの承認待ち 1件')).toBeVisible()
    expect(last(operations, 'Transfers')).toMatchObject({ hasRecallToDecide: true })
    expect(page.getByRole('link', { name: '振込データ 6' }).elements()).toEqual([])
    expect(page.getByRole('table', { name: 'これから振り込む支払' }).elements()).toEqual([])
    await expectAccessible()
    await page.getByRole('radio', { name: 'すべて' }).click()
    await expect.element(page.getByRole('link', { name: '振込データ 6' })).toBeVisible()
    await expect.element(page.getByRole('table', { name: 'これから振り込む支払' })).toBeVisible()
  })

  test('a payee that cannot be paid is named, left out, and the rest is made as it was shown', async () => {
    const { operations } = await open({
      PreviewTransfers: planUntilExcluded,
      CreateTransferBatch: {
        createTransferBatch: { __typename: 'TransferBatch', id: '8', transferCount: 2, transferAmount: 176_355 },
      },
      TransferBatch: detail({ id: '8' }, transfer('41', { state: 'planned', stateLabel: '出力待ち' })),
    })
    await page.getByRole('button', { name: '2026年11月30日期日の振込データを作成' }).click()
    const dialog = page.getByRole('dialog', { name: '2026年11月30日期日の振込データを作成' })
    await expect.element(dialog.getByText('「小さな出版」への振込額が-110円になります。')).toBeVisible()
    await expect.element(dialog.getByRole('button', { name: /件の振込データを作成する/ })).toBeDisabled()
    await expectAccessible()
    await dialog.getByRole('button', { name: '振り込めない支払を除く' }).click()
    await dialog.getByRole('combobox', { name: /理由：口座名義相違/ }).selectOptions('千葉 中央 ﾐﾅﾄ')
    await dialog.getByRole('button', { name: '2件の振込データを作成する' }).click()
    await expect.element(page.getByRole('heading', { name: '振込データ 8' })).toBeVisible()
    expect(last(operations, 'CreateTransferBatch')).toMatchObject({
      expectedHash: 'abc',
      request: {
        dueOn: '2026-11-30',
        transferOn: '2026-11-30',
        excludedMonthlyPaymentIds: ['99'],
        accountChanges: [{ monthlyPaymentId: 'みなと放送', bankAccountId: '31' }],
      },
    })
  })

  test('a payee whose branch has vanished is paid to another account of the organisation', async () => {
    const { operations } = await open({ PreviewTransfers: planOfVanishedBranch })
    await page.getByRole('button', { name: '2026年11月30日期日の振込データを作成' }).click()
    const dialog = page.getByRole('dialog', { name: /振込データを作成/ })
    await expect.element(dialog.getByText(/旧支店）は、無くなりました/)).toBeVisible()
    const choice = dialog.getByRole('combobox', { name: '海辺出版への支払99（理由：支店の廃止）' })
    await expect
      .element(choice.getByRole('option', { name: '千葉 幕張 ﾐﾅﾄ（2999年1月5日から使えます）' }))
      .toBeDisabled()
    await choice.selectOptions('千葉 中央 ﾐﾅﾄ')
    await expect.element(dialog.getByRole('button', { name: '1件の振込データを作成する' })).toBeEnabled()
    // It stays where it can be taken back.
    await expect.element(choice).toHaveValue('31')
    expect(last(operations, 'PreviewTransfers')).toMatchObject({
      request: { accountChanges: [{ monthlyPaymentId: '99', bankAccountId: '31' }] },
    })
  })

  test('a day on which banks are closed is said where it is entered', async () => {
    await open({
      PreviewTransfers: planUnlessClosed,
    })
    await page.getByRole('button', { name: /期日の振込データを作成/ }).click()
    const dialog = page.getByRole('dialog', { name: /振込データを作成/ })
    await dialog.getByLabelText('振込指定日').fill('2026-11-29')
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('2026-11-29は銀行の休業日です。')
    await expect.element(dialog.getByRole('button', { name: '振込データを作成する' })).toBeDisabled()
  })
})

test('what is late by law is made after somebody has said that it is known', async () => {
  const message = '朝霧新聞社「契約」の法定の期限は2026年11月30日です。'
  const warnings = [{ ...PROBLEM, code: 'transfer/late-by-law', message }]
  const { operations } = await open({
    PreviewTransfers: { previewTransfers: { ...PLAN().previewTransfers, warnings } },
    CreateTransferBatch: refusedWith('transfer/preview-outdated', '確認した後に変わりました。', []),
  })
  await page.getByRole('button', { name: /期日の振込データを作成/ }).click()
  const dialog = page.getByRole('dialog', { name: /振込データを作成/ })
  await expect.element(dialog.getByText(message)).toBeVisible()
  const make = dialog.getByRole('button', { name: '2件の振込データを作成する' })
  await expect.element(make).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /法定の期限を過ぎることを確認しました/ }).click()
  await expectAccessible()
  await make.click()
  await expect
    .poll(() => last(operations, 'CreateTransferBatch'))
    .toMatchObject({ request: { isLateAcknowledged: true }, expectedHash: 'abc' })
})

test('a due day that has become a holiday gives way to the next open day, and says why', async () => {
  const { operations } = await open({
    Transfers: { ...LISTS(), payableDays: [{ ...DAY, transferOn: '2026-12-01' }] },
    PreviewTransfers: PLAN(),
  })
  await page.getByRole('button', { name: /期日の振込データを作成/ }).click()
  const dialog = page.getByRole('dialog', { name: /振込データを作成/ })
  await expect.element(dialog.getByLabelText('振込指定日')).toHaveValue('2026/12/01')
  await expect
    .element(
      dialog.getByText('支払期日（2026年11月30日）は銀行の休業日になりました。次の営業日を振込指定日にしています。'),
    )
    .toBeVisible()
  await expect.poll(() => last(operations, 'PreviewTransfers')).toMatchObject({ request: { transferOn: '2026-12-01' } })
})

test('without a day nothing is requested; a day after the due day is named as late', async () => {
  const { operations } = await open({ PreviewTransfers: PLAN() })
  await page.getByRole('button', { name: /期日の振込データを作成/ }).click()
  const dialog = page.getByRole('dialog', { name: /振込データを作成/ })
  await expect.element(dialog.getByRole('button', { name: '2件の振込データを作成する' })).toBeEnabled()
  await expect.element(dialog.getByText(/支払が遅れます/)).not.toBeInTheDocument()
  const before = operations.length
  await dialog.getByLabelText('振込指定日').fill('')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('振込指定日を入力してください。')
  expect(operations).toHaveLength(before)
  await dialog.getByLabelText('振込指定日').fill('2026-12-01')
  await expect.element(dialog.getByText(/^支払期日（2026年11月30日）より後の日付です。支払が遅れます/)).toBeVisible()
})

describe('the answer of the bank', () => {
  const ROW = {
    __typename: 'TransferResultRow',
    ...{ transferId: '41', partnerName: '朝霧新聞社', transferAmount: 82_850, outcome: 'paid', reason: '' },
    ...{ state: 'exported', effect: 'book', note: null, recalledBatchId: null },
  }
  const choose = async () => {
    await page.getByRole('button', { name: '銀行の結果を取り込む' }).click()
    const file = new File(['振込番号,振込額,結果\n41,82850,支払済み\n'], 'kekka.csv', { type: 'text/csv' })
    await userEvent.upload(page.getByLabelText(/結果のファイルをここに/), file)
  }

  test('is shown line by line before it is booked', async () => {
    const { operations } = await open({
      PreviewTransferResult: {
        previewTransferResult: {
          __typename: 'TransferResultPreview',
          missing: 1,
          rows: [
            ROW,
            {
              ...ROW,
              transferId: '999',
              partnerName: null,
              effect: 'unknown',
              note: '作成した振込データにありません。',
            },
          ],
        },
      },
      ImportTransferResult: {
        importTransferResult: { __typename: 'BookedTransferResult', paid: 1, returned: 0, unchanged: 0, unknown: 1 },
      },
    })
    await choose()
    const dialog = page.getByRole('dialog', { name: '銀行の結果を取り込む' })
    await expect.element(dialog.getByText(/^登録する 1件 .* 判断できない 1件/)).toBeVisible()
    await expect.element(dialog.getByText('作成した振込データにありません。')).toBeVisible()
    await expectAccessible()
    // Another day may be refused where this one is not.
    const before = operations.filter(one => one.name === 'PreviewTransferResult').length
    await dialog.getByLabelText('処理された日（任意）').fill('2026-11-02')
    await expect.poll(() => last(operations, 'PreviewTransferResult')).toMatchObject({ file: { on: '2026-11-02' } })
    await dialog.getByLabelText('処理された日（任意）').fill('')
    await expect.poll(() => operations.filter(one => one.name === 'PreviewTransferResult')).toHaveLength(before + 2)
    await dialog.getByRole('button', { name: '1件の結果を登録する' }).click()
    await expect.element(page.getByText(/支払済み 1件、組戻し 0件を登録しました/)).toBeVisible()
    const sent = last(operations, 'ImportTransferResult') as { file: { contentBase64: string; on: string | null } }
    expect(
      new TextDecoder().decode(Uint8Array.from(atob(sent.file.contentBase64), each => each.charCodeAt(0))),
    ).toContain('41,82850')
    expect(sent.file.on).toBeNull()
  })

  test('a line that contradicts our books stops the whole file', async () => {
    const preview = { __typename: 'TransferResultPreview', missing: 0 }
    const rows = [ROW, { ...ROW, transferId: '42', effect: 'conflict', note: '金額が異なります。' }]
    await open({ PreviewTransferResult: { previewTransferResult: { ...preview, rows } } })
    await choose()
    const dialog = page.getByRole('dialog', { name: '銀行の結果を取り込む' })
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent(
        '登録できない行があります。備考の理由を確認してください。このファイルからは何も登録できません。',
      )
    await expect.element(dialog.getByRole('button', { name: /件の結果を登録する/ })).toBeDisabled()
  })

  test('what was recalled and paid all the same leads to where two persons record it', async () => {
    const preview = { __typename: 'TransferResultPreview', missing: 0 }
    const rows = [{ ...ROW, effect: 'unknown', note: '銀行が支払っています。', recalledBatchId: '7' }]
    await open({ PreviewTransferResult: { previewTransferResult: { ...preview, rows } } })
    await choose()
    const dialog = page.getByRole('dialog', { name: '銀行の結果を取り込む' })
    await expect
      .element(dialog.getByRole('link', { name: '振込データ7を開く' }))
      .toHaveAttribute('href', expect.stringContaining('/adjustments/transfers/7'))
  })
})

test('what would be late by law comes first, with its last day, its reason and the way to its terms', async () => {
  const late = {
    ...{ __typename: 'LegalDeadline', agreementId: '6', agreementName: '記事配信', partnerName: '小さな出版' },
    ...{ revenueGeneratedAtMonth: '2026-09', amount: 1_800, dueOn: '2026-10-31', lastLegalDay: '2026-10-31' },
    ...{ isPassed: true, reason: '支払下限額に満たないため、次の締めまで支払われません' },
  }
  await open({
    Transfers: { ...LISTS(), legalDeadlines: { __typename: 'LegalDeadlineList', total: 101, nodes: [late] } },
  })
  const row = page
    .getByRole('table', { name: '法定の期限を過ぎる見込みの支払' })
    .getByRole('row', { name: /小さな出版/ })
  await expect.element(row).toMatchTextContent(/2026年9月.*1,800.*2026年10月31日.*過ぎています.*支払下限額に満たない/)
  await expect
    .element(row.getByRole('link', { name: '記事配信' }))
    .toHaveAttribute('href', '#/managements/agreements/edit/6')
  await expect.element(page.getByText(/（ほか100件）/)).toBeVisible()
  await expectAccessible()
})

describe('one batch', () => {
  test('is exported after a question, or given up with a reason', async () => {
    const { operations } = await open(
      {
        TransferBatch: detail({}, transfer('41', { state: 'planned', stateLabel: '出力待ち' })),
        CancelTransferBatch: { cancelTransferBatch: { __typename: 'TransferBatch', id: '7' } },
        ExportTransferBatch: {
          exportTransferBatch: {
            __typename: 'TransferBatch',
            id: '7',
            exportedAt: '2026-11-20T01:02:03.000Z',
            fileSha256: 'f',
          },
        },
        TransferFile: { transferFile: { __typename: 'DownloadedFile', fileName: 'x.txt', contentBase64: 'MQ==' } },
      },
      '/adjustments/transfers/7',
    )
    await page.getByRole('button', { name: '振込データを出力する' }).click()
    await page.getByRole('button', { name: 'キャンセル' }).click()
    expect(last(operations, 'ExportTransferBatch')).toBeUndefined()
    await page.getByRole('button', { name: '取り消す' }).click()
    await page.getByRole('textbox', { name: '取り消す理由' }).fill('指定日の誤り')
    await page.getByRole('dialog').getByRole('button', { name: '取り消す' }).click()
    await expect.poll(() => last(operations, 'CancelTransferBatch')).toMatchObject({ id: '7', reason: '指定日の誤り' })
    await page.getByRole('button', { name: '振込データを出力する' }).click()
    await page.getByRole('button', { name: '出力する', exact: true }).click()
    await expect.poll(() => last(operations, 'TransferFile')).toEqual({ id: '7' })
  })

  const FINDING = {
    ...{ __typename: 'TransferFinding', code: 'transfer/late-by-law', monthlyPaymentIds: ['1'] },
    message: '朝霧新聞社「契約」の法定の期限は2026年11月30日です。',
  }
  test('what has become late by law since it was made is said, and exported knowingly', async () => {
    const { operations } = await open(
      {
        TransferBatch: detail({ findings: [FINDING] }, transfer('41', { state: 'planned', stateLabel: '出力待ち' })),
        ExportTransferBatch: refusedWith('transfer/day-over', '振込指定日を過ぎています。', ['id']),
      },
      '/adjustments/transfers/7',
    )
    await expect.element(page.getByRole('region', { name: '出力前の確認' })).toMatchTextContent(FINDING.message)
    await expectAccessible()
    await page.getByRole('button', { name: '振込データを出力する' }).click()
    const dialog = page.getByRole('alertdialog', { name: '振込データ7を出力しますか？' })
    await expect.element(dialog.getByText(/法定の期限を過ぎる支払が1件あります/)).toBeVisible()
    await dialog.getByRole('button', { name: '出力する' }).click()
    await expect
      .poll(() => last(operations, 'ExportTransferBatch'))
      .toMatchObject({ id: '7', isLateAcknowledged: true })
  })

  test('a fee that the law forbids by now is said, and the file is not written', async () => {
    const message =
      '朝霧新聞社「契約」からは、手数料を差し引けません。この振込データを取り消して、作成し直してください。'
    await open(
      {
        TransferBatch: detail(
          { findings: [{ ...FINDING, code: 'transfer/fee-now-forbidden', message }] },
          transfer('41', { state: 'planned', stateLabel: '出力待ち' }),
        ),
      },
      '/adjustments/transfers/7',
    )
    await expect.element(page.getByRole('region', { name: '出力前の確認' })).toMatchTextContent(message)
    await expect.element(page.getByRole('button', { name: '振込データを出力する' })).toBeDisabled()
    await expect.element(page.getByRole('button', { name: '取り消す' })).toBeEnabled()
  })

  test('a transfer is marked by hand with its day and reason', async () => {
    const { operations } = await open(
      {
        TransferBatch: detail(
          {
            plannedCount: 0,
            transferOn: '2020-01-06',
            exportedCount: 1,
            paidCount: 1,
            exportedAt: '2026-11-20T01:02:03.000Z',
            fileSha256: 'f00',
          },
          transfer('41'),
          transfer('42', { state: 'paid', stateLabel: '支払済み', paidOn: '2020-01-06' }),
        ),
        RecordTransferResults: { settleTransfers: 1 },
      },
      '/adjustments/transfers/7',
    )
    await expectAccessible()
    await page.viewport(700, 800)
    expect(document.documentElement.scrollWidth, 'the table scrolls, not the page').toBeLessThanOrEqual(700)
    await page.viewport(1440, 900)
    await page.getByRole('button', { name: '振込42を組戻しにする' }).click()
    const dialog = page.getByRole('dialog', { name: '組戻しにする' })
    await dialog.getByRole('button', { name: '1件を組戻しにする' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('組戻しの理由を入力してください。')
    await dialog.getByRole('textbox', { name: '組戻しの理由' }).fill('口座名義相違')
    await dialog.getByRole('button', { name: '1件を組戻しにする' }).click()
    await expect
      .poll(() => last(operations, 'RecordTransferResults'))
      .toMatchObject({ ids: ['42'], state: 'returned', reason: '口座名義相違' })
  })
})

test('what is wrong with the day stands at the day', async () => {
  const { operations } = await open(
    {
      TransferBatch: detail(
        { plannedCount: 0, exportedCount: 1, transferOn: '2020-01-06', exportedAt: '2019-12-20T01:02:03.000Z' },
        transfer('41'),
      ),
      RecordTransferResults: refusedWith('transfer/paid-too-early', '支払日は振込指定日以降にしてください。', ['on']),
    },
    '/adjustments/transfers/7',
  )
  await page.getByRole('button', { name: '振込41を支払済みにする' }).click()
  const paid = page.getByRole('dialog', { name: '支払済みにする' })
  await paid.getByRole('textbox', { name: '確認の方法' }).fill('画面')
  const day = paid.getByLabelText('支払日')
  await day.fill('')
  await paid.getByRole('button', { name: '1件を支払済みにする' }).click()
  await expect.element(paid.getByRole('alert')).toHaveTextContent('支払日を入力してください。')
  expect(last(operations, 'RecordTransferResults')).toBeUndefined()
  await day.fill('2026-11-20')
  await paid.getByRole('button', { name: '1件を支払済みにする' }).click()
  await expect.element(paid.getByRole('alert')).toHaveTextContent('支払日は振込指定日以降にしてください。')
  await expect.element(day).toHaveAttribute('aria-invalid', 'true')
  await expect.element(paid.getByRole('button', { name: '1件を支払済みにする' })).toHaveFocus()
})

describe('returned before its day', () => {
  const recall = (more: object) => ({
    ...{ __typename: 'TransferRecall', transferId: '41', state: 'requested', reason: '口座名義の誤り' },
    ...{ requestedByEmail: 'keiri@example.jp', isOwnRequest: false, bankReference: null },
    ...more,
  })
  const waiting = (...nodes: readonly object[]) =>
    detail(
      {
        ...{ plannedCount: 0, exportedCount: 2, recallRequestCount: 1 },
        ...{ transferOn: '2999-12-30', exportedAt: '2026-11-20T01:02:03.000Z' },
      },
      ...nodes,
    )
  const path = '/adjustments/transfers/7'

  test('one person asks with a reason; it is neither paid nor returned by that', async () => {
    const answer = { requestTransferRecall: recall({}) }
    const { operations } = await open({ TransferBatch: waiting(transfer('41')), RequestTransferRecall: answer }, path)
    await expect.element(page.getByRole('button', { name: '振込41の組戻しを申請' })).toBeVisible()
    expect(page.getByRole('button', { name: /振込.*を(支払済み|組戻し)にする/ }).elements()).toHaveLength(0)
    await expect.element(page.getByText('振込指定日（2999年12月30日）から、結果を登録できます')).toBeVisible()
    await page.getByRole('button', { name: '振込41の組戻しを申請' }).click()
    const dialog = page.getByRole('dialog', { name: '組戻しを申請' })
    await dialog.getByRole('button', { name: '申請する' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('組戻しの理由を入力してください。')
    await dialog.getByRole('textbox', { name: '組戻しの理由' }).fill('口座名義の誤り')
    await dialog.getByRole('button', { name: '申請する' }).click()
    await expect
      .poll(() => last(operations, 'RequestTransferRecall'))
      .toMatchObject({ id: '41', reason: '口座名義の誤り' })
    await expect.element(page.getByText('組戻しを申請しました。ほかの担当者の承認を待っています。')).toBeVisible()
  })

  test('another person approves it after a question; the requester can only take it back', async () => {
    const own = transfer('42', { recall: recall({ transferId: '42', isOwnRequest: true }) })
    const { operations } = await open(
      {
        TransferBatch: waiting(transfer('41', { recall: recall({}) }), own),
        DecideTransferRecall: { decideTransferRecall: recall({ state: 'confirmed' }) },
      },
      path,
    )
    await expect
      .element(page.getByText('組戻しの承認待ち（申請：keiri@example.jp、口座名義の誤り）').first())
      .toBeVisible()
    await expect.element(page.getByText('組戻しの承認待ち 1件')).toBeVisible()
    await expectAccessible()
    expect(page.getByRole('button', { name: '振込42の組戻しを承認' }).elements()).toHaveLength(0)
    await expect.element(page.getByRole('button', { name: '振込42の申請を取り下げる' })).toBeVisible()
    await page.getByRole('button', { name: '振込41の組戻しを承認' }).click()
    await page.getByRole('button', { name: 'キャンセル' }).click()
    expect(last(operations, 'DecideTransferRecall')).toBeUndefined()
    await page.getByRole('button', { name: '振込41の組戻しを承認' }).click()
    await page.getByRole('button', { name: '承認する', exact: true }).click()
    await expect.poll(() => last(operations, 'DecideTransferRecall')).toMatchObject({ id: '41', isConfirmed: true })
  })

  test('what is returned waits for its day or for the bank’s word', async () => {
    const returned = transfer('41', {
      ...{ state: 'returned', stateLabel: '組戻し', returnedOn: '2026-11-21' },
      recall: recall({ state: 'confirmed' }),
    })
    const { operations } = await open(
      {
        TransferBatch: waiting(returned),
        NoteTransferRecallByBank: { noteTransferRecallByBank: recall({ bankReference: 'K-17' }) },
      },
      path,
    )
    await expect.element(page.getByText(/過ぎるか、銀行の取り消しを記録するまで、振り込み直せません。/)).toBeVisible()
    await page.getByRole('button', { name: '振込41の銀行の取り消しを記録' }).click()
    await page.getByRole('textbox', { name: '銀行の受付番号や確認した相手' }).fill('K-17')
    await page.getByRole('button', { name: '記録する', exact: true }).click()
    await expect.poll(() => last(operations, 'NoteTransferRecallByBank')).toMatchObject({ id: '41', reference: 'K-17' })
  })

  const recalled = { state: 'returned', stateLabel: '組戻し', returnedOn: '2026-11-21' }
  const afterItsDay = (...nodes: readonly object[]) =>
    detail(
      { ...COUNTS, returnedCount: 2, recalledPaymentRequestCount: 1, exportedAt: '2026-11-20T01:02:03.000Z' },
      ...nodes,
    )
  const request = (more: object) => ({ ...recall({ paidOn: '2026-11-30', reason: '銀行の画面で確認' }), ...more })

  test('one person says that the bank paid it all the same', async () => {
    const row = transfer('41', { ...recalled, recall: recall({ state: 'confirmed' }) })
    const answer = { requestRecalledTransferPayment: request({}) }
    const TransferBatch = detail({ ...COUNTS, transferOn: '2020-11-30', exportedAt: '2020-11-20T01:02:03.000Z' }, row)
    const { operations } = await open({ TransferBatch, RequestRecalledTransferPayment: answer }, path)
    await page.getByRole('button', { name: '振込41を振込済みとして記録' }).click()
    const dialog = page.getByRole('dialog', { name: '振込済みとして記録' })
    await expect.element(dialog.getByLabelText('支払日')).toHaveValue('2020/11/30')
    await dialog.getByRole('textbox', { name: '確認の方法' }).fill('銀行の画面で確認')
    await expectAccessible()
    await dialog.getByRole('button', { name: '1件を振込済みとして申請する' }).click()
    await expect
      .poll(() => last(operations, 'RequestRecalledTransferPayment'))
      .toMatchObject({ id: '41', on: '2020-11-30', reason: '銀行の画面で確認' })
    await expect.element(page.getByText('1件の記録を申請しました。ほかの担当者の承認を待っています。')).toBeVisible()
  })

  test('another person confirms that; the requester can only take it back', async () => {
    const facts = { ...recalled, recall: recall({ state: 'confirmed' }) }
    const { operations } = await open(
      {
        TransferBatch: afterItsDay(
          transfer('41', { ...facts, recalledPayment: request({}) }),
          transfer('42', { ...facts, recalledPayment: request({ transferId: '42', isOwnRequest: true }) }),
        ),
        DecideRecalledTransferPayment: { decideRecalledTransferPayment: request({ state: 'confirmed' }) },
      },
      path,
    )
    await expect.element(page.getByText(/銀行が支払ったため、振込済みとしての記録の承認待ち/).first()).toBeVisible()
    await expect.element(page.getByText('銀行が支払った組戻し 1件')).toBeVisible()
    expect(page.getByRole('button', { name: '振込42の振込済みの記録を承認' }).elements()).toHaveLength(0)
    await page.getByRole('button', { name: '振込41の振込済みの記録を承認' }).click()
    await page.getByRole('button', { name: '承認する', exact: true }).click()
    await expect
      .poll(() => last(operations, 'DecideRecalledTransferPayment'))
      .toMatchObject({ id: '41', isConfirmed: true })
  })
})

describe('what the bank charges for a return', () => {
  const path = '/adjustments/transfers/7'
  const exportedAt = '2026-11-20T01:02:03.000Z'

  test('is proposed as usual, and sent with the return', async () => {
    const TransferBatch = detail({ ...COUNTS, exportedCount: 1, transferOn: '2020-11-30', exportedAt }, transfer('41'))
    const { operations } = await open({ TransferBatch, RecordTransferResults: { settleTransfers: 1 } }, path)
    await page.getByRole('button', { name: '振込41を組戻しにする' }).click()
    const dialog = page.getByRole('dialog', { name: '組戻しにする' })
    await expect.element(dialog.getByLabelText('組戻手数料（1件、税込・円）')).toHaveValue('880')
    await dialog.getByLabelText('組戻手数料（1件、税込・円）').fill('660')
    await dialog.getByRole('textbox', { name: '組戻しの理由' }).fill('口座名義相違')
    await expectAccessible()
    await dialog.getByRole('button', { name: '1件を組戻しにする' }).click()
    await expect
      .poll(() => last(operations, 'RecordTransferResults'))
      .toMatchObject({ ids: ['41'], state: 'returned', returnFee: 660 })
  })

  test('is shown with the transfer, and corrected later', async () => {
    const returns = [
      { __typename: 'TransferReturn', returnedId: '41', number: 1, on: '2026-11-27', fee: 880 },
      { __typename: 'TransferReturn', returnedId: '41', number: 2, on: '2026-12-02', fee: 660 },
    ]
    const of = { state: 'returned', stateLabel: '組戻し', returnedOn: '2026-12-02' }
    const row = transfer('41', { ...of, returnFee: 1_540, returns })
    const answer = { correctTransferReturnFee: 0 }
    const { operations } = await open(
      { TransferBatch: detail({ ...COUNTS, returnedCount: 1, exportedAt }, row), CorrectTransferReturnFee: answer },
      path,
    )
    await expect.element(page.getByText(/組戻手数料 2回 1,540円（当社負担）/)).toBeVisible()
    await page.getByRole('button', { name: '振込41の組戻手数料を修正' }).click()
    const dialog = page.getByRole('dialog', { name: '組戻手数料を修正する' })
    await expect.element(dialog.getByLabelText('2026年11月27日の組戻手数料（税込・円）')).toHaveValue('880')
    await dialog.getByLabelText('2026年12月2日の組戻手数料（税込・円）').fill('0')
    await expectAccessible()
    await dialog.getByRole('button', { name: '修正する', exact: true }).click()
    await expect.poll(() => last(operations, 'CorrectTransferReturnFee')).toMatchObject({ id: '41', return: 2, fee: 0 })
  })
})

test('the amount of a line says where it comes from', async () => {
  const { operations } = await open({ TransferBatch: detail({}, transfer('41')) }, '/adjustments/transfers/7')
  await page.getByRole('button', { name: '振込41 振込額 82,850円の内訳' }).click()
  await expect.poll(() => last(operations, 'ExplainAmount')).toMatchObject({ kind: 'transfer', id: '41' })
})

describe('a transfer above the limit of the bank', () => {
  const record = (number: number, more: object = {}) => ({
    ...{ __typename: 'TransferRecord', id: `41-${number}`, batchId: '7', transferOn: '2026-11-18', amount: 1_000_000 },
    ...{ fee: 660, state: 'paid', stateLabel: '支払済み', paidOn: '2026-11-18', returnedOn: null, reason: null },
    ...{ replacesId: null, isSentAgain: false },
    ...more,
  })
  const returned = {
    state: 'returned',
    stateLabel: '組戻し',
    returnedOn: '2026-11-19',
    reason: '銀行の結果による組戻し',
  }
  const amounts = {
    paymentIncludingTax: 2_500_000,
    withholding: 0,
    feeBorneByPayee: 0,
    transferAmount: 2_500_000,
    fee: 1_980,
  }
  const split = transfer('41', {
    ...amounts,
    hasReturnedRecord: true,
    returnFee: 880,
    returns: [{ __typename: 'TransferReturn', returnedId: '41-2', number: 1, on: '2026-11-19', fee: 880 }],
    records: [record(1), record(2, returned), record(3, { amount: 500_000 })],
  })
  const counts = { ...COUNTS, transferCount: 1, exportedCount: 1, partlyReturnedCount: 1, splitRecordCount: 3 }
  const exported = { ...counts, exportedAt: '2026-11-17T01:02:03.000Z', transferOn: '2026-11-18', ...amounts }

  test('is said before it is made', async () => {
    const planned = { ...PLANNED('朝霧新聞社'), transferAmount: 120_000, recordAmounts: [50_000, 50_000, 20_000] }
    await open({ PreviewTransfers: { previewTransfers: { ...PLAN().previewTransfers, transfers: [planned] } } })
    await page.getByRole('button', { name: /期日の振込データを作成/ }).click()
    const dialog = page.getByRole('dialog', { name: /振込データを作成/ })
    await expect.element(dialog.getByText('3件に分けて振込')).toBeVisible()
    await expect.element(dialog.getByText(/2件目からは当社の負担です/)).toBeVisible()
    await expectAccessible()
  })

  test('shows which record came back, and what to do', async () => {
    const { operations } = await open(
      {
        TransferBatch: detail(exported, split),
        ResendTransferRecords: resentKnowingly,
        RecordTransferResults: { settleTransfers: 1 },
      },
      '/adjustments/transfers/7',
    )
    const table = page.getByRole('table', { name: '数件に分けた振込' })
    await expect.element(table.getByText('41-2')).toBeVisible()
    await expect
      .element(page.getByText(/振込41のうち、41-2（1,000,000円）が組戻しになりました。この分を送り直すか/))
      .toBeVisible()
    // Neither paid nor returned, and no result is recorded as if nothing had come back.
    await expect.element(page.getByRole('table', { name: '振込の明細' }).getByText('一部組戻し')).toBeVisible()
    expect(page.getByRole('button', { name: '振込41を支払済みにする' }).elements()).toEqual([])
    await expectAccessible()
    await page.viewport(390, 800)
    await expectAccessible()
    await page.viewport(1440, 900)
    await expect.element(table.getByText(/組戻手数料 880円（当社負担）/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: '振込41-2の組戻手数料を修正' })).toBeVisible()
    expect(page.getByRole('button', { name: '振込41の組戻手数料を修正' }).elements()).toEqual([])
    await page.getByRole('button', { name: '振込41-2をほかの方法で支払済みにする' }).click()
    const settle = page.getByRole('dialog', { name: '支払済みにする' })
    await settle.getByRole('textbox', { name: /確認の方法/ }).fill('窓口で振込')
    await settle.getByRole('button', { name: '1件を支払済みにする' }).click()
    await expect.poll(() => last(operations, 'RecordTransferResults')).toMatchObject({ ids: ['41-2'], state: 'paid' })
    await page.getByRole('button', { name: '振込41の組戻しになった件を送り直す' }).click()
    const dialog = page.getByRole('dialog', { name: '組戻しになった件を送り直す' })
    await expect.element(dialog.getByText('取引先41への振込41-2（1,000,000円）')).toBeVisible()
    await dialog.getByLabelText('振込指定日').fill('2026-12-01')
    await expectAccessible()
    // Past the last legal day only knowingly, as when a batch is made.
    const make = dialog.getByRole('button', { name: '送り直す振込データを作成する' })
    await make.click()
    await expect.element(dialog.getByText(/法定の期限は2026年11月30日です/)).toBeVisible()
    await expect.element(make).toBeDisabled()
    await expectAccessible()
    await dialog.getByRole('checkbox', { name: /法定の期限を過ぎることを確認しました/ }).click()
    await make.click()
    await expect
      .poll(() => last(operations, 'ResendTransferRecords'))
      .toMatchObject({ transferId: '41', transferOn: '2026-12-01', isLateAcknowledged: true })
    await expect.poll(() => location.hash).toBe('#/adjustments/transfers/9')
    await expect.poll(() => dialog.elements()).toEqual([])
  })

  test('what is sent again is a file of its own, whose results are recorded by record', async () => {
    const again = { ...COUNTS, transferCount: 0, sentAgainCount: 1, sentAgainAmount: 1_000_000, sentAgainFee: 660 }
    const records = [
      record(1),
      record(2, { ...returned, isSentAgain: true }),
      record(3, { amount: 500_000 }),
      record(4, { batchId: '9', replacesId: '41-2', state: 'exported', stateLabel: '結果待ち', paidOn: null }),
    ]
    const row = transfer('41', { ...amounts, records })
    await open(
      { TransferBatch: detail({ ...again, id: '9', exportedAt: '2026-11-19T01:02:03.000Z' }, row) },
      '/adjustments/transfers/9',
    )
    await expect.element(page.getByText('送り直す金額 1,000,000円（当社負担の銀行手数料 660円）')).toBeVisible()
    await expect.element(page.getByText(/41-2の送り直し/)).toBeVisible()
    await expect.element(page.getByText(/41-4で送り直し済み/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: '振込41-4を支払済みにする' })).toBeVisible()
    expect(page.getByRole('button', { name: '振込41を支払済みにする' }).elements()).toEqual([])
    await expectAccessible()
  })
})

test('the link to the next due day says so where nothing is left to send', async () => {
  await showScreen({
    screens: SCREENS,
    path: '/adjustments/transfers/dialog=create',
    role: 'insight:admin',
    answers: { Transfers: { ...LISTS(), payableDays: [] } },
  })
  const dialog = page.getByRole('dialog', { name: '振込データを作成できる支払がありません' })
  await expect.element(dialog).toBeVisible()
  await dialog.getByRole('button', { name: '閉じる' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})
