import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { publisherCreateRoute } from './publisher-create-route.ts'
import { publisherEditRoute } from './publisher-edit-route.ts'
import { publishersRoute } from './publishers-route.ts'

const SCREENS = [publishersRoute, publisherCreateRoute, publisherEditRoute]
const ORGANIZATION = { __typename: 'Organization', id: '3', name: '東都新聞社' }
const ROW = {
  __typename: 'Publisher',
  id: '7',
  name: '東都新聞デジタル',
  kana: 'とうと',
  enabled: true,
  organization: ORGANIZATION,
  agreementPublisherRules: [],
  updatedAt: '2026-11-01T00:00:00Z',
}
const ANSWERS = {
  FirstOpenMonth: { firstOpenMonth: 202610 },
  MediumOptions: { availableMedia: { __typename: 'MediumList', nodes: [] } },
  OrganizationOptions: { organizations: { __typename: 'OrganizationOptionList', nodes: [ORGANIZATION] } },
  Publishers: { publishers: { __typename: 'PublisherList', total: 1, nodes: [ROW] } },
  UpsertPublisherWithRules: { upsertPublisherWithAgreementPublisherRules: { ...ROW, revision: 1 } },
  UpsertPublisher: { upsertPublisher: { ...ROW, revision: 1 } },
}

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('the list asks for what the address says, and stands on a phone', async () => {
  const path = '/managements/publishers/state=all&q=東都&order=NAME_DESC'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers: ANSWERS })
  const link = page.getByRole('link', { name: '東都新聞デジタル' })
  await expect.element(link).toHaveAttribute('href', '#/managements/publishers/edit/7')
  expect(operations.find(one => one.name === 'Publishers')?.variables).toMatchObject({
    ...{ q: '東都', orderBy: 'NAME_DESC', param: {} },
  })
  await expectAccessible()
  await page.viewport(390, 844)
  await expect.element(link).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
})

test('people of publishers look, and make nothing', async () => {
  const path = '/managements/publishers'
  await showScreen({ screens: SCREENS, path, role: 'insight:publisher_admin', answers: ANSWERS })
  await expect.element(page.getByRole('link', { name: '東都新聞デジタル' })).toBeVisible()
  expect(page.getByRole('link', { name: /登録/ }).elements()).toHaveLength(0)
})

test('a new publisher by keyboard alone; what is missing stands at its field', async () => {
  const path = '/managements/publishers/create'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers: ANSWERS })
  const name = page.getByRole('textbox', { name: 'パブリッシャー名' })
  await expect.element(name).toBeVisible()
  ;(name.element() as HTMLElement).focus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(name).toHaveAccessibleDescription(/入力してください/)
  ;(page.getByRole('combobox', { name: '組織' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('option', { name: '東都新聞社' })).toBeVisible()
  await userEvent.keyboard('{Enter}{Tab}あおぞら通信')
  await expectAccessible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('パブリッシャー「あおぞら通信」を登録しました。')).toBeVisible()
  const sent = operations.find(one => one.name.startsWith('UpsertPublisher'))
  expect(sent?.variables).toMatchObject({ publisher: { name: 'あおぞら通信', organizationId: '3' } })
})

test('an agreement of the organisation that was chosen before does not stay', async () => {
  const other = { ...ORGANIZATION, id: '4', name: '西都新聞社' }
  const agreement = { __typename: 'Agreement', id: '5', name: '東都の契約', code: 'TOT-5', mediumId: '1' }
  const answers = {
    ...ANSWERS,
    OrganizationOptions: { organizations: { __typename: 'OrganizationOptionList', nodes: [ORGANIZATION, other] } },
    AgreementOptions: { agreements: { __typename: 'AgreementList', nodes: [agreement] } },
  }
  const path = '/managements/publishers/create'
  await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers })
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: new RegExp(option) }).click()
  }
  await choose('組織', '東都新聞社')
  await page.getByRole('button', { name: '契約条件を追加' }).click()
  await choose('契約', '東都の契約')
  await expect.element(page.getByRole('combobox', { name: '契約', exact: true })).toHaveValue('東都の契約')
  await choose('組織', '西都新聞社')
  await expect.element(page.getByRole('combobox', { name: '契約', exact: true })).toHaveValue('')
})

