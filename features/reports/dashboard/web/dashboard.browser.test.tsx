import '@pc/ui/theme/styles.ts'
import { ApolloLink, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { day } from '@pc/domain/month/day.ts'
import { makeClient } from '@pc/ui/data/client.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts, Toasts } from '@pc/ui/feedback/toasts.tsx'
import { ScreenHost } from '@pc/ui/routing/screen-host.tsx'
import { makeViewer } from '@pc/ui/session/make-viewer.ts'
import { ViewerProvider } from '@pc/ui/session/viewer.tsx'
import { todayInTokyo } from '@pc/ui/text/clock-day.ts'
import { GraphQLError } from 'graphql'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { AnomaliesCard } from '../../anomalies/web/anomalies-card.tsx'
import { OwnHistory } from '../../fairness/web/own-history.tsx'
import { MonthBridge } from '../../forecast/web/month-bridge.tsx'
import { MonthForecastCard } from '../../forecast/web/month-forecast-card.tsx'
import { LiveTodayCard } from '../../live/web/live-today-card.tsx'
import type { DashboardQuery, DashboardQueryVariables, FiguresFragment } from './dashboard.gen.ts'
import { dashboardCards } from './dashboard-cards.tsx'
import { dashboardRoute } from './dashboard-route.ts'

/** Cards as the application passes them in; each has a test of its own. */
const Cards = dashboardCards([
  { place: 'top', Card: MonthForecastCard },
  { place: 'middle', Card: AnomaliesCard },
  { place: 'middle', Card: LiveTodayCard },
  { place: 'bottom', Card: OwnHistory },
  {
    place: 'bottom',
    allow: { action: 'read:list', resource: 'insight:monthly_publisher_payment.' },
    Card: MonthBridge,
  },
])
const route = dashboardRoute(async () => ({ DashboardCards: Cards }))

type Answer = DashboardQuery | Error | readonly GraphQLError[] | 'never'

const SESSION = {
  start: async () => undefined,
  idToken: async () => 'token',
  renew: async () => 'token',
  signOut: async () => {},
  leaveToSignIn: () => {},
}

/** As the server answers: the client asks every object for its type. */
function figures(date: string, more: Partial<FiguresFragment> = {}): FiguresFragment & { __typename: string } {
  return {
    __typename: 'SummaryStats',
    ...{ date, days: 1, daysWithData: 1, isComplete: true, hasBeenFinalized: false, follower: 12_000 },
    ...{ articleImpressions: 0, articleClicks: 0, articleWatchCount: 0, videoImpressions: 0, videoClicks: 0 },
    ...{ videoWatchCount: 0, liveImpressions: 0, liveClicks: 0, liveWatchCount: 0, rpm: 41_234.5, compared: null },
    ...{ impressions: 10_000, clicks: 155, ctr: 0.0155, watchCount: 300, publisherTotalRevenue: 412_345 },
    revenueDetail: null,
    ...more,
  }
}

function answerOnce(result: ApolloLink.Result): Observable<ApolloLink.Result> {
  return new Observable(observer => {
    observer.next(result)
    observer.complete()
  })
}

const DETAIL = {
  ...{ __typename: 'RevenueDetail' },
  ...{ grossRevenue: 1_000_000, productAdsRevenue: 400_000, sspRevenue: 300_000 },
  ...{ videoSspRevenue: 200_000, liveSspRevenue: 100_000, retainedRevenue: 587_655, effectiveRate: 0.4123 },
}

const typed = (name: string) => ({ __typename: name })

/** What stands beside the figures: nothing has come today, there is no anomaly, and nothing is expected yet. */
const OTHERS: Readonly<Record<string, object>> = {
  ScreenSettings: { preferences: [], savedViews: [] },
  ReportMedia: { availableMedia: { ...typed('MediumList'), nodes: [] } },
  ReportPublishers: { publishers: { ...typed('PublisherList'), total: 0, nodes: [] } },
  ReportOrganizations: { organizations: { ...typed('OrganizationList'), total: 0, nodes: [] } },
  ExplainChange: { explainChange: null },
  LiveToday: { live: { ...typed('LiveToday'), date: '2026-11-04', arrivedAt: null, hours: [], lastWeek: [] } },
  Anomalies: { changes: { ...typed('SuddenChangeList'), total: 0, nodes: [] }, preferences: [] },
  MonthForecast: {
    forecast: {
      ...{ ...typed('MonthForecast'), month: '2026-11', days: 30, knownDays: 3, dataUntil: '2026-11-03' },
      ...{ publisherTotalRevenue: null, impressions: null, clicks: null, watchCount: null },
    },
    lastMonth: { ...typed('SummaryStatsList'), totals: null },
  },
}

function answerWith(
  nodes: readonly FiguresFragment[],
  more: { totals?: Partial<FiguresFragment> } = {},
): DashboardQuery {
  const days = nodes.reduce((sum, node) => sum + node.days, 0)
  return {
    stats: {
      ...typed('SummaryStatsList'),
      total: nodes.length,
      dataUntil: '2026-11-03',
      articleDataUntil: '2026-11-03',
      videoDataUntil: '2026-11-03',
      lateMedia: [],
      nodes,
      totals:
        nodes.length === 0
          ? null
          : {
              ...figures(nodes[0]!.date, { days, daysWithData: days, publisherTotalRevenue: 1_237_035 }),
              ...more.totals,
              clickDemographics: [
                { ...typed('ClickDemographic'), genderId: 1, ageId: 1, click: 100 },
                { ...typed('ClickDemographic'), genderId: 0, ageId: 3, click: 999 },
              ],
            },
    },
    previous: {
      ...typed('SummaryStatsList'),
      totals: {
        ...{ ...typed('SummaryStats'), days, daysWithData: days, publisherTotalRevenue: 1_000_000 },
        ...{ impressions: 9000, clicks: 200, ctr: 0.02 },
      },
    },
  }
}

function Host(props: { initial: string; onChange: (segment: string | undefined) => void }) {
  const [segment, setSegment] = useState<string | undefined>(props.initial)
  const change = (next: string | undefined) => {
    props.onChange(next)
    setSegment(next)
  }
  return <ScreenHost screen={route} segment={segment} ids={{}} onSegmentChange={change} />
}

/** The screen with the real client; each call gets the next answer, the last one again and again. */
async function show(
  answers: Answer | Answer[],
  { isStaff = false, segment = 'from=2026-11-01&to=2026-11-03', more = [] as readonly string[] } = {},
) {
  const queue = Array.isArray(answers) ? [...answers] : [answers]
  const requested: DashboardQueryVariables[] = []
  const link = new ApolloLink(operation => {
    const other = OTHERS[operation.operationName ?? '']
    if (other) return answerOnce({ data: { ...other } })
    if (operation.operationName !== 'Dashboard') throw new Error(`no answer to ${operation.operationName}`)
    requested.push(operation.variables as DashboardQueryVariables)
    const answer = queue.length > 1 ? queue.shift()! : queue[0]!
    if (answer === 'never') return new Observable(() => {})
    if (answer instanceof Error) return new Observable(observer => observer.error(answer))
    return answerOnce(Array.isArray(answer) ? { data: null, errors: answer } : { data: answer as DashboardQuery })
  })
  const policy = (name: string) => ({ actions: ['read:list', 'read:show'], resources: [{ name }] })
  const viewer = makeViewer(
    { id: 'u1', email: 'a@example.jp', photoUrl: undefined, hasEmailPassAccount: true },
    {
      ...{ photoUrl: undefined, organizationId: undefined, agreementIds: [], isStateReady: true },
      roles: [isStaff ? 'insight:viewer' : 'insight:publisher_admin'],
      policies: [
        ...['insight:summary_stats.', ...more].map(policy),
        ...(isStaff ? [policy('insight:revenue_detail.')] : []),
      ],
    },
  )
  const segments: (string | undefined)[] = []
  await render(
    <ApolloProvider client={makeClient(link, SESSION)}>
      <ViewerProvider viewer={viewer}>
        <main>
          <Host initial={segment} onChange={next => segments.push(next)} />
        </main>
        <Toasts />
      </ViewerProvider>
    </ApolloProvider>,
  )
  return { requested, segments }
}

const THREE_DAYS = [
  figures('2026-11-01', { hasBeenFinalized: true }),
  figures('2026-11-02'),
  figures('2026-11-03', { isComplete: false }),
]

// The code of the screen is loaded before the first test waits for it.
beforeAll(async () => {
  await route.load()
})
afterEach(() => {
  dismissAllToasts()
  vi.restoreAllMocks()
})

describe('dashboard', () => {
  test('shows figures, changes, chart, table with totals, and how far the data reaches', async () => {
    await show(answerWith(THREE_DAYS))
    await expect.element(page.getByRole('heading', { name: 'ダッシュボード' })).toBeVisible()
    await expect.element(page.getByText('集計済み：11月3日まで')).toBeVisible()
    const revenue = page.getByRole('region', { name: '収益', exact: true })
    await expect.element(revenue).toHaveTextContent('収益速報1,237,035円増加+23.7% 前期間比')
    await expect
      .element(page.getByRole('region', { name: 'クリック率' }))
      .toHaveTextContent('クリック率1.5%減少−22.5% 前期間比')
    await expect.element(page.getByRole('slider', { name: /収益とクリック数の推移/ })).toBeVisible()
    await expect.element(page.getByRole('row', { name: /^合計.*1,237,035$/ })).toBeVisible()
    await expectAccessible()
  })

  test('a change that is pressed opens its reasons, and closing them gives the focus back', async () => {
    await show(answerWith(THREE_DAYS))
    const change = page.getByRole('region', { name: 'クリック率' }).getByRole('button', { name: /−22\.5%/ })
    await change.click()
    const drawer = page.getByRole('dialog', { name: '増減の理由' })
    await expect.element(drawer.getByText(/^比較できるデータがありません/)).toBeVisible()
    await drawer.getByRole('button', { name: '閉じる' }).click()
    await expect.element(drawer).not.toBeInTheDocument()
    await expect.element(change).toHaveFocus()
  })

  test('distinguishes final, estimated and unfinished days', async () => {
    await show(answerWith(THREE_DAYS))
    const stateOf = (name: RegExp) => page.getByRole('row', { name }).getByRole('cell').first()
    await expect.element(stateOf(/2026年11月1日/)).toHaveTextContent('確定')
    await expect.element(stateOf(/2026年11月2日/)).toHaveTextContent('速報')
    await expect.element(stateOf(/2026年11月3日/)).toHaveTextContent('集計中')
    expect(document.querySelectorAll('svg rect[fill^="url(#"]')).toHaveLength(2)
  })

  test('distinguishes no data from zero', async () => {
    await show(
      answerWith([figures('2026-11-01', { clicks: 0, ctr: 0, publisherTotalRevenue: 0 }), figures('2026-11-03')]),
    )
    const row = (name: RegExp) => page.getByRole('row', { name })
    await expect
      .element(row(/2026年11月2日/))
      .toHaveTextContent(
        '2026年11月2日（月）データなし—データなし—データなし—データなし—データなし—データなし—データなし',
      )
    await expect.element(row(/2026年11月1日/)).toHaveTextContent('2026年11月1日（日）速報10,00000.0%30012,0000')
  })

  test('compares only whole ranges', async () => {
    await show(answerWith(THREE_DAYS, { totals: { daysWithData: 2 } }))
    await expect
      .element(page.getByRole('region', { name: '収益', exact: true }))
      .toHaveTextContent('収益速報1,237,035円前期間比 —')
  })

  test('a medium that is behind is named, and its missing day is no loss', async () => {
    const answer = answerWith(THREE_DAYS)
    const lateMedia = [{ ...typed('LateMedium'), mediumId: '2', name: 'みどり', dataUntil: '2026-11-02' }]
    await show({ ...answer, stats: { ...answer.stats, lateMedia } })
    await expect.element(page.getByText(/集計済み：.*11月3日まで（媒体「みどり」は.*11月2日まで）/)).toBeVisible()
    await expect
      .element(page.getByRole('region', { name: '収益', exact: true }))
      .toHaveTextContent('収益速報1,237,035円前期間比 —')
  })

  test('without data says so, and that this is not zero', async () => {
    await show(answerWith([]), { segment: 'from=2026-11-01&to=2026-11-03&publisherId=9' })
    await expect.element(page.getByRole('heading', { name: 'この条件のデータはありません' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '書き出し' })).toBeDisabled()
    await page.getByRole('button', { name: '絞り込みを解除する' }).click()
    await expect.element(page.getByRole('button', { name: /パブリッシャー.*すべて/ })).toBeVisible()
  })

  test('a system without any figures advises to bring them in, not to change the filter', async () => {
    const empty = answerWith([])
    const none = { dataUntil: null, articleDataUntil: null, videoDataUntil: null }
    await show({ ...empty, stats: { ...empty.stats, ...none } }, { isStaff: true })
    await expect.element(page.getByRole('heading', { name: 'まだ数値がありません' })).toBeVisible()
    const link = page.getByRole('link', { name: '統計の取り込みを開く' })
    await expect.element(link).toHaveAttribute('href', '#/reports/ingest-batches')
    expect(page.getByText(/条件を変更してください/).elements()).toHaveLength(0)
  })

  test('says that a period is not aggregated yet', async () => {
    await show(answerWith([]), { segment: 'from=2026-11-10&to=2026-11-11' })
    await expect.element(page.getByRole('heading', { name: 'この期間はまだ集計されていません' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '最新の7日間を表示する' })).toBeVisible()
  })

  test('waits with the places of its parts', async () => {
    await show('never')
    await expect.element(page.getByRole('status', { name: '読み込み中' })).toBeVisible()
    await expectAccessible()
  })

  test('a failure offers to try again, and the next answer is shown', async () => {
    await show([new TypeError('Failed to fetch'), answerWith(THREE_DAYS)])
    await expect.element(page.getByText('通信エラー')).toBeVisible()
    await page.getByRole('button', { name: 'もう一度読み込む' }).click()
    await expect.element(page.getByRole('region', { name: '収益', exact: true })).toBeVisible()
  })

  test('figures of another condition do not stay when the new one fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const failure = [new GraphQLError('受付番号 a1', { extensions: { code: 'INTERNAL_SERVER_ERROR' } })]
    await show([answerWith(THREE_DAYS), failure])
    await page.getByRole('radio', { name: '週別' }).click({ force: true })
    await expect.element(page.getByText(/サーバーエラーが発生しました/)).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'データを読み込めませんでした' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: '収益', exact: true })).not.toBeInTheDocument()
  })
})

