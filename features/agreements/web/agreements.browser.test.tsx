import '@pc/ui/theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { agreementCreateRoute } from './agreement-create-route.ts'
import { agreementEditRoute } from './agreement-edit-route.ts'
import { agreementsRoute } from './agreements-route.ts'

const SCREENS = [agreementsRoute, agreementCreateRoute, agreementEditRoute]
const ORGANIZATION = { __typename: 'Organization', id: '3', name: '東都新聞社' }
const ROW = {
  ...{ __typename: 'Agreement', id: '7', name: '東都新聞 配信契約', code: 'TOT-1', mediumId: '1', organizationId: '3' },
  ...{ organization: ORGANIZATION, isTerminated: false, terminatedAt: null, isPaymentDisabled: true },
  ...{ updatedAt: '2026-11-01T00:00:00Z', paymentTiming: 'a_month_later', feePaidBy: 'product' },
  inUseAgreementBankAccount: null,
}
const ANSWERS = {
  FirstOpenMonth: { firstOpenMonth: 202610 },
  PlatformTerms: { platformTerms: { __typename: 'PlatformTerms', payoutThreshold: 1, isShiftedToNextDay: false } },
  MediumOptions: {
    availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
  },
  MediaForAgreements: {
    media: { __typename: 'MediumRecordList', nodes: [{ __typename: 'MediumRecord', id: '1', name: 'ニュースアプリ' }] },
  },
  OrganizationOptions: { organizations: { __typename: 'OrganizationOptionList', nodes: [ORGANIZATION] } },
  Agreements: { agreements: { __typename: 'AgreementList', total: 1, nodes: [ROW] } },
}

afterEach(() => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
})

describe('list', () => {
  test('asks for what the address says, and leads to the record', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements/payment=disabled&order=NAME_ASC&q=東都',
      role: 'insight:admin',
      answers: ANSWERS,
    })
    const link = page.getByRole('link', { name: '東都新聞 配信契約' })
    await expect.element(link).toHaveAttribute('href', '#/managements/agreements/edit/7')
    expect(operations.find(one => one.name === 'Agreements')?.variables).toEqual({
      ...{ limit: 100, offset: 0, orderBy: 'NAME_ASC', q: '東都' },
      param: { isTerminated: false, isPaymentDisabled: true },
      ...{ withInHouse: true, withAccounts: true },
    })
    // What files of adjustments call it.
    await expect.element(page.getByRole('columnheader', { name: '契約ID' })).toBeVisible()
    await expect.element(page.getByRole('cell', { name: '7', exact: true })).toBeVisible()
    await expectAccessible()
  })

  test('a termination to come is 解約予定 until its day', async () => {
    const rows = [
      { ...ROW, terminatedAt: '2027-01-30T15:00:00Z' },
      { ...ROW, id: '8', terminatedAt: '2026-01-30T15:00:00Z', isTerminated: true },
    ]
    const { operations } = await showScreen({
      ...{ screens: SCREENS, path: '/managements/agreements/state=terminating', role: 'insight:admin' },
      answers: { ...ANSWERS, Agreements: { agreements: { __typename: 'AgreementList', total: 2, nodes: rows } } },
    })
    await expect.element(page.getByText('2027年1月31日 解約予定', { exact: true })).toBeVisible()
    await expect.element(page.getByText('2026年1月31日 解約', { exact: true })).toBeVisible()
    expect(operations.find(one => one.name === 'Agreements')?.variables).toMatchObject({
      param: { isTerminationScheduled: true },
    })
  })

  test('on a phone the rows come first: the filters are unfolded with a button that counts those in use', async () => {
    await page.viewport(390, 844)
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements/state=all&payment=disabled&q=東都',
      role: 'insight:admin',
      answers: ANSWERS,
    })
    const unfold = page.getByRole('button', { name: '絞り込み（2）' })
    await expect.element(unfold).toHaveAttribute('aria-expanded', 'false')
    await expect.element(page.getByRole('searchbox', { name: '契約を検索' })).toBeVisible()
    expect(page.getByRole('combobox', { name: '媒体' }).elements()).toHaveLength(0)
    await unfold.click()
    await expect.element(unfold).toHaveAttribute('aria-expanded', 'true')
    await page.getByRole('combobox', { name: '支払' }).selectOptions('enabled')
    await expect
      .poll(() => operations.findLast(one => one.name === 'Agreements')?.variables)
      .toMatchObject({ param: { isPaymentDisabled: false } })
    await expectAccessible()
    await page.viewport(1440, 900)
    await expect.element(page.getByRole('combobox', { name: '媒体' })).toBeVisible()
    expect(page.getByRole('button', { name: '絞り込み（2）' }).elements()).toHaveLength(0)
  })

  test('all columns are in sight beside the sidebar of a laptop', async () => {
    // 1440 px without the sidebar and the edges of the page.
    await page.viewport(1440 - 232 - 48, 900)
    const names = { name: '株式会社東都新聞社デジタル編集局 配信契約', code: 'TOTO-NEWS-2026', id: '1234' }
    const row = { ...ROW, ...names, organization: { ...ORGANIZATION, name: '株式会社東都新聞社ホールディングス' } }
    await showScreen({
      ...{ screens: SCREENS, path: '/managements/agreements', role: 'insight:admin' },
      answers: { ...ANSWERS, Agreements: { agreements: { __typename: 'AgreementList', total: 1, nodes: [row] } } },
    })
    const table = page.getByRole('table', { name: '契約の一覧' })
    await expect.element(table.getByText('2026年11月1日')).toBeVisible()
    const place = table.element().parentElement!
    expect(place.scrollWidth).toBeLessThanOrEqual(place.clientWidth)
  })

  test('people of publishers see no in-house fields, and cannot make agreements', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements',
      role: 'insight:publisher_editor',
      answers: ANSWERS,
    })
    await expect.element(page.getByRole('link', { name: '東都新聞 配信契約' })).toBeVisible()
    expect(operations.find(one => one.name === 'Agreements')?.variables).toMatchObject({
      ...{ withInHouse: false, withAccounts: false },
    })
    expect(page.getByRole('link', { name: '契約を登録' }).elements()).toHaveLength(0)
    expect(page.getByRole('columnheader', { name: '支払期日' }).elements()).toHaveLength(0)
    expect(page.getByRole('columnheader', { name: '契約ID' }).elements()).toHaveLength(0)
  })
})

