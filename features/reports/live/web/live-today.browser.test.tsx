import '@pc/ui/theme/styles.ts'
import { entitiesOf } from '@pc/domain/condition/entity-filter.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { showScreen } from '@pc/ui/routing/screen-fixture.tsx'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { dashboardCondition } from '../../dashboard-condition.ts'
import { liveSums } from './live-hours.ts'
import { LiveTodayCard } from './live-today-card.tsx'

const CONDITION = { ...dashboardCondition.parse(undefined), publisherId: ['7'] }
const Live = () => <LiveTodayCard {...entitiesOf(CONDITION)} />
const route = defineRoute({
  path: '/x',
  title: 'x',
  allow: { action: 'read:list', resource: 'insight:summary_stats.' },
  view: async () => Live,
})

const hours = (count: number, impressions: number) =>
  Array.from({ length: count }, (_, hour) => ({
    __typename: 'LiveHour',
    hour,
    impressions,
    clicks: hour,
    watchCount: 0,
  }))
const live = (more: object) => ({
  live: {
    __typename: 'LiveToday',
    date: '2026-11-20',
    arrivedAt: '2026-11-20T01:23:00Z',
    hours: [],
    lastWeek: [],
    ...more,
  },
})
type Answer = Parameters<typeof showScreen>[0]['answers'][string]
const show = (answer: Answer) =>
  showScreen({ screens: [route], path: '/x', role: 'insight:viewer', answers: { LiveToday: answer } })

afterEach(() => {
  dismissAllToasts()
  vi.useRealTimers()
})

test('the day so far by hour, against the same weekday of last week up to the last whole hour', async () => {
  const { operations } = await show(live({ hours: hours(10, 110), lastWeek: hours(24, 100) }))
  const card = page.getByRole('region', { name: '本日の速報' })
  await expect.element(card.getByText('1,100')).toBeVisible()
  await expect.element(card.getByText('+10.0%')).toBeVisible()
  await expect.element(card.getByText('最終取り込み：10:23')).toBeVisible()
  await expect.element(card.getByText('先週の同じ曜日', { exact: true })).toBeVisible()
  const chart = page.getByRole('slider', { name: /本日の表示回数（時間別）/ })
  await expect
    .element(chart)
    .toHaveAttribute('aria-valuetext', '23時台、表示回数 データなし、先週の同じ曜日 100回、まだこの時刻ではありません')
  await page.getByRole('radio', { name: 'クリック数' }).click({ force: true })
  await expect.element(card.getByText('45', { exact: true })).toBeVisible()
  expect(operations[0]?.variables).toEqual({ param: { publisherIds: ['7'] } })
  await expectAccessible()
})

test('without events it is one calm line', async () => {
  await show(live({ arrivedAt: null }))
  await expect.element(page.getByText(/本日のイベントはまだ取り込まれていません/)).toBeVisible()
  await expect.element(page.getByRole('slider')).not.toBeInTheDocument()
  await expectAccessible()
})

test('it refreshes automatically, and keeps the last figures when that fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  let at = 0
  const answers = [live({ hours: hours(10, 110) }), live({ hours: hours(10, 220) }), new Error('gone')]
  await show(() => answers[Math.min(at++, 2)]!)
  await vi.advanceTimersByTimeAsync(1000)
  await expect.element(page.getByText('1,100')).toBeVisible()
  await vi.advanceTimersByTimeAsync(60_500)
  await expect.element(page.getByText('2,200')).toBeVisible()
  await vi.advanceTimersByTimeAsync(60_500)
  await expect.element(page.getByText(/更新できませんでした/)).toBeVisible()
  await expect.element(page.getByText('2,200')).toBeVisible()
})

test('a failure at the beginning offers another try', async () => {
  let fails = true
  await show(() => (fails ? new Error('gone') : live({ hours: hours(1, 5) })))
  await expect.element(page.getByText(/本日の速報を読み込めませんでした/)).toBeVisible()
  fails = false
  await page.getByRole('button', { name: 'もう一度読み込む' }).click()
  await expect.element(page.getByRole('region', { name: '本日の速報' }).getByText('5', { exact: true })).toBeVisible()
})

test('the running hour is not compared, and nothing is compared with nothing', () => {
  expect(liveSums(hours(3, 10), hours(24, 10), 'impressions')).toEqual({ soFar: 30, over: 20, overLastWeek: 20 })
  expect(liveSums(hours(1, 10), hours(24, 10), 'impressions').overLastWeek).toBeUndefined()
  expect(liveSums(hours(3, 10), [], 'impressions').overLastWeek).toBeUndefined()
})
