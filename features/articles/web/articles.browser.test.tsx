import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { articlesRoute } from './articles-route.ts'

const SCREENS = [articlesRoute]
const ROW = {
  __typename: 'MediumArticle',
  articleId: '11',
  mediumId: '1',
  mediumArticleId: 'm11',
  publisherId: '7',
  ...{ title: '朝の記事', url: 'https://toto.example/11', publishedAt: '2026-11-01T00:00:00Z', enabled: true },
}
const REMOVAL = { __typename: 'MediumArticleRemoval', id: '1', undoUntil: '2026-11-02T00:00:00Z' }
const ANSWERS = {
  MediumOptions: { availableMedia: { __typename: 'MediumList', nodes: [] } },
  MediumArticles: { mediumArticles: { __typename: 'MediumArticleList', total: 1, nodes: [ROW] } },
  DeleteMediumArticle: { deleteMediumArticle: REMOVAL },
  RestoreMediumArticle: {
    restoreMediumArticle: { ...REMOVAL, restoredAt: '2026-11-01T01:00:00Z', canBeUndone: false },
  },
}

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('an article is taken out with a reason and put back, by keyboard alone', async () => {
  const path = '/managements/articles/q=朝'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:editor', answers: ANSWERS })
  const remove = page.getByRole('button', { name: '「朝の記事」を削除' })
  await expect.element(remove).toBeVisible()
  await expectAccessible()
  ;(remove.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('textbox', { name: '削除の理由' })).toHaveFocus()
  await userEvent.keyboard('権利者の申し出')
  await expectAccessible()
  await page.getByRole('button', { name: '記事を削除する' }).click()
  await expect.element(page.getByText('記事を削除しました。')).toBeVisible()
  await page.getByRole('button', { name: '取り消す' }).click()
  await expect.element(page.getByText('削除を取り消しました。')).toBeVisible()
  expect(operations.find(one => one.name === 'DeleteMediumArticle')?.variables).toMatchObject({
    ...{ mediumId: '1', mediumArticleId: 'm11', reason: '権利者の申し出' },
  })
})

test('on a phone nothing scrolls sideways; anyone who may not remove is offered nothing', async () => {
  await page.viewport(390, 844)
  await showScreen({ screens: SCREENS, path: '/managements/articles', role: 'insight:viewer', answers: ANSWERS })
  await expect.element(page.getByRole('link', { name: /朝の記事/ })).toBeVisible()
  expect(page.getByRole('button', { name: /を削除/ }).elements()).toHaveLength(0)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
})