describe('new agreement', () => {
  async function fillIn() {
    await page.getByRole('combobox', { name: '組織' }).click()
    await page.getByRole('listbox').getByRole('option', { name: '東都新聞社' }).click()
    await page.getByRole('combobox', { name: '媒体' }).selectOptions('1')
    await page.getByRole('textbox', { name: '契約名' }).fill('新しい契約')
    await page.getByRole('textbox', { name: '契約コード' }).fill('TOT-9')
    await page.getByRole('group', { name: '支払先の区分' }).getByRole('radio', { name: '法人' }).click()
    await page
      .getByRole('group', { name: '居住地' })
      .getByRole('radio', { name: /居住者・内国法人（国内）/ })
      .click()
  }

  test('whom a payee is withheld from as is chosen, never preselected', async () => {
    const { operations } = await showScreen({
      ...{ screens: SCREENS, path: '/managements/agreements/create', role: 'insight:admin', answers: ANSWERS },
    })
    for (const name of ['支払先の区分', '居住地']) {
      const radios = page.getByRole('group', { name }).getByRole('radio')
      await expect.element(radios.first()).not.toBeChecked()
      await expect.element(radios.last()).not.toBeChecked()
    }
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await expect.element(page.getByText('支払先の区分を選択してください。').first()).toBeVisible()
    await expect.element(page.getByText('居住地を選択してください。').first()).toBeVisible()
    expect(operations.some(one => one.name === 'UpsertAgreement')).toBe(false)
    await page.getByRole('group', { name: '支払先の区分' }).getByRole('radio', { name: '個人' }).click()
    await page.getByRole('group', { name: '居住地' }).getByRole('radio', { name: '非居住者・外国法人' }).click()
    await expect.element(page.getByText('支払先の区分を選択してください。')).not.toBeInTheDocument()
    await expect.element(page.getByText('居住地を選択してください。')).not.toBeInTheDocument()
    await expectAccessible()
  })

  test('the law is looked at while the terms are entered; a warning is sent once it is acknowledged', async () => {
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements/create',
      role: 'insight:admin',
      answers: { ...ANSWERS, UpsertAgreement: { upsertAgreement: { ...ROW, revision: 1 } } },
    })
    await fillIn()
    const covered = page
      .getByRole('group', { name: '取適法の対象か' })
      .getByRole('radio', { name: '対象', exact: true })
    await covered.click()
    await page
      .getByRole('group', { name: '振込手数料の負担' })
      .getByRole('radio', { name: /パブリッシャー/ })
      .click()
    await expect.element(page.getByText('保存できません', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/手数料の負担を当社に変更してください/)
    expect(operations.some(one => one.name === 'UpsertAgreement')).toBe(false)

    await page.getByRole('group', { name: '振込手数料の負担' }).getByRole('radio', { name: /当社/ }).click()
    await page.getByRole('checkbox', { name: '内容を確認しました' }).click()
    await expectAccessible()
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await expect.element(page.getByText('契約「新しい契約」を登録しました。')).toBeVisible()
    const sent = operations.find(one => one.name === 'UpsertAgreement')?.variables
    expect(sent).toMatchObject({
      input: {
        ...{ organizationId: '3', mediumId: '1', name: '新しい契約', code: 'TOT-9', feePaidBy: 'product' },
        ...{ smallSupplierCoverage: 'covered', acknowledgedLawRuleIds: ['coverage-unknown'], fixedRevenue: 0 },
      },
      agreementBankAccounts: [],
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(location.hash).toBe('#/managements/agreements')
  })

  test('the threshold and the shift of the platform count where the agreement has none of its own', async () => {
    const platformTerms = { __typename: 'PlatformTerms', payoutThreshold: 5_000, isShiftedToNextDay: true }
    const { operations } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements/create',
      role: 'insight:admin',
      answers: { ...ANSWERS, PlatformTerms: { platformTerms } },
    })
    await fillIn()
    const choose = (group: string) =>
      page.getByRole('group', { name: group }).getByRole('radio', { name: '対象', exact: true }).click()
    await choose('フリーランス法の対象か')
    await choose('取適法の対象か')
    const findings = page.getByRole('list', { name: '法令の確認結果' })
    await expect.element(findings.getByText(/支払の下限額を1円にしてください/)).toBeVisible()
    await expect.element(findings.getByText(/翌営業日へ遅らせるには/)).toBeVisible()
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await expect.element(page.getByRole('alert').getByText(/支払の下限額を1円にしてください/)).toBeVisible()
    expect(operations.some(one => one.name === 'UpsertAgreement')).toBe(false)
    await page.getByRole('textbox', { name: '支払下限額' }).fill('1')
    expect(findings.getByText(/支払の下限額を1円にしてください/).elements()).toHaveLength(0)
    await expectAccessible()
  })

  test('where no medium takes agreements, the way to one is shown', async () => {
    const MediaForAgreements = { media: { __typename: 'MediumRecordList', nodes: [] } }
    const path = '/managements/agreements/create'
    await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers: { ...ANSWERS, MediaForAgreements } })
    await expect
      .element(page.getByRole('link', { name: '媒体を登録' }))
      .toHaveAttribute('href', '#/managements/media/create')
    await expectAccessible()
  })

  test('a number that would not be printed is pointed out', async () => {
    await showScreen({
      ...{ screens: SCREENS, path: '/managements/agreements/create', role: 'insight:admin', answers: ANSWERS },
    })
    const note = page.getByText(/このままでは、支払通知書に「登録なし」と記載されます/)
    await expect.element(page.getByRole('textbox', { name: '登録番号' })).toBeVisible()
    await expect.element(note).not.toBeInTheDocument()
    await page.getByRole('textbox', { name: '登録番号' }).fill('T7123456789012')
    await expect.element(note).toBeVisible()
    await page.getByRole('switch', { name: '適格請求書発行事業者' }).click()
    await expect.element(note).not.toBeInTheDocument()
  })

  test('what the server refuses stands at its field', async () => {
    await showScreen({
      screens: SCREENS,
      path: '/managements/agreements/create',
      role: 'insight:admin',
      answers: {
        ...ANSWERS,
        UpsertAgreement: refusedWith('agreement/code-taken', 'この契約コードはすでに使われています。', [
          'input',
          'code',
        ]),
      },
    })
    await fillIn()
    for (const group of ['取適法の対象か', 'フリーランス法の対象か'])
      await page.getByRole('group', { name: group }).getByRole('radio', { name: '対象外' }).click()
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await expect
      .element(page.getByRole('textbox', { name: '契約コード' }))
      .toHaveAccessibleDescription(/この契約コードはすでに使われています。/)
  })
})

