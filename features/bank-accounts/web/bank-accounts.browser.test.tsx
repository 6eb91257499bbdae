import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { bankAccountCreateRoute, bankAccountsRoute } from './bank-accounts-route.ts'

const SCREENS = [bankAccountsRoute, bankAccountCreateRoute]
const place = (name: string, isGone = false) => ({ id: name, code: '001', name, isGone })
const ROW = {
  ...{ __typename: 'BankAccount', id: '5', state: 'requested', enabled: false, typeName: 'ordinary' },
  ...{ number: '1234567', holder: 'ｶ)ｱｵｿﾞﾗ', organization: { __typename: 'Organization', id: '3', name: '東都新聞社' } },
  bank: { __typename: 'Bank', ...place('みずほ') },
  bankBranch: { __typename: 'BankBranch', ...place('丸の内', true) },
  ...{ requestedAt: '2026-11-01T00:00:00Z', decidedAt: null, rejectionReason: null, usableFrom: null },
  ...{ isOwnRequest: false, revision: 1, updatedAt: '2026-11-01T00:00:00Z', uses: [] as object[] },
}
const accountUse = (agreementName: string, state: string, fromMonth: number | null = null) => ({
  ...{ __typename: 'BankAccountUse', agreementId: agreementName, agreementName, state, fromMonth, refusal: null },
})
const WAITING = {
  ...{ ...ROW, id: '6', state: 'approved', enabled: true, usableFrom: '2999-01-05', number: '7654321' },
  uses: [accountUse('配信契約A', 'planned')],
}
const AGREEMENTS = ['配信契約A', '配信契約B'].map((name, index) => ({
  ...{ __typename: 'Agreement', id: String(index + 1), name, code: `AG-${index + 1}`, inUseAgreementBankAccount: null },
}))
const ANSWERS = {
  BankAccounts: { bankAccounts: { __typename: 'BankAccountList', total: 2, nodes: [ROW, WAITING] } },
  BankOptions: { banks: { __typename: 'BankList', nodes: [{ __typename: 'Bank', ...place('みずほ') }] } },
  BankBranchOptions: {
    bankBranches: { __typename: 'BankBranchList', nodes: [{ __typename: 'BankBranch', ...place('丸の内') }] },
  },
  AgreementsOfAccount: { agreements: { __typename: 'AgreementList', total: 2, nodes: AGREEMENTS } },
  CreateBankAccount: { createBankAccount: { ...ROW } },
}

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

describe('list', () => {
  test('says which branch has vanished, and from when an approved account can be used', async () => {
    const path = '/bank-accounts/state=requested'
    const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers: ANSWERS })
    await expect.element(page.getByText(/1月5日から設定可/)).toBeVisible()
    await expect.element(page.getByText('要確認').first()).toBeVisible()
    await expect.element(page.getByRole('button', { name: /1234567を承認する/ })).toBeEnabled()
    expect(operations.find(one => one.name === 'BankAccounts')?.variables).toMatchObject({
      param: { state: 'requested' },
    })
    await expectAccessible()
  })

  test.each([
    ['承認', 'approved', '口座を承認しました'],
    ['却下', 'rejected', '口座の申請を却下しました'],
  ])(
    '%s: the focus goes on to the next row, and the result is said; after the last one to the heading',
    async (verb, state, said) => {
      const next = {
        ...ROW,
        id: '7',
        number: '7777777',
        organization: { ...ROW.organization, id: '4', name: '西都新聞社' },
      }
      let left = [ROW, next]
      const decide = ({ id }: Readonly<Record<string, unknown>>) => {
        left = left.filter(one => one.id !== id)
        return { __typename: 'BankAccount', id, state, revision: 2 }
      }
      const list = () => ({ bankAccounts: { __typename: 'BankAccountList', total: left.length, nodes: left } })
      const approve = (variables: object) => ({ approveBankAccount: { ...ROW, ...decide({ ...variables }) } })
      const reject = (variables: object) => ({ rejectBankAccount: { ...ROW, ...decide({ ...variables }) } })
      const answers = { ...ANSWERS, BankAccounts: list, ApproveBankAccount: approve, RejectBankAccount: reject }
      await showScreen({ screens: SCREENS, path: '/bank-accounts/state=requested', role: 'insight:admin', answers })
      const pressOn = async (number: string) => {
        const button = page.getByRole('button', { name: new RegExp(`${number}を${verb}する`) })
        await expect.element(button).toBeVisible()
        ;(button.element() as HTMLElement).focus()
        await userEvent.keyboard('{Enter}')
        if (verb === '却下') await page.getByRole('textbox', { name: '却下の理由' }).fill('番号が違います')
        await page
          .getByRole('button', { name: verb === '承認' ? '口座を承認する' : '申請を却下する', exact: true })
          .click()
        await expect.element(page.getByRole('status').filter({ hasText: said })).toBeVisible()
      }
      await pressOn('1234567')
      await expect.element(page.getByRole('row').filter({ hasText: '西都新聞社' })).toHaveFocus()
      await expectAccessible()
      await pressOn('7777777')
      await expect.element(page.getByRole('heading', { name: '口座の一覧' })).toHaveFocus()
    },
  )

  test('nobody decides about the own request; on a phone nothing scrolls sideways', async () => {
    await page.viewport(390, 844)
    const own = { bankAccounts: { __typename: 'BankAccountList', total: 1, nodes: [{ ...ROW, isOwnRequest: true }] } }
    const answers = { ...ANSWERS, BankAccounts: own }
    await showScreen({ screens: SCREENS, path: '/bank-accounts', role: 'insight:admin', answers })
    await expect.element(page.getByRole('button', { name: /1234567を承認する/ })).toBeDisabled()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await expectAccessible()
  })
})

