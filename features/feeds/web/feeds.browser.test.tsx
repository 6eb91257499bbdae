import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import { refusedWith, showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { feedCreateRoute, feedEditRoute, feedsRoute } from './feeds-route.ts'

const SCREENS = [feedsRoute, feedCreateRoute, feedEditRoute]
const PUBLISHER = { __typename: 'Publisher', id: '7', name: '東都新聞デジタル' }
const ROW = {
  __typename: 'Feed',
  id: '9',
  name: '本紙',
  enabled: true,
  type: 'snf2',
  mediumId: '1',
  publisher: PUBLISHER,
  ...{ url: 'https://toto.example/feed.xml', updatedAt: '2026-11-01T00:00:00Z' },
  health: {
    __typename: 'FeedHealth',
    state: 'outage',
    errorClass: 'timeout',
    lastSuccessAt: null,
    failingSince: '2026-11-01T00:00:00Z',
    volumeItems: 12,
    usualItems: 30,
  },
}
const FINDING = { __typename: 'FeedFinding', code: 'tag-mismatch', severity: 'error' }
const ANSWERS = {
  MediumOptions: {
    availableMedia: { __typename: 'MediumList', nodes: [{ __typename: 'Medium', id: '1', name: 'ニュースアプリ' }] },
  },
  Feeds: { feeds: { __typename: 'FeedList', total: 1, nodes: [ROW] } },
}

afterEach(async () => {
  dismissAllToasts()
  goTo('#/', { isFinal: true })
  await page.viewport(1440, 900)
})

test('the list shows the health of each feed, and stands on a phone', async () => {
  const path = '/managements/feeds/health=outage'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:editor', answers: ANSWERS })
  const link = page.getByRole('link', { name: '本紙' })
  await expect.element(link).toHaveAttribute('href', '#/managements/feeds/edit/9')
  expect(operations.find(one => one.name === 'Feeds')?.variables.param).toMatchObject({ enabled: true })
  await expectAccessible()
  await page.viewport(390, 844)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
  await expectAccessible()
})

test('numbers take digits alone; what is missing is shown at once', async () => {
  const path = '/managements/feeds/create'
  const { operations } = await showScreen({ screens: SCREENS, path, role: 'insight:editor', answers: ANSWERS })
  const minutes = page.getByRole('textbox', { name: '読み込みの間隔' })
  await expect.element(minutes).toBeVisible()
  await minutes.clear()
  await minutes.click()
  await userEvent.keyboard('-1.e5+0')
  await expect.element(minutes).toHaveValue('150')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  const summary = page.getByRole('alert').filter({ hasText: '入力内容を確認してください' })
  await expect.element(summary).toHaveFocus()
  await expectAccessible()
  expect(operations.some(one => one.name === 'UpsertFeed')).toBe(false)
  // From above to below, as the screen has them.
  const links = summary.getByRole('link').elements()
  expect(links.map(link => link.textContent?.split('：')[0])).toEqual([
    ...['フィードのURL', 'パブリッシャー', '媒体', 'フィード名'],
  ])
})

test('people of publishers see what a shortage may cost, as an estimate, and what is wrong with their feed by line', async () => {
  const edited = {
    ...ROW,
    shortName: '',
    siteUrl: '',
    description: '',
    logoUrl: '',
    wideLogoUrl: '',
    bannerUrl: '',
    relatedLinkNum: 0,
    articleExpirationDays: 30,
    ttlMinutes: 15,
    allowVideo: false,
    allowContentBody: true,
    revision: 1,
    health: { ...ROW.health, checkedAt: null, volumeDay: null },
    revenueAtRisk: { __typename: 'FeedRevenueAtRisk', yenPerDay: 12345, missingPercent: 80 },
  }
  const { operations } = await showScreen({
    screens: SCREENS,
    path: '/managements/feeds/edit/9',
    role: 'insight:publisher_editor',
    answers: {
      ...ANSWERS,
      FeedEdit: { feed: edited },
      RegisteredFeedValidation: {
        feedValidation: {
          __typename: 'FeedValidation',
          isUsable: false,
          findings: [{ ...FINDING, line: 12, message: '<item>が閉じられていません。' }],
        },
      },
    },
  })
  const health = page.getByRole('region', { name: '稼働状況' })
  await expect.element(health).toMatchTextContent(/1日あたり約12,345円\s*推定/)
  await expect.element(health).toMatchTextContent(/割合（80%）をかけた目安です。お支払額ではありません。/)
  expect(operations.find(one => one.name === 'FeedEdit')?.variables).toMatchObject({
    withRevenue: true,
    withInHouse: false,
  })
  // The registered feed is checked, by line; what only those need who enter feeds is not offered.
  expect(page.getByRole('button', { name: '読み込んで確認' }).elements()).toHaveLength(0)
  await page.getByRole('button', { name: '仕様に合うか検査' }).click()
  await expect
    .element(page.getByRole('region', { name: '検査の結果' }))
    .toMatchTextContent(/使用できません.*12行目\s*<item>が閉じられていません。/)
  expect(operations.find(one => one.name === 'RegisteredFeedValidation')?.variables).toEqual({ id: '9' })
  await expectAccessible()
})

test('what was found at one address is not said of the next', async () => {
  const path = '/managements/feeds/create'
  const refused = refusedWith('feed/not-public', 'このURLは公開されていないサーバーを指しています。', ['url'])
  const answers = { ...ANSWERS, FeedPreview: refused }
  await showScreen({ screens: SCREENS, path, role: 'insight:editor', answers })
  const address = page.getByRole('textbox', { name: 'フィードのURL' })
  await address.fill('https://localhost/feed')
  await page.getByRole('button', { name: '読み込んで確認' }).click()
  const problem = page.getByRole('alert').filter({ hasText: '公開されていない' })
  await expect.element(problem).toBeVisible()
  await address.fill('htp://toto.example/feed')
  await expect.element(problem).not.toBeInTheDocument()
})