describe('an agreement that is there', () => {
  const TERMS = {
    ...{ feePaidBy: 'product', paymentTiming: 'a_month_later', minimumRevenueType: 'none', fixedRevenue: 100000 },
    ...{ minimumRevenue: 0, payoutThreshold: null },
  }
  const DOCUMENT = {
    ...{ __typename: 'AgreementDocument', id: '21', fileName: '基本契約書.pdf', sizeBytes: 1_500_000 },
    addedAt: '2026-11-01T00:00:00Z',
  }
  const EDITED = {
    ...{ ...ROW, ...TERMS, isPaymentDisabled: false, qualifiedInvoiceIssuer: false, invoiceRegistrationNumber: null },
    ...{ revision: 3, createdAt: '2026-11-01T00:00:00Z', notes: null, payeeKind: 'company' },
    ...{ smallSupplierCoverage: 'not_covered', freelanceCoverage: 'not_covered', isShiftAgreedInWriting: false },
    ...{ lawFindings: [], agreementBankAccounts: [], openingBalances: [], documents: [DOCUMENT] },
    ...{ contractEndMonth: 202703, renewalNoticeDays: 60 },
    termsHistory: [
      { __typename: 'AgreementTermsVersion', validFromMonth: 202601, createdAt: '2026-01-01T00:00:00Z', ...TERMS },
    ],
  }
  const open = (role: Role, answers: object = {}) =>
    showScreen({
      ...{ screens: SCREENS, path: '/managements/agreements/edit/7', role },
      answers: { ...ANSWERS, AgreementEdit: { agreement: EDITED }, ...answers },
    })

  test('staff copies its id', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await open('insight:editor')
    await page.getByRole('button', { name: '契約ID 7' }).click()
    await expect.element(page.getByText('契約IDをコピーしました。')).toBeVisible()
    expect(copied).toHaveBeenCalledExactlyOnceWith('7')
  })

  test('what was carried over from the system before is shown with its sum; who may not read it does not ask', async () => {
    const balance = { __typename: 'OpeningBalance', publisherName: '東都新聞', bookedMonth: 202610, isQualified: false }
    const openingBalances = [
      { ...balance, id: '1', originMonth: 201909, amount: 20_000 },
      { ...balance, id: '2', originMonth: 202608, amount: -1_500 },
    ]
    const { operations } = await open('insight:viewer', {
      AgreementEdit: { agreement: { ...EDITED, openingBalances } },
    })
    await expect.element(page.getByText(/合計 18,500円（税抜、2件）/)).toBeVisible()
    await expect.element(page.getByText('東都新聞 2019年9月分')).toBeVisible()
    await expectAccessible()
    expect(operations.find(one => one.name === 'AgreementEdit')?.variables).toMatchObject({ withOpenings: true })
    const others = await open('insight:publisher_admin')
    await expect
      .poll(() => others.operations.find(one => one.name === 'AgreementEdit')?.variables)
      .toMatchObject({ withOpenings: false })
  })

  test('its end and its reminder are entered together; people of publishers see the files alone', async () => {
    const { operations } = await open('insight:editor', {
      UpsertAgreement: { upsertAgreement: { ...ROW, revision: 4 } },
    })
    const end = page.getByRole('textbox', { name: '契約終了月' })
    await expect.element(end).toHaveValue('2027/03')
    await end.fill('')
    await page.getByRole('button', { name: '変更を保存する' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/契約終了月を選択してください/)
    expect(operations.some(one => one.name === 'UpsertAgreement')).toBe(false)
    await end.fill('2028年3月')
    await page.getByRole('textbox', { name: '更新のお知らせ' }).fill('90')
    await expectAccessible()
    await page.getByRole('button', { name: '変更を保存する' }).click()
    await expect.element(page.getByText('契約「東都新聞 配信契約」を保存しました。')).toBeVisible()
    expect(operations.find(one => one.name === 'UpsertAgreement')?.variables).toMatchObject({
      input: { contractEndMonth: 202803, renewalNoticeDays: 90 },
    })
  })

  test('files are saved by both sides, and added and taken away by staff that keeps agreements', async () => {
    const { operations } = await open('insight:publisher_admin')
    await expect.element(page.getByText('基本契約書.pdf')).toBeVisible()
    await expect.element(page.getByRole('button', { name: '「基本契約書.pdf」を保存' })).toBeVisible()
    expect(page.getByRole('button', { name: '「基本契約書.pdf」を削除' }).elements()).toHaveLength(0)
    expect(page.getByRole('button', { name: 'PDFを登録' }).elements()).toHaveLength(0)
    expect(page.getByRole('textbox', { name: '契約終了月' }).elements()).toHaveLength(0)
    expect(operations.find(one => one.name === 'AgreementEdit')?.variables).toMatchObject({ withInHouse: false })
    await expectAccessible()
  })

  test('a file is taken away after a question, and a wrong one is named before it is sent', async () => {
    let documents = [DOCUMENT, { ...DOCUMENT, id: '22', fileName: '覚書.pdf' }]
    const edited = () => ({ agreement: { ...EDITED, documents } })
    const remove = () => {
      documents = documents.slice(1)
      return { removeAgreementDocument: { __typename: 'AgreementDocument', id: '21' } }
    }
    const { operations } = await open('insight:editor', {
      ...{ AgreementEdit: edited, RemoveAgreementDocument: remove },
      AgreementDocumentUploadUrl: refusedWith('agreement-document/too-large', 'ファイルは20MB以内にしてください。', [
        'sizeBytes',
      ]),
    })
    const choose = page.getByLabelText('登録するPDF')
    await choose.upload(new File([], '空.pdf', { type: 'application/pdf' }))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/空のファイルです/)
    expect(operations.some(one => one.name === 'AgreementDocumentUploadUrl')).toBe(false)
    await choose.upload(new File(['%PDF-1.7'], '契約.pdf', { type: 'application/pdf' }))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/20MB以内にしてください/)
    await page.getByRole('button', { name: '「基本契約書.pdf」を削除' }).click()
    await page.getByRole('button', { name: 'ファイルを削除する' }).click()
    await expect.element(page.getByText('「基本契約書.pdf」を削除しました。')).toBeVisible()
    // The focus goes on to the file that took its place.
    await expect.element(page.getByRole('listitem').filter({ hasText: '覚書.pdf' })).toHaveFocus()
    expect(operations.find(one => one.name === 'RemoveAgreementDocument')?.variables).toMatchObject({ id: '21' })
  })

  test('the effect of terms is computed beside those in force, and goes when they change again', async () => {
    const amounts = { __typename: 'WhatIfAmounts', carriedOverToNext: 0, outcome: 'scheduled' }
    const payee = {
      ...{ __typename: 'WhatIfPayee', agreementId: '7' },
      before: { ...amounts, revenue: 100000, payment: 100000, paymentIncludingTax: 110000 },
      after: { ...amounts, revenue: 150000, payment: 150000, paymentIncludingTax: 165000 },
    }
    const { operations } = await open('insight:editor', {
      TermsEffect: { whatIfMonth: { __typename: 'WhatIfDifference', payees: [payee], checks: [] } },
    })
    await page.getByRole('textbox', { name: '固定額（月額）' }).fill('150000')
    await page.getByRole('button', { name: '条件の影響を試算' }).click()
    const table = page.getByRole('table', { name: '条件の影響' })
    await expect
      .element(table.getByRole('row', { name: /支払額（税込）/ }))
      .toMatchTextContent(/110,000\s*165,000\s*\+55,000/)
    await expectAccessible()
    expect(operations.find(one => one.name === 'TermsEffect')?.variables).toMatchObject({
      mediumId: '1',
      change: { agreements: [{ agreementId: '7', fixedRevenue: 150000, minimumRevenueType: 'none' }] },
    })
    await page.getByRole('textbox', { name: '固定額（月額）' }).fill('160000')
    await expect.element(table).not.toBeInTheDocument()
    expect(operations.some(one => one.name === 'UpsertAgreement')).toBe(false)
  })

  test('what was agreed ahead is shown when its month is chosen, and is not turned back by another change', async () => {
    const version = { __typename: 'AgreementTermsVersion', createdAt: '2026-01-01T00:00:00Z' }
    const termsHistory = [
      { ...version, ...TERMS, validFromMonth: 202601 },
      { ...version, ...TERMS, validFromMonth: 202702, fixedRevenue: 250000 },
    ]
    const { operations } = await open('insight:editor', {
      AgreementEdit: { agreement: { ...EDITED, termsHistory } },
      UpsertAgreement: { upsertAgreement: { ...ROW, revision: 4 } },
    })
    const month = page.getByRole('textbox', { name: '適用開始月' })
    const fixed = page.getByRole('textbox', { name: '固定額（月額）' })
    await expect.element(month).toHaveAccessibleDescription(/2027年2月からの条件が登録されています/)
    await month.fill('2027/3')
    await expect.element(fixed).toHaveValue('250,000')
    await expect.element(month).not.toHaveAccessibleDescription(/条件が登録されています/)
    await page
      .getByRole('group', { name: '支払期日' })
      .getByRole('radio', { name: /翌々月末/ })
      .click()
    await page.getByRole('button', { name: '変更を保存する' }).click()
    await expect.element(page.getByText('契約「東都新聞 配信契約」を保存しました。')).toBeVisible()
    expect(operations.find(one => one.name === 'UpsertAgreement')?.variables).toMatchObject({
      input: { validFromMonth: 202703, fixedRevenue: 250000, paymentTiming: 'two_months_later' },
    })
  })

  test('two months are compared: what differs, the account, and what it comes to', async () => {
    const account = {
      ...{ __typename: 'BankAccount', id: '31', number: '****567', holder: 'ｶ)ﾄｳﾄ', usableFrom: null },
      ...{ typeName: 'ordinary', bank: { __typename: 'Bank', id: '1', name: 'みずほ銀行' }, bankBranch: null },
    }
    const used = { __typename: 'AgreementBankAccount', bankAccountId: '31', bankAccount: account }
    const ofMonth = { __typename: 'Agreement', ...TERMS, payoutThreshold: null, inUseAgreementBankAccount: used }
    const amounts = { __typename: 'WhatIfAmounts', carriedOverToNext: 0, outcome: 'scheduled' }
    const paid = (yen: number) => ({ ...amounts, revenue: yen, payment: yen, paymentIncludingTax: yen })
    const payee = { __typename: 'WhatIfPayee', agreementId: '7', before: paid(100000), after: paid(250000) }
    const { operations } = await open('insight:editor', {
      AgreementMonths: {
        from: { ...ofMonth, inUseAgreementBankAccount: null },
        to: { ...ofMonth, fixedRevenue: 250000 },
        platformTerms: { __typename: 'PlatformTerms', payoutThreshold: 5000 },
      },
      MonthTermsEffect: {
        earlier: { __typename: 'WhatIfDifference', payees: [] },
        later: { __typename: 'WhatIfDifference', payees: [payee] },
      },
    })
    expect(operations.some(one => one.name === 'AgreementMonths')).toBe(false)
    await page.getByRole('button', { name: '2つの月の条件を比較' }).click()
    const table = page.getByRole('table', { name: '契約の条件の違い' })
    await expect.element(table.getByRole('row', { name: /固定額/ })).toMatchTextContent(/250,000円/)
    await expect
      .element(table.getByRole('row', { name: /振込口座/ }))
      .toMatchTextContent(/未登録みずほ銀行 普通 \*+567/)
    expect(table.getByRole('row').elements()).toHaveLength(3)
    expect(operations.find(one => one.name === 'AgreementMonths')?.variables).toMatchObject({
      id: '7',
      withAccounts: true,
    })
    await page.getByRole('button', { name: /の金額への影響を試算/ }).click()
    const effect = page.getByRole('table', { name: /契約の金額への影響/ })
    await expect
      .element(effect.getByRole('row', { name: /支払額（税込）/ }))
      .toMatchTextContent(/100,000250,000\+150,000/)
    const requested = operations.find(one => one.name === 'MonthTermsEffect')?.variables
    expect(requested).toMatchObject({
      later: { agreements: [{ agreementId: '7', fixedRevenue: 250000, payoutThreshold: 5000 }] },
    })
    await expectAccessible()
    // Another month: what was computed is not shown beside it.
    await page.getByRole('group', { name: '比較先の月' }).getByRole('button', { name: '翌月' }).click()
    await expect.element(effect).not.toBeInTheDocument()
  })

  test('who may not try months out is not offered to', async () => {
    await open('insight:viewer')
    await expect.element(page.getByText('基本契約書.pdf')).toBeVisible()
    expect(page.getByRole('button', { name: '条件の影響を試算' }).elements()).toHaveLength(0)
  })
})
