import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { statementsRoute } from './statements-route.ts'

const HASH = 'a1'.repeat(32)
const AMOUNTS = { totalWithoutTax: 73_782, totalTax: 7_378, total: 81_160, transferAmount: 81_160 }
const COMMON = {
  ...{ __typename: 'Statement', id: '7', hash: HASH, numberText: '202606-031001', mediumId: '1', month: '2026-06' },
  ...{ issuedOn: '2026-07-10', dueOn: '2026-07-31', deemedOn: '2026-07-24' },
  ...{ confirmationMethod: null, stateChangedAt: '2026-07-10T03:00:00Z', payeeName: '東都新聞社' },
  ...{
    isUntold: false,
    payeeAddress: '',
    payeeRegistration: 'T7123456789012',
    agreementName: '東都新聞 配信契約',
    agreementCode: 'TOT-1',
  },
  ...AMOUNTS,
}
const ISSUED = { ...COMMON, state: 'issued', stateLabel: '確認待ち' }
const OBJECTED = { ...COMMON, state: 'objected', stateLabel: '照会中' }
const line = (label: string, amount: number) => ({ __typename: 'StatementLine', label, amount })
const DOCUMENT = {
  ...{ heading: '支払通知書 兼 仕入明細書', revision: 0, revisionReason: null },
  ...{ payerName: '株式会社サンプル', payerAddress: '', payerRegistrationNumber: 'T4011001098993' },
  generatedMonths: [{ __typename: 'StatementMonth', month: '2026-06', amount: 73_782, ratePercent: 10, tax: 7_378 }],
  lines: [line('自社広告分', 22_283), line('SSP分', 52_699), line('調整額', -1_200)],
  taxLines: [{ __typename: 'StatementTaxLine', ratePercent: 10, amount: 73_782, tax: 7_378 }],
  ...{ withholding: 0, fee: 0, isTransferPlanned: false, transfer: null },
  account: {
    ...{ __typename: 'StatementAccount', bankName: 'みずほ', branchName: '本店', typeName: '普通' },
    ...{ number: '****567', holder: 'ｶ)ﾄｳﾄ' },
  },
  confirmationClause: '2026年7月24日までにご連絡がない場合は、ご確認いただいたものとします。',
  ...{ hash: HASH, snapshotHash: 'b2'.repeat(32), events: [] },
}
const COUNTS = { __typename: 'StatementCounts', issued: 1, confirmed: 0, objected: 0, resolved: 0, replaced: 0 }
const listOf = (row: object) => ({
  Statements: {
    statements: { __typename: 'StatementList', total: 1, sum: 81_160, counts: COUNTS, nodes: [row] },
  },
  Statement: { statement: { ...row, ...DOCUMENT } },
  MediumOptions: {
    availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
  },
  PaymentsWithoutStatement: { paymentsWithoutStatement: [] },
  StatementSettings: { statementSettings: [] },
})
const show = (path: string, role: 'insight:publisher_admin' | 'insight:editor' | 'insight:admin', answers: object) =>
  showScreen({
    screens: [statementsRoute],
    path: `/histories/statements${path}`,
    role,
    answers: answers as Parameters<typeof showScreen>[0]['answers'],
  })

afterEach(() => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
})

describe('archive', () => {
  test('day, amount and payee go into the address and into one question', async () => {
    const { operations } = await show(
      '/q=東都&from=2026-07-01&amountFrom=80000',
      'insight:publisher_admin',
      listOf(ISSUED),
    )
    await page.getByRole('textbox', { name: '金額（上限、円）' }).fill('９０，０００円')
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => operations.findLast(one => one.name === 'Statements')?.variables)
      .toMatchObject({
        q: '東都',
        param: { issuedFrom: '2026-07-01', amountFrom: 80_000, amountTo: 90_000 },
      })
    await expect.element(page.getByRole('textbox', { name: '金額（上限、円）' })).toHaveValue('90,000')
    await expect.element(page.getByText('期限 7月24日')).toBeVisible()
    await expectAccessible()
  })
})