test('the list says which agreements an account is used for; staff stops what is planned', async () => {
  const used = {
    ...WAITING,
    id: '8',
    usableFrom: null,
    uses: [accountUse('配信契約C', 'in_use', 202601), accountUse('配信契約D', 'later', 202701)],
  }
  const refused = {
    ...WAITING,
    id: '9',
    uses: [{ ...accountUse('配信契約E', 'planned'), refusal: '支店が見つかりません。' }],
  }
  let nodes: object[] = [used, WAITING, refused]
  const list = () => ({ bankAccounts: { __typename: 'BankAccountList', total: nodes.length, nodes } })
  const cancel = () => {
    nodes = [used, { ...WAITING, uses: [] }]
    return { cancelBankAccountSwitches: { __typename: 'BankAccount', id: '6' } }
  }
  const answers = { ...ANSWERS, BankAccounts: list, CancelBankAccountSwitches: cancel }
  const { operations } = await showScreen({ screens: SCREENS, path: '/bank-accounts', role: 'insight:admin', answers })
  await expect.element(page.getByText('配信契約D（2027年1月から）')).toBeVisible()
  await expect.element(page.getByText('配信契約A（1月5日に切り替え）')).toBeVisible()
  await expect.element(page.getByText('切り替えできません')).toBeVisible()
  await expectAccessible()
  await page
    .getByRole('button', { name: /7654321への切り替えを取り消す/ })
    .first()
    .click()
  await page.getByRole('button', { name: '切り替えを取り消す', exact: true }).last().click()
  await expect.element(page.getByText('口座の切り替えを取り消しました。')).toBeVisible()
  await expect.element(page.getByText('未使用')).toBeVisible()
  expect(operations.find(one => one.name === 'CancelBankAccountSwitches')?.variables).toMatchObject({ id: '6' })
})

test('a publisher asks for an account by keyboard alone', async () => {
  const path = '/bank-accounts/create'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:publisher_admin', answers: ANSWERS })
  for (const field of ['銀行', '支店']) {
    await expect.element(page.getByRole('combobox', { name: field })).toBeVisible()
    ;(page.getByRole('combobox', { name: field }).element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(page.getByRole('option').first()).toBeVisible()
    await userEvent.keyboard('{Enter}')
  }
  ;(page.getByRole('textbox', { name: '口座番号' }).element() as HTMLElement).focus()
  await userEvent.keyboard('１２３４５６７{Tab}かぶしきがいしゃ あおぞら{Tab}')
  await expect.element(page.getByRole('textbox', { name: '口座名義' })).toHaveValue('ｶ)ｱｵｿﾞﾗ')
  await page.getByRole('button', { name: 'すべての契約を選択' }).click()
  await page.getByRole('checkbox', { name: /配信契約B/ }).click()
  await expectAccessible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText(/口座を申請しました/)).toBeVisible()
  expect(operations.find(one => one.name === 'CreateBankAccount')?.variables).toMatchObject({
    input: { bankId: 'みずほ', bankBranchId: '丸の内', number: '1234567', holder: 'ｶ)ｱｵｿﾞﾗ', agreementIds: ['1'] },
  })
})
