import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showReport } from '../../core/web/report-screen-fixture.tsx'
import { articlesReportRoute } from './articles-report-route.ts'
import { articleRow } from './content-rows-fixture.ts'

beforeAll(async () => {
  await articlesReportRoute.load()
})

const list = {
  stats: {
    ...{ total: 1, dataUntil: '2026-11-06', lateMedia: [], filterLabels: [] },
    ...{ totals: articleRow({ title: null }), nodes: [articleRow({})] },
  },
}
const totals = (publisherTotalRevenue: number) => ({ __typename: 'Part', totals: { publisherTotalRevenue } })
const publishers = {
  ...totals(1_000),
  ...{ dataUntil: '2026-11-06', articleDataUntil: '2026-11-06', videoDataUntil: '2026-11-05' },
}
const show = (parts: object) =>
  showReport({
    ...{ screen: articlesReportRoute, segment: 'from=2026-11-01&to=2026-11-07' },
    answers: { ArticlesReport: list, RevenueParts: parts },
  })
const parts = page.getByRole('region', { name: '収益の内訳' })

test('the parts and the rest are the revenue of the dashboard', async () => {
  await show({ publishers, articles: totals(600), videos: totals(150) })
  await expect
    .poll(() => parts.element().textContent)
    .toMatch(/1,000円.*記事 600円.*動画 150円.*分けられない収益 250円.*動画は11月5日までの数値です。/)
  await expectAccessible()
})

test('a part that could not be read is not shown as 0', async () => {
  const { operations } = await show({ publishers, articles: null, videos: totals(150) })
  await expect.element(page.getByRole('cell').first()).toBeVisible()
  await expect.poll(() => operations.some(({ name }) => name === 'RevenueParts')).toBe(true)
  await expect.element(parts).not.toBeInTheDocument()
})