describe('what is requested', () => {
  test('the default range is the 7 days before yesterday, compared with the 7 days before', async () => {
    const { requested } = await show('never', { segment: '' })
    const { param, previous } = requested[0]!
    const daysAgo = (text: string) => (Date.parse(todayInTokyo()) - Date.parse(day(text))) / 86_400_000
    expect([daysAgo(param.from), daysAgo(param.to)]).toEqual([8, 2])
    expect([daysAgo(previous.from), daysAgo(previous.to)]).toEqual([15, 9])
  })

  test('a segment that cannot be read gives the defaults', async () => {
    const { requested } = await show('never', { segment: '%%%&from=tomorrow&granularity=hourly&mediumId=a' })
    expect(requested[0]!.param).toEqual({
      from: requested[0]!.param.from,
      to: requested[0]!.param.to,
      granularity: 'daily',
    })
  })

  test('revenue detail is requested by staff only', async () => {
    const publisher = await show('never')
    const staff = await show('never', { isStaff: true })
    expect([publisher.requested[0]!.withRevenueDetail, staff.requested[0]!.withRevenueDetail]).toEqual([false, true])
  })

  test('staff see the detail and the organisation filter, publishers neither', async () => {
    await show(answerWith(THREE_DAYS, { totals: { revenueDetail: DETAIL } }), { isStaff: true })
    await expect.element(page.getByRole('region', { name: '収益の内訳' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /組織/ })).toBeVisible()
    await expectAccessible()
  })

  test('publishers get no organisation filter', async () => {
    await show(answerWith(THREE_DAYS))
    await expect.element(page.getByRole('button', { name: /媒体/ })).toBeVisible()
    expect(page.getByRole('button', { name: /組織/ }).elements()).toHaveLength(0)
    expect(page.getByRole('region', { name: '収益の内訳' }).elements()).toHaveLength(0)
  })

  test('leads to the articles and videos of the same days and publisher, where they may be read', async () => {
    const segment = 'from=2026-11-01&to=2026-11-03&compareWith=previous_period&publisherId=9'
    await show(answerWith(THREE_DAYS), { segment, more: ['insight:article_stats.'] })
    await expect
      .element(page.getByRole('link', { name: '記事別の内訳' }))
      .toHaveAttribute('href', `#/reports/articles/${segment}`)
    expect(page.getByRole('link', { name: '動画別の内訳' }).elements()).toHaveLength(0)
  })

  test('filters and sorting are in the address', async () => {
    const { segments } = await show(answerWith(THREE_DAYS))
    await page.getByRole('radio', { name: '月別' }).click({ force: true })
    await page.getByRole('button', { name: '収益（円）' }).click()
    await expect
      .poll(() => segments)
      .toEqual([
        'from=2026-11-01&to=2026-11-03&granularity=monthly',
        'from=2026-11-01&to=2026-11-03&granularity=monthly&sort=-revenue',
      ])
  })
})

