import '@pc/ui/theme/styles.ts'
import { day } from '@pc/domain/month/day.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { MonthForecastCard } from './month-forecast-card.tsx'

const CONDITION = { ...dashboardCondition.parse(undefined), mediumId: ['1'], publisherId: ['7'] }
const Shown = () => <MonthForecastCard {...CONDITION} today={day('2026-11-20')} />
const route = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => Shown,
})
const figure = (expected: number) => ({
  ...{ __typename: 'ForecastFigure', soFar: expected - 400, expected, low: expected - 100, high: expected + 200 },
})
const FORECAST = {
  ...{ __typename: 'MonthForecast', month: '2026-11', days: 30, knownDays: 19, dataUntil: '2026-11-19' },
  ...{ publisherTotalRevenue: figure(12_345_678), impressions: figure(9_876_543), clicks: figure(54_321) },
  watchCount: null,
}
const LAST_MONTH = {
  ...{ __typename: 'SummaryStats', days: 31, daysWithData: 31, publisherTotalRevenue: 10_000_000 },
  ...{ impressions: 9_876_543, clicks: 60_000, watchCount: 5 },
}
const ANSWER = { forecast: FORECAST, lastMonth: { __typename: 'SummaryStatsList', totals: LAST_MONTH } }
type Answer = Parameters<typeof showScreen>[0]['answers'][string]
const show = (answer: Answer) =>
  showScreen({ screens: [route], path: '/x', role: 'insight:publisher_admin', answers: { MonthForecast: answer } })

afterEach(dismissAllToasts)

test('every figure with its range and what is known, marked as an estimate, explained at the focus', async () => {
  const { operations } = await show(ANSWER)
  const card = page.getByRole('region', { name: '2026年11月の着地見込み' })
  await expect.element(card.getByText('12,345,678円')).toBeVisible()
  await expect.element(card.getByText('幅 12,345,578〜12,345,878')).toBeVisible()
  await expect.element(card.getByText('実績 12,345,278円')).toBeVisible()
  await expect.element(card.getByText('先月 10,000,000円', { exact: true })).toBeVisible()
  await expect.element(card.getByText('先月比 +23.4%', { exact: true })).toBeVisible()
  await expect.element(card.getByText('見込み', { exact: true })).toBeVisible()
  await expect
    .element(card.getByText(/11月19日までの実績（今月30日のうち19日分）.*お支払いの根拠にはなりません/))
    .toBeVisible()
  await expect.element(card.getByText('実績が少ないため計算できません')).toBeVisible()
  await userEvent.tab()
  await expect
    .poll(() => page.getByRole('tooltip').element().textContent)
    .toMatch(/パブリッシャーの収益です[\s\S]*5回のうち4回/)
  const filter = { mediumIds: ['1'], publisherIds: ['7'] }
  const lastMonth = { ...filter, from: '2026-10-01', to: '2026-10-31', granularity: 'monthly' }
  expect(operations.map(({ variables }) => variables)).toEqual([{ param: filter, lastMonth }])
  await userEvent.keyboard('{Escape}')
  await expectAccessible()
})

test('with too little history it is one line that says so', async () => {
  await show({ ...ANSWER, forecast: { ...FORECAST, publisherTotalRevenue: null, impressions: null, clicks: null } })
  await expect
    .element(page.getByText(/2026年11月の着地見込みは、集計済みの日が少ないためまだ計算できません/))
    .toBeVisible()
  await expectAccessible()
})

test('a failure offers another try', async () => {
  let fails = true
  await show(() => (fails ? new Error('gone') : ANSWER))
  await expect.element(page.getByText(/今月の見込みを読み込めませんでした/)).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'もう一度読み込む' }).click()
  await expect.element(page.getByText('12,345,678円')).toBeVisible()
})