test('conditions agreed ahead are those of their month, also where only another agreement is changed', async () => {
  const rates = {
    __typename: 'PaymentRate',
    paymentRate: 5000,
    sspPaymentRate: 4000,
    videoSspPaymentRate: 0,
    liveSspPaymentRate: 0,
    isTargetForSspAllocation: true,
    isTargetForVideoSspAllocation: false,
    isTargetForLiveSspAllocation: false,
  }
  const amounts = { fixedRevenue: 0, minimumRevenue: 0 }
  const version = {
    __typename: 'AgreementPublisherRuleVersion',
    validFromMonth: 202601,
    paymentRate: rates,
    ...amounts,
  }
  const rule = (id: string, history: readonly object[]) => ({
    __typename: 'AgreementPublisherRule',
    id,
    agreementId: id,
    mediumId: '1',
    revision: 1,
    ...amounts,
    agreement: { __typename: 'Agreement', id, name: `契約${id}`, code: `C-${id}` },
    paymentRate: rates,
    history,
  })
  const later = { ...version, validFromMonth: 202702, paymentRate: { ...rates, paymentRate: 5500 } }
  const publisher = {
    ...ROW,
    organizationId: '3',
    notes: null,
    revision: 2,
    createdAt: '2026-11-01T00:00:00Z',
    agreementPublisherRules: [rule('1', [version]), rule('2', [version, later])],
  }
  const answers = {
    ...ANSWERS,
    PublisherEdit: { publisher },
    Publishers: { publishers: { __typename: 'PublisherList', total: 1, nodes: [publisher] } },
    UpsertPublisherWithRules: { upsertPublisherWithAgreementPublisherRules: publisher },
  }
  const { operations } = await showScreen({
    ...{ screens: SCREENS, path: '/managements/publishers/edit/7', role: 'insight:admin', answers },
  })
  const month = page.getByRole('textbox', { name: '適用開始月' })
  await expect.element(month).toHaveAccessibleDescription(/2027年2月からの条件が登録されています/)
  await month.fill('2027/3')
  await expect.element(page.getByRole('textbox', { name: '自社広告の支払率（2）' })).toHaveValue('55')
  await page.getByRole('textbox', { name: '自社広告の支払率', exact: true }).fill('52')
  await page.getByRole('button', { name: '変更を保存する' }).click()
  await expect.element(page.getByText('パブリッシャー「東都新聞デジタル」を保存しました。')).toBeVisible()
  expect(operations.find(one => one.name === 'UpsertPublisherWithRules')?.variables).toMatchObject({
    agreementPublisherRules: [
      { agreementId: '1', validFromMonth: 202703, paymentRate: { paymentRate: 5200 } },
      { agreementId: '2', validFromMonth: 202703, paymentRate: { paymentRate: 5500 } },
    ],
  })
})

test('two months are compared, condition by condition; who may not try months out is shown no effect', async () => {
  const flags = {
    isTargetForSspAllocation: true,
    isTargetForVideoSspAllocation: false,
    isTargetForLiveSspAllocation: false,
  }
  const rates = { sspPaymentRate: 4000, videoSspPaymentRate: 0, liveSspPaymentRate: 0, ...flags }
  const rule = (id: string, paymentRate: number) => ({
    ...{ __typename: 'AgreementPublisherRule', id, agreementId: id, mediumId: '1', publisherId: '7' },
    agreement: { __typename: 'Agreement', id, name: `契約${id}` },
    paymentRate: { __typename: 'PaymentRate', paymentRate, ...rates },
  })
  const of = (...rules: object[]) => ({ __typename: 'Publisher', agreementPublisherRules: rules })
  const answers = {
    ...ANSWERS,
    PublisherEdit: { publisher: { ...ROW, organizationId: '3', revision: 2, createdAt: '2026-11-01T00:00:00Z' } },
    PublisherMonths: { from: of(rule('1', 5000), rule('2', 5000)), to: of(rule('1', 5000), rule('2', 5550)) },
  }
  const path = '/managements/publishers/edit/7'
  await showScreen({ screens: SCREENS, path, role: 'insight:publisher_admin', answers })
  await page.getByRole('button', { name: '2つの月の条件を比較' }).click()
  const table = page.getByRole('table', { name: '契約2の条件の違い' })
  await expect.element(table).toMatchTextContent(/自社広告の支払率50%55.5%/)
  expect(page.getByRole('table', { name: '契約1の条件の違い' }).elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: /影響を試算/ }).elements()).toHaveLength(0)
  await expectAccessible()
})
