import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { goTo } from '@pc/ui/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/show-screen.tsx'
import { dismissAllToasts } from '@pc/ui/toasts.tsx'
import { afterEach, describe, expect, test } from 'vitest'
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
  MediumOptions: {
    availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
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
    const { asked } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements/payment=disabled&order=NAME_ASC&q=東都',
      role: 'insight:admin',
      answers: ANSWERS,
    })
    const link = page.getByRole('link', { name: '東都新聞 配信契約' })
    await expect.element(link).toHaveAttribute('href', '#/managements/agreements/edit/7')
    expect(asked.find(one => one.name === 'Agreements')?.variables).toEqual({
      ...{ limit: 100, offset: 0, orderBy: 'NAME_ASC', q: '東都' },
      param: { isTerminated: false, isPaymentDisabled: true },
      ...{ withInHouse: true, withAccounts: true },
    })
    await expectAccessible()
  })

  test('people of publishers are not asked about in-house fields, and cannot make agreements', async () => {
    const { asked } = await showScreen({
      screens: SCREENS,
      path: '/managements/agreements',
      role: 'insight:publisher_editor',
      answers: ANSWERS,
    })
    await expect.element(page.getByRole('link', { name: '東都新聞 配信契約' })).toBeVisible()
    expect(asked.find(one => one.name === 'Agreements')?.variables).toMatchObject({
      ...{ withInHouse: false, withAccounts: false },
    })
    expect(page.getByRole('link', { name: '契約を登録' }).elements()).toHaveLength(0)
    expect(page.getByRole('columnheader', { name: '手数料負担' }).elements()).toHaveLength(0)
  })
})

describe('new agreement', () => {
  async function fillIn() {
    await page.getByRole('combobox', { name: '組織' }).click()
    await page.getByRole('listbox').getByRole('option', { name: '東都新聞社' }).click()
    await page.getByRole('combobox', { name: '媒体' }).selectOptions('1')
    await page.getByRole('textbox', { name: '契約名' }).fill('新しい契約')
    await page.getByRole('textbox', { name: '契約コード' }).fill('TOT-9')
  }

  test('the law is looked at while the terms are entered; a warning is sent once it is acknowledged', async () => {
    const { asked } = await showScreen({
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
    expect(asked.some(one => one.name === 'UpsertAgreement')).toBe(false)

    await page.getByRole('group', { name: '振込手数料の負担' }).getByRole('radio', { name: /当社/ }).click()
    await page.getByRole('checkbox', { name: '内容を確認しました' }).click()
    await expectAccessible()
    await page.getByRole('button', { name: '契約を登録する' }).click()
    await expect.element(page.getByText('契約「新しい契約」を登録しました。')).toBeVisible()
    const sent = asked.find(one => one.name === 'UpsertAgreement')?.variables
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
