import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { feeFairnessRoute } from './fee-fairness-route.ts'
import { OwnHistory } from './own-history.tsx'

const CONDITION = { ...dashboardCondition.parse(undefined), publisherId: ['7'] }
const History = () => <OwnHistory {...CONDITION} />
const historyRoute = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => History,
})
beforeAll(async () => {
  await feeFairnessRoute.load()
})
afterEach(dismissAllToasts)

const standing = (figure: string, now: number, more: object = {}) => ({
  ...{ __typename: 'FigureHistory', figure, now, lowest: now / 2, median: now, highest: now * 2 },
  ...{ months: 12, exceeded: 9, percentile: 75 },
  ...more,
})
const history = (figures: readonly object[]) => ({
  history: { __typename: 'OwnHistory', month: '2026-11', knownDays: 19, figures },
})

test('the own history is requested when it is opened, and says how many months are exceeded', async () => {
  const { operations } = await showScreen({
    ...{ screens: [historyRoute], path: '/x', role: 'insight:publisher_admin' as const },
    answers: {
      OwnHistory: history([standing('rpm', 41.29), standing('ctr', 0.0129), standing('dailyRevenue', 1234.9)]),
    },
  })
  await expect.element(page.getByRole('button', { name: '表示する' })).toBeVisible()
  expect(operations).toEqual([])
  await page.getByRole('button', { name: '表示する' }).click()
  const row = page.getByRole('row', { name: /^RPM/ })
  await expect.element(row.getByText('41.2円')).toBeVisible()
  await expect.element(row.getByText('20.6・41.2・82.5')).toBeVisible()
  await expect.element(row.getByText('12か月中9か月を上回る（75パーセンタイル）')).toBeVisible()
  await expect.element(page.getByRole('row', { name: /クリック率 1\.2%/ })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /1日あたりの収益 1,234円/ })).toBeVisible()
  await expect.element(page.getByText('2026年11月（19日分）と、その前の12か月')).toBeVisible()
  expect(operations.map(({ variables }) => variables)).toEqual([{ param: { publisherIds: ['7'] } }])
  await expectAccessible()
})

test('without months to compare it says what is missing', async () => {
  await showScreen({
    ...{ screens: [historyRoute], path: '/x', role: 'insight:publisher_admin' as const },
    answers: { OwnHistory: history([]) },
  })
  await page.getByRole('button', { name: '表示する' }).click()
  await expect.element(page.getByText('比べられる月がまだありません')).toBeVisible()
})

const fee = (id: number, perMille: number | null, more: object = {}) => ({
  ...{ __typename: 'PublisherFee', publisherId: String(id), publisherName: `あおい新聞${id}`, views: 1_000_000 },
  ...{ fee: 45_000, fixed: 0, minimumTopUp: 0, rateUnits: 5_000, perMille, position: 'within', reasons: [] },
  ...more,
})
const RANGE = {
  ...{ __typename: 'FeeRange', lowest: 30.06, firstQuartile: 40, median: 45.99, thirdQuartile: 50, highest: 80 },
  medianRateUnits: 5_500,
}
const MEDIA = {
  ReportMedia: {
    availableMedia: {
      __typename: 'MediumList',
      nodes: [
        { __typename: 'Medium', id: '1', name: 'ニュース' },
        { __typename: 'Medium', id: '2', name: 'ライト' },
      ],
    },
  },
}
const fairness = (more: object) => ({
  fairness: {
    __typename: 'FeeFairness',
    mediumId: '1',
    mediumName: 'ニュース',
    month: '2026-10',
    range: null,
    nodes: [],
    ...more,
  },
})
const showFairness = (more: object, path = '/reports/publisher-ranking/fairness') =>
  showScreen({
    ...{ screens: [feeFairnessRoute], path, role: 'insight:viewer' as const },
    answers: { ...MEDIA, FeeFairness: fairness(more) },
  })

test('fees side by side, with where they stand and why', async () => {
  const nodes = [
    fee(1, 30.06, { position: 'below', reasons: ['lower_rate'], rateUnits: 4_500 }),
    fee(2, 80, { position: 'above', reasons: ['fixed', 'minimum'], fixed: 20_000, minimumTopUp: 10 }),
    fee(3, null, { position: null, views: 0 }),
  ]
  const { operations } = await showFairness({ range: RANGE, nodes })
  await expect.element(page.getByText('45.9円')).toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /あおい新聞1 30\.0 低め 料率が中央値より低い 1,000,000 45,000 45\.0%/ }))
    .toBeVisible()
  await expect
    .element(page.getByRole('row', { name: /あおい新聞2 80\.0 高め 固定費を含む、最低保証の補填を含む .* 20,000 10/ }))
    .toBeVisible()
  await expect.element(page.getByRole('row', { name: /あおい新聞3 — —/ })).toBeVisible()
  await expect.element(page.getByText('ニュース・2026年10月分')).toBeVisible()
  expect(operations.find(one => one.name === 'FeeFairness')?.variables).toEqual({})
  await expectAccessible()
  await page.getByRole('combobox', { name: '媒体' }).selectOptions('ライト')
  await expect.poll(() => operations.at(-1)?.variables).toEqual({ mediumId: '2' })
})

test('a month that is not final says so', async () => {
  await showFairness({ month: null })
  await expect.element(page.getByText('この月はまだ確定していません')).toBeVisible()
  await expectAccessible()
})