describe('the payee', () => {
  test('confirms with the keyboard alone, the very text that it saw', async () => {
    const { operations } = await show('', 'insight:publisher_admin', {
      ...listOf(ISSUED),
      ConfirmStatement: {
        confirmStatement: { __typename: 'Statement', id: '7', state: 'confirmed', stateLabel: '確認済み' },
      },
    })
    const link = page.getByRole('link', { name: /202606-031001/ })
    await expect.element(link).toBeVisible()
    link.element().focus()
    await userEvent.keyboard('{Enter}')
    const dialog = page.getByRole('dialog', { name: '支払通知書 兼 仕入明細書 202606-031001' })
    await expect.element(dialog.getByRole('cell', { name: '△1,200' })).toBeVisible()
    await expectAccessible()
    dialog.getByRole('button', { name: '内容を確認した' }).element().focus()
    await userEvent.keyboard('{Enter}')
    const question = page.getByRole('alertdialog', { name: '支払通知書 202606-031001 の内容を確認しましたか？' })
    await expect.element(question.getByText(/お振込金額 81,160円/)).toBeVisible()
    question.getByRole('button', { name: '内容を確認した' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => operations.find(one => one.name === 'ConfirmStatement')?.variables)
      .toMatchObject({ id: '7', hash: HASH })
    await expect.element(page.getByText('支払通知書 202606-031001 を確認済みにしました。')).toBeVisible()
  })

  test('reads what is planned of the transfer as planned, and what was sent with the one sum that arrives', async () => {
    const [document] = [listOf(ISSUED).Statement.statement]
    const planned = { ...document, isTransferPlanned: true, fee: 660, transferAmount: 80_500 }
    await show('/id=7', 'insight:publisher_admin', { ...listOf(ISSUED), Statement: { statement: planned } })
    const dialog = page.getByRole('dialog', { name: /202606-031001/ })
    await expect.element(dialog.getByText('お支払金額（税込）')).toBeVisible()
    await expect.element(dialog.getByRole('rowheader', { name: '差引お振込金額（予定）' })).toBeVisible()
    await expect.element(dialog.getByText(/同じ口座へ同じ期日にお振込みする支払の合計/)).toBeVisible()
  })

  test('sees the 振込明細 once the bank has the file', async () => {
    const [document] = [listOf(ISSUED).Statement.statement]
    const transfer = {
      ...{ __typename: 'StatementTransfer', state: 'paid', paidOn: '2026-07-31', withholding: 0, fee: 330 },
      ...{ transferAmount: 80_830, lineAmount: 161_330, recordAmounts: [161_330] },
    }
    const sent = { ...document, isTransferPlanned: true, transfer }
    await show('/id=7', 'insight:publisher_admin', { ...listOf(ISSUED), Statement: { statement: sent } })
    const notice = page.getByRole('region', { name: '振込明細' })
    await expect.element(notice.getByText(/振込手数料 330円、この支払の分 80,830円/)).toBeVisible()
    await expect.element(notice.getByText(/161,330円を1回でお振込みします/)).toBeVisible()
    await expectAccessible()
  })

  test('sees in how many sums it arrives above the limit of the bank', async () => {
    const [document] = [listOf(ISSUED).Statement.statement]
    const transfer = {
      ...{ __typename: 'StatementTransfer', state: 'exported', paidOn: null, withholding: 0, fee: 660 },
      ...{ transferAmount: 2_749_340, lineAmount: 2_749_340, recordAmounts: [1_000_000, 1_000_000, 749_340] },
    }
    const sent = { ...document, isTransferPlanned: true, transfer }
    await show('/id=7', 'insight:publisher_admin', { ...listOf(ISSUED), Statement: { statement: sent } })
    await expect
      .element(
        page.getByText('3回に分けてお振込みします（1,000,000円×2回、749,340円）。振込手数料のご負担は1回分です。'),
      )
      .toBeVisible()
    await expectAccessible()
  })

  test('objects by line; without a reason nothing is sent, and a refusal stays in the dialog', async () => {
    let refusals = 1
    const answerObjection = () => {
      refusals -= 1
      return refusals >= 0
        ? refusedWith('statement/hash-differs', '表示後に差し替えられました。')
        : { objectToStatement: { __typename: 'Statement', id: '7', state: 'objected', stateLabel: '照会中' } }
    }
    const answers = { ...listOf(ISSUED), ObjectToStatement: answerObjection }
    const { operations } = await show('/id=7', 'insight:publisher_admin', answers)
    await page.getByRole('button', { name: '照会する' }).click()
    const dialog = page.getByRole('dialog', { name: '支払通知書 202606-031001 について照会します' })
    await dialog.getByRole('button', { name: '照会を送る' }).click()
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent('相違のある明細を選ぶか、全体について内容を入力してください。')
    await dialog.getByRole('checkbox', { name: /SSP分 52,699円/ }).click()
    await dialog.getByRole('button', { name: '照会を送る' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('「SSP分」の内容を入力してください。')
    await dialog.getByRole('textbox', { name: 'SSP分の相違の内容' }).fill('6月20日の分がありません')
    await expectAccessible()
    await dialog.getByRole('button', { name: '照会を送る' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('表示後に差し替えられました。')
    await dialog.getByRole('button', { name: '照会を送る' }).click()
    await expect.element(page.getByText('照会を送りました。担当者の回答をお待ちください。')).toBeVisible()
    expect(operations.findLast(one => one.name === 'ObjectToStatement')?.variables).toMatchObject({
      ...{ id: '7', hash: HASH, text: '' },
      lines: [{ label: 'SSP分', reason: '6月20日の分がありません' }],
    })
  })
})

describe('staff', () => {
  test('answers an objection by the adjustment of a later month', async () => {
    const { operations } = await show('/id=7', 'insight:editor', {
      ...listOf(OBJECTED),
      ResolveStatement: {
        resolveStatement: { __typename: 'Statement', id: '7', state: 'resolved', stateLabel: '回答済み' },
      },
    })
    expect(page.getByRole('button', { name: '内容を確認した' }).elements()).toHaveLength(0)
    await page.getByRole('button', { name: '照会に回答する' }).click()
    const dialog = page.getByRole('dialog', { name: '支払通知書 202606-031001 の照会に回答します' })
    await dialog.getByRole('radio', { name: '翌月以降の支払で調整する' }).click()
    const month = dialog.getByRole('textbox', { name: '調整する月' })
    await month.fill('')
    await dialog.getByRole('button', { name: '回答を送る' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('回答の内容を入力してください。')
    await dialog.getByRole('textbox', { name: /支払先への回答/ }).fill('7月分で調整します。')
    await dialog.getByRole('button', { name: '回答を送る' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('調整する月を入力してください。')
    await month.fill('2026年7月')
    await dialog.getByRole('button', { name: '回答を送る' }).click()
    await expect
      .poll(() => operations.find(one => one.name === 'ResolveStatement')?.variables)
      .toMatchObject({ id: '7', resolution: 'adjusted_later', text: '7月分で調整します。', adjustmentMonth: '2026-07' })
  })

  test('records how a statement was sent to a payee without a user', async () => {
    let isUntold = true
    const listed = () => listOf({ ...ISSUED, isUntold }).Statements
    const untold = () => ({ statement: { ...ISSUED, ...DOCUMENT, isUntold } })
    const { operations } = await show('/id=7', 'insight:editor', {
      ...listOf(ISSUED),
      Statements: listed,
      Statement: untold,
      RecordStatementSending() {
        isUntold = false
        return { recordStatementSending: { __typename: 'Statement', id: '7', state: 'issued', isUntold } }
      },
    })
    await page.getByRole('button', { name: '送付を記録する' }).click()
    const dialog = page.getByRole('dialog', { name: '支払通知書 202606-031001 の送付を記録します' })
    await expect.element(dialog.getByText(/みなし確認の期限は、記録した日から数えます/)).toBeVisible()
    await dialog.getByRole('button', { name: '送付を記録する' }).click()
    expect(operations.some(one => one.name === 'RecordStatementSending')).toBe(false)
    await dialog.getByRole('textbox', { name: /送付の方法と日付/ }).fill('7月11日に郵送')
    await expectAccessible()
    await dialog.getByRole('button', { name: '送付を記録する' }).click()
    await expect.element(page.getByText('送付を記録しました。')).toBeVisible()
    expect(operations.find(one => one.name === 'RecordStatementSending')?.variables).toMatchObject({
      ...{ id: '7', how: '7月11日に郵送' },
    })
    await expect.poll(() => page.getByRole('button', { name: '送付を記録する' }).elements()).toHaveLength(0)
  })

  test('payees see no field for sendings', async () => {
    const untold = { ...ISSUED, isUntold: true }
    await show('/id=7', 'insight:publisher_admin', listOf(untold))
    await expect.element(page.getByRole('button', { name: '照会する' })).toBeVisible()
    expect(page.getByRole('button', { name: '送付を記録する' }).elements()).toHaveLength(0)
  })

  test('payees confirm several at once; what does not wait for them is left out', async () => {
    const confirmed = { ...COMMON, id: '8', numberText: '202606-031002', state: 'confirmed', stateLabel: '確認済み' }
    const list = listOf(ISSUED)
    list.Statements.statements.nodes.push(confirmed)
    const { operations } = await show('', 'insight:publisher_admin', {
      ...list,
      ConfirmStatement: {
        confirmStatement: {
          ...{ __typename: 'Statement', id: '7', state: 'confirmed', isUntold: false, stateLabel: '確認済み' },
        },
      },
    })
    await page.getByRole('checkbox', { name: '202606-031002を選択' }).click()
    await expect.element(page.getByRole('button', { name: '確認待ちの支払通知書を選択してください' })).toBeDisabled()
    await page.getByRole('checkbox', { name: '202606-031001を選択' }).click()
    await page.getByRole('button', { name: '1件を確認する' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '1件を確認済みにする' }).click()
    await expect.element(page.getByText('支払通知書1件を確認済みにしました。')).toBeVisible()
    expect(operations.filter(each => each.name === 'ConfirmStatement').map(each => each.variables)).toMatchObject([
      { id: '7', hash: HASH },
    ])
  })

  test('while one of several is read, their question waits, and comes back with what still waits', async () => {
    const list = listOf(ISSUED)
    list.Statements.statements.nodes.push({ ...ISSUED, id: '8', numberText: '202606-031002' })
    await show('', 'insight:publisher_admin', list)
    await page.getByRole('checkbox', { name: '202606-031001を選択' }).click()
    await page.getByRole('checkbox', { name: '202606-031002を選択' }).click()
    await page.getByRole('button', { name: '2件を確認する' }).click()
    const question = page.getByRole('dialog', { name: '支払通知書2件の内容を確認しましたか？' })
    await question.getByRole('link', { name: '202606-031001' }).click()
    await expect.element(page.getByRole('button', { name: '照会する' })).toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
    await page.getByRole('dialog').getByRole('button', { name: '閉じる' }).click()
    await expect.element(question.getByRole('button', { name: '2件を確認済みにする' })).toBeVisible()
  })

  test('chooses several and saves them as one archive', async () => {
    const { operations } = await show('', 'insight:editor', {
      ...listOf(ISSUED),
      StatementBundle: {
        statementBundle: {
          __typename: 'StatementFile',
          fileName: '支払通知書_2026-06.zip',
          mimeType: 'application/zip',
          base64: 'UEsFBg==',
        },
      },
    })
    await page.getByRole('checkbox', { name: '202606-031001を選択' }).click()
    await page.getByRole('button', { name: '1件をZIPで保存' }).click()
    await expect.element(page.getByText('「支払通知書_2026-06.zip」を保存しました。')).toBeVisible()
    expect(operations.find(one => one.name === 'StatementBundle')?.variables).toEqual({ ids: ['7'] })
  })
})

test('every field of the payer that is refused says so, and keeps it until that field changes', async () => {
  await show('', 'insight:admin', {
    ...listOf(ISSUED),
    SaveStatementSettings: [
      ...refusedWith('statement/registration-wrong', '検査数字が一致しません。', ['input', 'payerRegistrationNumber']),
      ...refusedWith('statement/days-wrong', '1日から90日で入力してください。', ['input', 'deemedConfirmationDays']),
    ],
  })
  await page.getByRole('button', { name: '支払元を登録する' }).click()
  const dialog = page.getByRole('dialog', { name: '支払元の設定' })
  await dialog.getByRole('button', { name: '設定を保存する' }).click()
  const number = dialog.getByRole('textbox', { name: /^登録番号/ })
  const days = dialog.getByRole('textbox', { name: /^みなし確認/ })
  await expect.element(number).toHaveAccessibleDescription('検査数字が一致しません。')
  await expect.element(days).toHaveAccessibleDescription('1日から90日で入力してください。')
  await number.fill('T1180301018771')
  await expect.element(number).toHaveAccessibleDescription(/適格請求書発行事業者の登録番号/)
  await expect.element(days).toHaveAccessibleDescription('1日から90日で入力してください。')
})
