import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { goTo } from '@pc/ui/hash-location.ts'
import { showScreen } from '@pc/ui/show-screen.tsx'
import { dismissAllToasts } from '@pc/ui/toasts.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { publisherCreateRoute } from './publisher-create-route.ts'
import { publishersRoute } from './publishers-route.ts'

const SCREENS = [publishersRoute, publisherCreateRoute]
const ORGANIZATION = { __typename: 'Organization', id: '3', name: '東都新聞社' }
const ROW = {
  ...{ __typename: 'Publisher', id: '7', name: '東都新聞デジタル', kana: 'とうと', enabled: true },
  ...{ organization: ORGANIZATION, agreementPublisherRules: [], updatedAt: '2026-11-01T00:00:00Z' },
}
const ANSWERS = {
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
  const { asked } = await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers: ANSWERS })
  const link = page.getByRole('link', { name: '東都新聞デジタル' })
  await expect.element(link).toHaveAttribute('href', '#/managements/publishers/edit/7')
  expect(asked.find(one => one.name === 'Publishers')?.variables).toMatchObject({
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
  const { asked } = await showScreen({ screens: SCREENS, path, role: 'insight:admin', answers: ANSWERS })
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
  const sent = asked.find(one => one.name.startsWith('UpsertPublisher'))
  expect(sent?.variables).toMatchObject({ publisher: { name: 'あおぞら通信', organizationId: '3' } })
})
