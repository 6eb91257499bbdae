import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showReport } from '../../core/web/report-screen-fixture.tsx'
import { articlesReportRoute } from './articles-report-route.ts'
import { articleRow, videoRow } from './content-rows-fixture.ts'
import { videosReportRoute } from './videos-report-route.ts'

const SEGMENT = 'from=2026-11-01&to=2026-11-07'
const sum = page.getByRole('region', { name: '収益の内訳' })

beforeAll(async () => {
  await Promise.all([articlesReportRoute, videosReportRoute].map(route => route.load()))
})
afterEach(async () => {
  dismissAllToasts()
  await page.viewport(1200, 800)
})

interface Parts {
  total: number | null
  articles?: number | null
  videos?: number | null
  dataUntil?: string
  articleDataUntil?: string | null
  videoDataUntil?: string | null
}

function partsOf(given: Parts) {
  const { total, articles = 579_398, videos = 120_000, ...until } = given
  const of = (__typename: string, yen: number | null) => ({
    totals: yen === null ? null : { __typename, publisherTotalRevenue: yen },
  })
  const arrivals = { dataUntil: '2026-11-07', articleDataUntil: '2026-11-07', videoDataUntil: '2026-11-07', ...until }
  return {
    RevenueParts: {
      publishers: { ...arrivals, ...of('SummaryStats', total) },
      articles: of('ArticleStats', articles),
      videos: of('VideoStats', videos),
    },
  }
}

function show(parts: Parts, segment = SEGMENT) {
  const stats = {
    total: 1,
    dataUntil: '2026-11-06',
    lateMedia: [],
    filterLabels: [],
    totals: articleRow({ title: null }),
    nodes: [articleRow()],
  }
  return showReport({ screen: articlesReportRoute, segment, answers: { ArticlesReport: { stats }, ...partsOf(parts) } })
}

test.each([1440, 390])('the dashboard’s revenue is the sum of its parts, at %i px', async width => {
  await page.viewport(width, 900)
  const { operations } = await show({ total: 988_456 }, `${SEGMENT}&publisherId=12`)
  await expect.element(sum).toMatchTextContent(/収益 988,456円.*記事 579,398円.*動画 120,000円.*289,058円/)
  expect(operations.find(({ name }) => name === 'RevenueParts')?.variables).toMatchObject({
    publishers: { from: '2026-11-01', to: '2026-11-07', publisherIds: ['12'] },
    articles: { groupBy: 'date', publisherIds: ['12'] },
  })
  await expect
    .element(sum.getByRole('link'))
    .toHaveAttribute('href', '#/reports/dashboard/from=2026-11-01&to=2026-11-07&publisherId=12')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  await expectAccessible()
})

test('what arrived first is said, and a rest below zero too', async () => {
  await show({ total: 600_000, videoDataUntil: '2026-11-05', articleDataUntil: null })
  await expect.element(sum).toMatchTextContent(/−99,398円.*先に届いています.*動画は11月5日までの数値です。/)
  expect(sum.element().textContent).not.toContain('記事は')
})

test('contents of no revenue are zero; without a total there is nothing to reconcile', async () => {
  await show({ total: 5, articles: null, videos: null })
  await expect.element(sum).toMatchTextContent(/記事 0円.*動画 0円.*収益 5円/)
})

test('a narrowed list and a failed answer show no sum', async () => {
  const { operations } = await show({ total: 5 }, `${SEGMENT}&title=${encodeURIComponent('秋')}`)
  await expect.element(page.getByRole('row', { name: /秋の味覚/ })).toBeVisible()
  expect(operations.some(({ name }) => name === 'RevenueParts')).toBe(false)
  await expect.element(sum).not.toBeInTheDocument()
})

test('videos have it too', async () => {
  const stats = {
    total: 1,
    dataUntil: '2026-11-06',
    lateMedia: [],
    totals: videoRow({ title: null }),
    nodes: [videoRow()],
  }
  await showReport({
    screen: videosReportRoute,
    segment: SEGMENT,
    answers: { VideosReport: { stats }, ...partsOf({ total: 700_000 }) },
  })
  await expect.element(sum).toMatchTextContent(/700,000円.*602円/)
})

test('a part that could not be read is not shown as 0', async () => {
  const stats = {
    total: 1,
    dataUntil: '2026-11-06',
    lateMedia: [],
    filterLabels: [],
    totals: articleRow({ title: null }),
  }
  const { RevenueParts } = partsOf({ total: 1_000 })
  const { operations } = await showReport({
    ...{ screen: articlesReportRoute, segment: SEGMENT },
    answers: {
      ArticlesReport: { stats: { ...stats, nodes: [articleRow()] } },
      RevenueParts: { ...RevenueParts, articles: null },
    },
  })
  await expect.element(page.getByRole('row', { name: /秋の味覚/ })).toBeVisible()
  await expect.poll(() => operations.some(({ name }) => name === 'RevenueParts')).toBe(true)
  await expect.element(sum).not.toBeInTheDocument()
})