describe('chart', () => {
  test('draws what is compared at the same place, and names it in the legend, to the keyboard and above the table', async () => {
    const days = (from: string, to = from) => ({ from, to })
    const before = {
      __typename: 'ComparedSummaryStats',
      ...days('2026-10-25'),
      ...{
        publisherTotalRevenue: 300_000,
        clicks: 144,
        impressions: 9_000,
        ctr: 0.016,
        watchCount: 200,
        rpm: 33_333.3,
      },
      ...{ articleImpressions: 0, articleClicks: 0, articleWatchCount: 0, videoImpressions: 0, videoClicks: 0 },
      ...{ videoWatchCount: 0, liveImpressions: 0, liveClicks: 0, liveWatchCount: 0 },
    }
    const compared = THREE_DAYS.map(one => ({ ...one, compared: one.date === '2026-11-02' ? null : before }))
    await show(answerWith(compared, { totals: { compared: { ...before, ...days('2026-10-25', '2026-10-27') } } }), {
      segment: 'from=2026-11-01&to=2026-11-03&compareWith=same_weekdays',
    })
    const slider = page.getByRole('slider', { name: /収益とクリック数の推移/ })
    await expect.element(page.getByRole('group', { name: '表示する指標' })).toMatchTextContent(/クリック数前の同じ曜日/)
    ;(slider.element() as HTMLElement).focus()
    slider.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
    await expect
      .element(slider)
      .toHaveAttribute(
        'aria-valuetext',
        '2026年11月1日（日）、収益 412,345円、前の同じ曜日 300,000円、クリック数 155回、前の同じ曜日 144回、比較 2026年10月25日（日）',
      )
    await expect.element(page.getByText('2026年11月1日〜3日　前の同じ曜日（2026年10月25日〜27日）と比較')).toBeVisible()
    await expectAccessible()
  })

  test('is read with the keyboard', async () => {
    await show(answerWith(THREE_DAYS))
    const slider = page.getByRole('slider', { name: /収益とクリック数の推移/ })
    await expect.element(slider).toBeVisible()
    ;(slider.element() as HTMLElement).focus()
    slider.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
    await expect
      .element(slider)
      .toHaveAttribute('aria-valuetext', '2026年11月1日（日）、収益 412,345円、クリック数 155回')
    slider.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
    await expect
      .element(slider)
      .toHaveAttribute('aria-valuetext', '2026年11月2日（月）、収益 412,345円、クリック数 155回、速報値（確定前）')
  })
})
