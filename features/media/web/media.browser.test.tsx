import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mediaRoute } from './media-route.ts'
import { mediumCreateRoute } from './medium-create-route.ts'
import { mediumEditRoute } from './medium-edit-route.ts'

const SCREENS = [mediaRoute, mediumCreateRoute, mediumEditRoute]
const NEWS = {
  __typename: 'MediumRecord',
  id: '12',
  name: 'ニュースアプリ',
  code: 'news',
  displayOrder: 1,
  retiredOn: null,
  liveAgreementCount: 3,
  revision: 4,
  updatedAt: '2026-11-01T00:00:00Z',
}
const OLD = {
  ...NEWS,
  id: '3',
  name: '旧アプリ',
  code: 'old',
  displayOrder: 2,
  retiredOn: '2026-04-01',
  liveAgreementCount: 0,
}
const SOON = { ...OLD, id: '4', name: '終わるアプリ', code: 'soon', displayOrder: 3, retiredOn: '2099-01-01' }
const listOf = (...nodes: object[]) => ({
  Media: { media: { __typename: 'MediumRecordList', total: nodes.length, nodes } },
})
const HISTORY = { RecordHistory: { recordHistory: { __typename: 'RecordChangeList', total: 0, nodes: [] } } }
const textbox = (name: string) => page.getByRole('textbox', { name })

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('the list says what is retired, leads to the agreements, and stands on a phone', async () => {
  const { operations } = await showScreen({
    screens: SCREENS,
    path: '/managements/media/q=アプリ&state=retired&order=NAME_ASC',
    role: 'insight:admin',
    answers: listOf(NEWS, OLD, SOON),
  })
  await expect
    .element(page.getByRole('link', { name: 'ニュースアプリ' }))
    .toHaveAttribute('href', '#/managements/media/edit/12')
  expect(operations.find(({ name }) => name === 'Media')?.variables).toMatchObject({
    ...{ orderBy: 'NAME_ASC', param: { q: 'アプリ', isRetired: true } },
  })
  await expect
    .element(page.getByRole('link', { name: '3件' }))
    .toHaveAttribute('href', '#/managements/agreements/mediumId=12')
  await expect.element(page.getByText('2026年4月1日 終了', { exact: true })).toBeVisible()
  await expect.element(page.getByText('2099年1月1日 終了予定', { exact: true })).toBeVisible()
  await expectAccessible()
  await page.viewport(390, 844)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
})

test('an empty system is led to its first medium', async () => {
  await showScreen({ screens: SCREENS, path: '/managements/media', role: 'insight:admin', answers: listOf() })
  await expect.element(page.getByText('最初の媒体を登録してください', { exact: false })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: '媒体を登録' }))
    .toHaveAttribute('href', '#/managements/media/create')
})

test('who may not register asks an administrator', async () => {
  await showScreen({ screens: SCREENS, path: '/managements/media', role: 'insight:editor', answers: listOf() })
  await expect.element(page.getByText('管理者に媒体の登録を依頼してください', { exact: false })).toBeVisible()
  expect(page.getByRole('link', { name: '媒体を登録' }).elements()).toHaveLength(0)
})

test('a new medium: the rules at their fields, full width is taken, and what the server refuses loses nothing', async () => {
  let isTaken = true
  const message = '媒体番号12は「ニュースアプリ」で使われています。別の番号を入力してください。'
  const answerTo = () =>
    isTaken ? refusedWith('medium/number-taken', message, ['param', 'id']) : { createMedium: NEWS }
  const { operations } = await showScreen({
    screens: SCREENS,
    path: '/managements/media/create',
    role: 'insight:admin',
    answers: {
      ...listOf(NEWS),
      CreateMedium: answerTo,
    },
  })
  await textbox('コード').fill('ニュース')
  await textbox('媒体番号').fill('0')
  await page.getByRole('button', { name: '媒体を登録する' }).click()
  const summary = page.getByRole('alert').filter({ hasText: '入力内容を確認してください' })
  await expect.element(summary).toHaveFocus()
  const named = summary
    .getByRole('link')
    .elements()
    .map(link => link.textContent?.split('：')[0])
  expect(named).toEqual(['媒体名', '媒体番号', 'コード'])
  await expectAccessible()
  expect(operations.some(({ name }) => name === 'CreateMedium')).toBe(false)

  await textbox('媒体名').fill('新しい媒体')
  await textbox('媒体番号').fill('１２')
  await textbox('コード').fill('ＮＥＷ')
  await page.getByRole('button', { name: '媒体を登録する' }).click()
  await expect.element(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
  await expect.element(textbox('媒体名')).toHaveValue('新しい媒体')
  isTaken = false
  await textbox('媒体番号').fill('')
  await page.getByRole('button', { name: '媒体を登録する' }).click()
  await expect.element(page.getByText('媒体「新しい媒体」を登録しました。')).toBeVisible()
  const sent = operations.filter(({ name }) => name === 'CreateMedium').map(({ variables }) => variables.param)
  expect(sent).toEqual([
    { id: '12', name: '新しい媒体', code: 'new', retiredOn: null },
    { name: '新しい媒体', code: 'new', retiredOn: null },
  ])
  expect(location.hash).toBe('#/managements/media')
})

const EDIT = {
  screens: SCREENS,
  path: '/managements/media/edit/12',
  answers: { ...listOf(NEWS), ...HISTORY, MediumEdit: { medium: NEWS }, UpdateMedium: { updateMedium: NEWS } },
}

test('an edit keeps the number and sends the revision', async () => {
  const { operations } = await showScreen({ ...EDIT, role: 'insight:admin' })
  await expect.element(textbox('媒体番号')).toHaveAttribute('readonly')
  await page.getByLabelText('終了日').fill('2027-04-01')
  await page.getByRole('button', { name: '変更を保存する' }).click()
  await expect.element(page.getByText('媒体「ニュースアプリ」を保存しました。')).toBeVisible()
  expect(operations.find(({ name }) => name === 'UpdateMedium')?.variables).toMatchObject({
    id: '12',
    param: { name: 'ニュースアプリ', code: 'news', displayOrder: 1, retiredOn: '2027-04-01', expectedRevision: 4 },
  })
})

test('editors look at a medium and change nothing', async () => {
  await showScreen({ ...EDIT, role: 'insight:editor' })
  await expect.element(page.getByRole('heading', { name: '媒体の詳細' })).toBeVisible()
  await expect.element(textbox('媒体名')).toHaveAttribute('readonly')
  expect(page.getByRole('button', { name: '変更を保存する' }).elements()).toHaveLength(0)
  await expectAccessible()
})
