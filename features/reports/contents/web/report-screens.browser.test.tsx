import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { dismissAllToasts } from '@pc/ui/feedback/toasts.tsx'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showReport } from '../../core/web/report-screen-fixture.tsx'
import type { PublisherRankingQuery } from '../../ranking/web/publisher-ranking.gen.ts'
import { publisherRankingRoute } from '../../ranking/web/publisher-ranking-route.ts'
import { articleReportRoute } from './article-report-route.ts'
import { articlesReportRoute } from './articles-report-route.ts'
import { articleRow, videoRow } from './content-rows-fixture.ts'
import { videoReportRoute } from './video-report-route.ts'
import { videosReportRoute } from './videos-report-route.ts'

const SEGMENT = 'from=2026-11-01&to=2026-11-07'
const row = (name: RegExp) => page.getByRole('row', { name })
const headers = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map(cell => cell.textContent)

/** What React drew the elements from: another object as soon as they are drawn again. */
const propsOf = (elements: readonly Element[]) =>
  elements.map(element => Object.entries(element).find(([name]) => name.startsWith('__reactProps$'))?.[1] as unknown)

beforeAll(async () => {
  const routes = [articlesReportRoute, articleReportRoute, videosReportRoute, videoReportRoute, publisherRankingRoute]
  await Promise.all(routes.map(route => route.load()))
})
afterEach(() => dismissAllToasts())

describe('ranking', () => {
  type Ranked = NonNullable<PublisherRankingQuery['ranking']>['nodes'][number]
  const FIGURES = {
    __typename: 'PublisherRank',
    ...{ impressions: 2_000, clicks: 100, ctr: 0.05, watchCount: 70, articleImpressions: 1_000, articleClicks: 60 },
    ...{ articleWatchCount: 30, videoImpressions: 800, videoClicks: 30, videoWatchCount: 35, liveImpressions: 200 },
    ...{ liveClicks: 10, liveWatchCount: 5, publisherTotalRevenue: 5_500, rpm: 2_750.55 },
    revenueDetail: {
      __typename: 'RevenueDetail',
      ...{ grossRevenue: 10_000, productAdsRevenue: 4_000, sspRevenue: 3_000, videoSspRevenue: 2_000 },
      ...{ liveSspRevenue: 1_000, retainedRevenue: 4_500, effectiveRate: 0.55 },
    },
  }
  const before = {
    ...FIGURES,
    __typename: 'ComparedPublisherRank',
    ...{ from: '2026-10-25', to: '2026-10-31' },
    publisherTotalRevenue: 5_000,
    clicks: 120,
    ctr: 0.0612,
    rpm: 2_750.12,
  }
  const ranked = (more: Partial<Ranked>): Ranked => ({
    ...{ publisherId: '7', publisherName: 'あさひ出版', rank: 1, previousRank: 3, rankChange: 2, ...FIGURES },
    compared: before,
    ...more,
  })
  const answer = {
    ranking: {
      ...{
        total: 2,
        dataUntil: '2026-11-06',
        lateMedia: [],
        totals: { ...FIGURES, __typename: 'PublisherRankTotals', compared: before },
      },
      nodes: [
        ranked({}),
        ranked({
          publisherId: '8',
          publisherName: null,
          rank: 2,
          previousRank: null,
          rankChange: null,
          compared: null,
        }),
      ],
    },
  }
  const show = (segment = SEGMENT) =>
    showReport({
      screen: publisherRankingRoute,
      segment,
      isStaff: true,
      answers: { PublisherRanking: answer },
    })

  test('shows places won and changes in rows and in the totals', async () => {
    const { operations } = await show()
    await expect.element(row(/あさひ出版.*5,500.*増加 ?\+10\.0%.*減少 ?−16\.6%.*−1\.1pt/)).toBeVisible()
    // From 2,750.1 to 2,750.5 is less than 0.1 %.
    await expect.element(row(/あさひ出版.*2,750\.5.*増加 ?\+0\.4/)).toBeVisible()
    await expect.element(row(/ID 8/).getByText('初登場')).toBeVisible()
    await expect.element(row(/^合計.*\+10\.0%/)).toBeVisible()
    // The amount that the cell has no room for.
    await expect
      .element(row(/あさひ出版/).getByRole('button', { name: /\+10\.0%/ }))
      .toHaveAttribute('title', '比較：5,000（+500）')
    await expect.element(page.getByText('集計済み：2026年11月6日まで', { exact: false })).toBeVisible()
    expect(operations.find(one => one.name === 'PublisherRanking')?.variables).toMatchObject({
      orderBy: 'REVENUE_DESC',
      param: { compareWith: 'previous_period' },
    })
    await expectAccessible()
  })

  test('compared, its first columns fit what 1440 pixels leave beside the sidebar', async () => {
    const now = {
      publisherTotalRevenue: 12_585_776,
      impressions: 117_181_431,
      clicks: 1_944_959,
      videoWatchCount: 269_311,
    }
    const big = { ...FIGURES, ...now, revenueDetail: { ...FIGURES.revenueDetail, grossRevenue: 23_074_434 } }
    const name = { publisherName: '月刊くるみオンライン編集部' }
    const [first] = answer.ranking.nodes
    const ranking = {
      ...answer.ranking,
      totals: { ...answer.ranking.totals, ...big },
      nodes: [{ ...first!, ...big, ...name, rank: 100 }],
    }
    await showReport({
      screen: publisherRankingRoute,
      segment: SEGMENT,
      isStaff: true,
      answers: { PublisherRanking: { ranking } },
    })
    await expect.element(row(/月刊くるみオンライン編集部/)).toBeVisible()
    const table = page.getByRole('table').element()
    table.closest<HTMLElement>('#main')!.style.width = '1160px'
    expect(headers()).toHaveLength(12)
    expect(table.scrollWidth).toBeLessThanOrEqual(1160)
  })

  test('the change of a figure opens its reasons, with the filter of its row', async () => {
    const { operations } = await showReport({
      ...{ screen: publisherRankingRoute, segment: `${SEGMENT}&mediumId=3`, isStaff: true },
      answers: { PublisherRanking: answer, ExplainChange: { explainChange: null } },
    })
    const drawer = page.getByRole('dialog', { name: '増減の理由' })
    const closed = async (change: ReturnType<typeof row>) => {
      await drawer.getByRole('button', { name: '閉じる' }).click()
      await expect.element(change).toHaveFocus()
    }
    const revenue = row(/あさひ出版/).getByRole('button', { name: /\+10\.0%/ })
    await revenue.click()
    await closed(revenue)
    // One change of a row is reached by tabs, the others by arrows.
    await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
    const clicks = row(/あさひ出版/).getByRole('button', { name: /−16\.6%/ })
    await expect.element(clicks).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await closed(clicks)
    const total = row(/^合計/).getByRole('button', { name: /\+10\.0%/ })
    await total.click()
    await closed(total)
    const days = { from: '2026-11-01', to: '2026-11-07', compareWith: 'previous_period', mediumIds: ['3'] }
    const requested = operations.filter(({ name }) => name === 'ExplainChange').map(({ variables }) => variables.param)
    expect(requested).toEqual([
      { ...days, metric: 'publisherTotalRevenue', publisherIds: ['7'] },
      { ...days, metric: 'clicks', publisherIds: ['7'] },
      { ...days, metric: 'publisherTotalRevenue' },
    ])
    expect(row(/ID 8/).getByRole('button').elements()).toEqual([])
  })

  test('is ordered by change, and limited to what changed by so much; the address keeps it', async () => {
    const { operations, segments } = await show()
    await page.getByRole('combobox', { name: '並べ替えの基準' }).selectOptions('増減率')
    const least = page.getByRole('combobox', { name: '増減率の大きさ' })
    await least.selectOptions('20%以上')
    await expect.poll(() => segments.at(-1)).toBe(`${SEGMENT}&orderOf=percent&minChange=20`)
    await expect
      .poll(() => operations.filter(({ name }) => name === 'PublisherRanking').at(-1)?.variables)
      .toMatchObject({ orderBy: 'REVENUE_DESC', param: { orderOf: 'percent', minChange: 20 } })
    // Totals are of all publishers.
    await expect.element(row(/^合計/)).not.toBeInTheDocument()
    await page.getByRole('combobox', { name: '並べ替えの基準' }).selectOptions('増減')
    await expect.element(page.getByRole('combobox', { name: '増減の大きさ' })).toHaveValue('')
    await page.getByRole('combobox', { name: '増減の大きさ' }).selectOptions('10,000円以上')
    await expect.poll(() => segments.at(-1)).toBe(`${SEGMENT}&orderOf=difference&minChange=10000`)
    // What orders the list is what the cells show.
    await expect.element(row(/あさひ出版.*5,500.*増加 ?\+500/)).toBeVisible()
    await expectAccessible()
  })

  test('narrowed to a section: names it, says what is not included, and shows no zero for it', async () => {
    const section = {
      __typename: 'ArticleLabel',
      publisherId: '7',
      publisherName: 'あさひ出版',
      id: '40',
      name: '経済',
    }
    const { operations, segments } = await showReport({
      ...{ screen: publisherRankingRoute, segment: `${SEGMENT}&sectionId=40`, isStaff: true },
      answers: {
        PublisherRanking: answer,
        ReportLabels: { articleLabels: { total: 1, nodes: [section] } },
      },
      preferences: { 'columns/publisher-ranking': ['IMPRESSION', 'VIDEOWATCH', 'SSPREVENUE'] },
    })
    const filter = page.getByRole('button', { name: /^セクション.*経済$/ })
    await expect.element(filter).toBeVisible()
    const variablesOf = (name: string) => operations.filter(one => one.name === name).map(one => one.variables)
    expect(variablesOf('PublisherRanking').at(-1)).toMatchObject({ param: { sectionIds: ['40'] } })
    expect(variablesOf('ReportLabels')).toEqual([{ param: { kind: 'section', ids: ['40'] } }])
    await expect.element(page.getByText(/記事の数値だけ.*SSP.*動画.*含みません/)).toBeVisible()
    await expect.element(row(/あさひ出版.*2,000.*—.*—/)).toBeVisible()
    await expect.element(row(/^合計.*2,000.*—.*—/)).toBeVisible()
    // The articles keep the section; the dashboard does not know it.
    const address = (name: string) => page.getByRole('link', { name, exact: true })
    await expect
      .element(address('あさひ出版の記事'))
      .toHaveAttribute('href', `#/reports/articles/${SEGMENT}&compareWith=previous_period&publisherId=7&sectionId=40`)
    await expect
      .element(address('あさひ出版'))
      .toHaveAttribute('href', `#/reports/dashboard/${SEGMENT}&compareWith=previous_period&publisherId=7`)
    await expectAccessible()
    await filter.click()
    await page.getByRole('button', { name: 'すべて解除' }).click()
    await page.getByRole('button', { name: '適用' }).click()
    expect(segments).toEqual([SEGMENT])
  })

  test('nobody is new where nothing can be compared', async () => {
    const [first] = answer.ranking.nodes
    const nodes = [{ ...first!, previousRank: null, rankChange: null, compared: null }]
    const ranking = { ...answer.ranking, nodes, totals: { ...answer.ranking.totals, compared: null } }
    await showReport({
      ...{ screen: publisherRankingRoute, segment: SEGMENT, isStaff: true },
      answers: { PublisherRanking: { ranking } },
    })
    await expect.element(page.getByText('比較：比較できるデータがありません', { exact: false })).toBeVisible()
    await expect.element(page.getByText('初登場')).not.toBeInTheDocument()
  })

  test('leads to the dashboard, the articles and the videos of a publisher, with the same days and comparison', async () => {
    await show()
    const address = (name: string) => page.getByRole('link', { name, exact: true })
    const condition = `${SEGMENT}&compareWith=previous_period&publisherId=7`
    await expect.element(address('あさひ出版')).toHaveAttribute('href', `#/reports/dashboard/${condition}`)
    await expect.element(address('あさひ出版の記事')).toHaveAttribute('href', `#/reports/articles/${condition}`)
    await expect.element(address('あさひ出版の動画')).toHaveAttribute('href', `#/reports/video/${condition}`)
  })

  test('on a phone nothing of a card lies over its neighbour or outside', async () => {
    await page.viewport(390, 844)
    await show()
    await expect.element(page.getByRole('heading', { name: 'あさひ出版' })).toBeVisible()
    const cells = page
      .getByRole('definition')
      .elements()
      .map(cell => cell.getBoundingClientRect())
    expect(cells.length).toBeGreaterThan(10)
    for (const [index, cell] of cells.entries()) {
      expect(cell.right).toBeLessThanOrEqual(390)
      const neighbour = cells[index + 1]
      const isBeside = neighbour && neighbour.top < cell.bottom && neighbour.left > cell.left
      if (isBeside) expect(neighbour.left).toBeGreaterThanOrEqual(cell.right)
    }
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await page.viewport(1200, 800)
  })

  test('on a phone the filters are folded behind one button, which counts those in use', async () => {
    await page.viewport(390, 844)
    await show(`${SEGMENT}&mediumId=1&sectionId=31`)
    const button = page.getByRole('button', { name: '絞り込み（2）' })
    const medium = page.getByRole('button', { name: /^媒体/ })
    await expect.element(button).toBeVisible()
    await expect.element(medium).not.toBeInTheDocument()
    await button.click()
    await expect.element(medium).toBeVisible()
    await page.viewport(1200, 800)
  })

  test('sorts by what the server sorts by, and by nothing else', async () => {
    const { segments } = await show()
    await page.getByRole('button', { name: 'クリック数' }).click()
    await expect.poll(() => segments).toEqual([`${SEGMENT}&order=CLICK_DESC`])
    await expect.element(page.getByRole('columnheader', { name: '実効料率' })).toBeVisible()
    expect(page.getByRole('button', { name: '実効料率' }).elements()).toHaveLength(0)
  })
})

const OF = { __typename: 'ArticleLabel', publisherId: '12', publisherName: 'あさひ出版' }
const LABELS = [{ ...OF, id: '31', kind: 'author', name: '山田 花子' }]
const labelRow = (id: string, name: string | null, more: Parameters<typeof articleRow>[0] = {}) => {
  const label = { __typename: 'ArticleLabel', id, name }
  return articleRow({ articleId: null, title: null, label, articles: 3, ...more })
}

describe('articles', () => {
  const stats = (nodes: object[], totals: object | null = articleRow({ title: null })) => ({
    ArticlesReport: {
      stats: { total: nodes.length, dataUntil: '2026-11-06', lateMedia: [], filterLabels: LABELS, totals, nodes },
    },
  })

  test('while another order is on its way no row is drawn again', async () => {
    const answer = {
      stats: {
        total: 1,
        dataUntil: '2026-11-06',
        lateMedia: [],
        totals: null,
        filterLabels: [],
        nodes: [articleRow({})],
      },
    }
    const { operations } = await showReport({
      ...{ screen: articlesReportRoute, segment: SEGMENT, answers: { ArticlesReport: answer } },
      isUnanswered: ({ orderBy }) => orderBy === 'CTR_DESC',
    })
    await expect.element(page.getByRole('cell').first()).toBeVisible()
    const drawn = propsOf(page.getByRole('cell').elements())
    await page.getByRole('button', { name: 'クリック率', exact: true }).click()
    await expect.poll(() => operations.some(({ variables }) => variables.orderBy === 'CTR_DESC')).toBe(true)
    await expect.element(page.getByRole('table')).toHaveAttribute('aria-busy', 'true')
    expect(propsOf(page.getByRole('cell').elements()).map((props, at) => props === drawn[at])).not.toContain(false)
    // Otherwise the pointer rests where the next screen has a filter, whose choices would be asked for.
    await page.getByRole('heading', { name: '記事レポート' }).hover()
  })

  test('by period: hatched until they are final, with the state in words', async () => {
    const nodes = [
      articleRow({ date: '2026-11-01', articleId: null }),
      articleRow({ date: '2026-11-02', articleId: null, hasBeenFinalized: false }),
      articleRow({ date: '2026-11-03', articleId: null, isComplete: false, hasBeenFinalized: false }),
    ]
    await showReport({ screen: articlesReportRoute, segment: `${SEGMENT}&groupBy=date`, answers: stats(nodes) })
    await expect.element(row(/2026年11月1日.*確定/)).not.toHaveAttribute('data-provisional')
    await expect.element(row(/2026年11月2日.*速報/)).toHaveAttribute('data-provisional', 'true')
    await expect.element(row(/2026年11月3日.*集計中/)).toHaveAttribute('data-provisional', 'true')
    await expectAccessible()
  })

  test('by period: days without data have their rows, in words and without a zero', async () => {
    const dated = (date: string, impression: number) => articleRow({ date, articleId: null, impression })
    const nodes = [dated('2026-11-05', 5_550), dated('2026-11-03', 3_330), dated('2026-11-02', 9_990)]
    const days = () =>
      page
        .getByRole('rowheader')
        .elements()
        .flatMap(cell => /月(\d+)日/.exec(cell.textContent ?? '')?.[1] ?? [])
    const { ordered } = await showReport({
      ...{ screen: articlesReportRoute, segment: `${SEGMENT}&groupBy=date`, answers: stats(nodes) },
    })
    await expect.element(row(/2026年11月4日（水） データなし[ —]*$/)).toBeVisible()
    await expect.element(row(/2026年11月4日/)).not.toHaveAttribute('data-provisional')
    // Of the 7th nothing has arrived yet: data are there until the 6th.
    await expect.element(row(/2026年11月7日（土） 集計前[ —]*$/)).toBeVisible()
    expect(days()).toEqual(['7', '6', '5', '4', '3', '2', '1'])
    await expectAccessible()
    await page.getByRole('button', { name: '書き出し' }).click()
    await page.getByRole('button', { name: '7件を書き出す' }).click()
    await vi.waitFor(() => expect(ordered).toHaveLength(1))
  })

  test('by period in the order of a figure: what has none comes last', async () => {
    const nodes = ['2026-11-03', '2026-11-01'].map(date => articleRow({ date, articleId: null }))
    const segment = 'from=2026-11-01&to=2026-11-04&groupBy=date&dateOrder=IMPRESSION_ASC'
    await showReport({ screen: articlesReportRoute, segment, answers: stats(nodes) })
    await expect.element(row(/2026年11月4日/)).toBeVisible()
    expect(
      page
        .getByRole('rowheader')
        .elements()
        .flatMap(cell => /月(\d+)日/.exec(cell.textContent ?? '')?.[1] ?? []),
    ).toEqual(['3', '1', '2', '4'])
  })

  test('compared: a new article has nothing to compare with, which is not zero', async () => {
    const { impression, click, ctr, watch, publisherTotalRevenue, rpm, ...row600 } = articleRow({ click: 600 })
    const { engagedTime, averageEngagedTime, completions, completionRate } = row600
    const days = { from: '2026-10-25', to: '2026-10-27' }
    const compared = {
      __typename: 'ComparedArticleStats',
      ...days,
      impression,
      click,
      ctr,
      watch,
      publisherTotalRevenue,
      rpm,
      ...{ engagedTime, averageEngagedTime, completions, completionRate },
    }
    const nodes = [articleRow({ compared }), articleRow({ articleId: '6', title: '新しい記事' })]
    const segment = `${SEGMENT}&compareWith=same_weekdays`
    await showReport({ screen: articlesReportRoute, segment, answers: stats(nodes, articleRow({ compared })) })
    await expect.element(row(/秋の味覚.*678.*増加 ?\+13\.0%/)).toBeVisible()
    await expect.element(row(/新しい記事.*比較できるデータなし/)).toBeVisible()
    await expect.element(row(/^合計.*\+13\.0%/)).toBeVisible()
    await expectAccessible()
  })

  test('time and completions of reading are shown where a delivery had them, and are no zero elsewhere', async () => {
    const read = { averageEngagedTime: 83.9, completionRate: 0.4567, engagedTime: 41_950, completions: 228 }
    const nodes = [articleRow(read), articleRow({ articleId: '6', title: '計測のない記事' })]
    await showReport({
      ...{ screen: articlesReportRoute, segment: SEGMENT, answers: stats(nodes, articleRow(read)) },
      preferences: {
        'columns/articles': ['WATCH', 'AVERAGEENGAGEDTIME', 'COMPLETIONRATE', 'ENGAGEDTIME', 'COMPLETION'],
      },
    })
    await expect.element(row(/秋の味覚.*500.*1:23.*45\.6%.*11:39:10.*228/)).toBeVisible()
    await expect.element(row(/計測のない記事.*500 *— *— *— *—/)).toBeVisible()
    expect(headers().join()).toMatch(/平均閲読時間.*読了率.*閲読時間.*読了数/s)
    await expectAccessible()
  })

  const COMPARED = { ...articleRow({ impression: 12_000 }), from: '2026-10-25', to: '2026-10-31' }
  test.each([
    {
      ...{ what: 'an article', condition: 'title=味覚&feedId=9', node: articleRow({ compared: COMPARED }) },
      param: { contentIds: ['5'], title: '味覚', feedIds: ['9'] },
    },
    {
      ...{ what: 'an author', condition: 'groupBy=author&authorId=31,32' },
      ...{ node: labelRow('31', '山田 花子', { compared: COMPARED }), param: { authorIds: ['31'] } },
    },
    {
      ...{ what: 'a period', condition: 'groupBy=date' },
      node: articleRow({ articleId: null, date: '2026-11-03', compared: COMPARED }),
      param: { from: '2026-11-03', to: '2026-11-03', within: { from: '2026-11-01', to: '2026-11-07' } },
    },
  ])('the change of $what opens its reasons, with the filter of its row', async ({ condition, node, param }) => {
    const { operations } = await showReport({
      ...{ screen: articlesReportRoute, segment: `${SEGMENT}&compareWith=same_weekdays&${condition}` },
      answers: { ...stats([node]), ExplainChange: { explainChange: null } },
    })
    await row(/12,345.*\+2\.8%/)
      .first()
      .getByRole('button', { name: /\+2\.8%/ })
      .click()
    await expect.element(page.getByText(/^比較できるデータがありません/)).toBeVisible()
    expect(operations.find(({ name }) => name === 'ExplainChange')?.variables.param).toEqual({
      ...{ from: '2026-11-01', to: '2026-11-07', compareWith: 'same_weekdays' },
      ...{ of: 'article', metric: 'articleImpressions', ...param },
    })
    await page.getByRole('button', { name: '閉じる' }).click()
  })

  test('by change only where something is compared, and articles are listed', async () => {
    const basis = page.getByRole('combobox', { name: '並べ替えの基準' })
    const segment = `${SEGMENT}&compareWith=same_weekdays&orderOf=percent`
    const { operations } = await showReport({ screen: articlesReportRoute, segment, answers: stats([articleRow()]) })
    await expect.element(basis).toHaveValue('percent')
    expect(operations.find(({ name }) => name === 'ArticlesReport')?.variables.param).toMatchObject({
      orderOf: 'percent',
    })
    await page.getByRole('radio', { name: '著者別' }).click()
    await expect.element(basis).not.toBeInTheDocument()
    expect(operations.findLast(({ name }) => name === 'ArticlesReport')?.variables.param).not.toHaveProperty('orderOf')
  })

  test('articles without an author have changed, and no filter names them', async () => {
    const segment = `${SEGMENT}&compareWith=same_weekdays&groupBy=author`
    const nodes = [labelRow('0', null, { compared: COMPARED })]
    await showReport({ screen: articlesReportRoute, segment, answers: stats(nodes) })
    await expect.element(row(/未設定.*\+2\.8%/)).toBeVisible()
    expect(
      row(/未設定/)
        .getByRole('button')
        .elements(),
    ).toEqual([])
  })

  test('each names its publisher; one that is not known has its number', async () => {
    const nodes = [articleRow(), articleRow({ articleId: '6', title: '新しい記事', publisherName: null })]
    await showReport({ screen: articlesReportRoute, segment: SEGMENT, answers: stats(nodes) })
    await expect.element(row(/秋の味覚.*あさひ出版/)).toBeVisible()
    await expect.element(row(/新しい記事.*ID 12/)).toBeVisible()
  })

  test('by author: each leads to its articles, nobody adds the rows up, and the screen says why', async () => {
    const nodes = [labelRow('31', '山田 花子'), labelRow('0', null, { publisherId: null, publisherName: null })]
    const { ordered } = await showReport({
      ...{ screen: articlesReportRoute, segment: `${SEGMENT}&groupBy=author`, answers: stats(nodes) },
    })
    await expect.element(row(/山田 花子.*あさひ出版.*3.*12,345/)).toBeVisible()
    await expect.element(page.getByText('未設定', { exact: true })).toBeVisible()
    const link = page.getByRole('link', { name: '山田 花子' })
    await expect.element(link).toHaveAttribute('href', `#/reports/articles/${SEGMENT}&authorId=31`)
    await expect.element(page.getByText(/行を足すと、記事の合計より/)).toBeVisible()
    expect(row(/^合計/).elements()).toHaveLength(0)
    await expectAccessible()
    await page.getByRole('button', { name: '書き出し' }).click()
    await page.getByRole('button', { name: '2件を書き出す' }).click()
    await vi.waitFor(() =>
      expect(ordered[0]?.body).toMatchObject({
        ...{ report: 'articles', condition: `${SEGMENT}&groupBy=author` },
        columns: expect.arrayContaining(['label', 'publisher', 'articles', 'REVENUE']),
      }),
    )
  })

  test('by section: the rows are all articles, so that they have a total', async () => {
    const nodes = [labelRow('40', '国内'), labelRow('0', null)]
    await showReport({ screen: articlesReportRoute, segment: `${SEGMENT}&groupBy=section`, answers: stats(nodes) })
    await expect.element(row(/^合計/)).toBeVisible()
    expect(page.getByText(/記事の全体を数えます。行を足すと/).elements()).toHaveLength(0)
  })

  test('before anything was delivered the screen says how to deliver it', async () => {
    const segment = `${SEGMENT}&groupBy=tag`
    await showReport({ screen: articlesReportRoute, segment, isStaff: true, answers: stats([labelRow('0', null)]) })
    await expect.element(page.getByText(/「tags」の列を加えると、タグ別に表示します。/)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: '書き方を手引きで見る' }))
      .toHaveAttribute('href', `/docs/ingest.html#${encodeURIComponent('articles-記事')}`)
  })

  test('before anything was delivered a publisher does not see how staff delivers', async () => {
    const segment = `${SEGMENT}&groupBy=tag`
    await showReport({ screen: articlesReportRoute, segment, answers: stats([labelRow('0', null)]) })
    await expect.element(page.getByText('タグの情報がまだ届いていません。届くと、タグ別に表示します。')).toBeVisible()
  })

  test('narrowed to an author: says to whom, and lets go of it', async () => {
    const { operations, segments } = await showReport({
      ...{ screen: articlesReportRoute, segment: `${SEGMENT}&authorId=31`, answers: stats([articleRow()]) },
    })
    const filter = page.getByRole('button', { name: /^著者.*山田 花子$/ })
    await expect.element(filter).toBeVisible()
    expect(operations.find(one => one.name === 'ArticlesReport')?.variables.param).toMatchObject({ authorIds: ['31'] })
    // Its name came with the report.
    expect(operations.filter(one => one.name === 'ReportLabels')).toHaveLength(0)
    await page.viewport(390, 844)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await page.viewport(1200, 800)
    await filter.click()
    await page.getByRole('button', { name: 'すべて解除' }).click()
    await page.getByRole('button', { name: '適用' }).click()
    expect(segments).toEqual([SEGMENT])
  })

  test('tags are searched and chosen, ten at most; equal names say whose they are', async () => {
    const nodes = Array.from({ length: 12 }, (_, at) => ({ ...OF, id: String(50 + at), name: `タグ${at}` }))
    const foreign = { ...OF, id: '90', name: 'タグ0', publisherId: '13', publisherName: 'みなと新聞' }
    const found = { articleLabels: { total: 300, nodes: [...nodes, foreign] } }
    const { operations, segments } = await showReport({
      ...{ screen: articlesReportRoute, segment: `${SEGMENT}&publisherId=12,13` },
      answers: { ...stats([articleRow()]), ReportLabels: found },
    })
    await page.getByRole('button', { name: /^タグ.*すべて$/ }).click()
    await expect.element(page.getByRole('checkbox', { name: 'タグ0（みなと新聞）' })).toBeVisible()
    await expectAccessible()
    await page.getByRole('searchbox', { name: 'タグを検索' }).fill('タグ')
    const labelsRequested = () => operations.filter(one => one.name === 'ReportLabels').map(one => one.variables)
    await expect
      .poll(() => labelsRequested().at(-1))
      .toEqual({ q: 'タグ', param: { kind: 'tag', publisherIds: ['12', '13'] } })
    for (const at of nodes.keys()) {
      const box = page.getByRole('checkbox', { name: `タグ${at}（あさひ出版）` })
      if (at < 10) await box.click()
      else await expect.element(box).toBeDisabled()
    }
    await expect.element(page.getByText('10件まで選べます。')).toBeVisible()
    await page.getByRole('button', { name: '適用' }).click()
    const ids = nodes.slice(0, 10).map(({ id }) => id)
    expect(segments).toEqual([`${SEGMENT}&publisherId=12,13&tagId=${ids.join(',')}`])
  })

  test('without rows says what to do', async () => {
    await showReport({ screen: articlesReportRoute, segment: `${SEGMENT}&publisherId=9`, answers: stats([], null) })
    await expect.element(page.getByRole('heading', { name: '条件に合う記事がありません' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: '書き出し' })).toBeDisabled()
    await page.getByRole('button', { name: '絞り込みを解除' }).click()
    await expect.element(page.getByRole('heading', { name: 'この期間の記事のデータはありません' })).toBeVisible()
  })

  test('a long title is cut for the eye and whole on request', async () => {
    const title = 'とても長いタイトルの記事'.repeat(12)
    await showReport({ screen: articlesReportRoute, segment: SEGMENT, answers: stats([articleRow({ title })]) })
    await expect.element(page.getByTitle(title)).toBeVisible()
  })

  test('no other columns are requested of the server than a publisher may see', async () => {
    const { operations } = await showReport({
      ...{ screen: articlesReportRoute, segment: SEGMENT, answers: stats([articleRow()]) },
      preferences: { 'columns/articles': ['gross', 'effectiveRate', 'CTR'] },
    })
    await vi.waitFor(() => expect(headers()).toHaveLength(2))
    expect(operations.find(one => one.name === 'ArticlesReport')?.variables.withRevenueDetail).toBe(false)
  })
})

test('the article: its periods, its order in the address, its file', async () => {
  const nodes = [
    articleRow({ date: '2026-11-01' }),
    articleRow({ date: '2026-11-02', click: 900, hasBeenFinalized: false }),
  ]
  const totals = {
    ...articleRow(),
    demographics: [{ __typename: 'ClickDemographic', genderId: 1, ageId: 2, click: 5 }],
  }
  const { segments, ordered } = await showReport({
    ...{ screen: articleReportRoute, segment: SEGMENT, ids: { articleId: '5', publisherId: '12' } },
    answers: {
      ArticleReport: { stats: { total: 2, dataUntil: '2026-11-06', lateMedia: [], content: null, totals, nodes } },
    },
  })
  await expect.element(page.getByRole('heading', { name: '秋の味覚を楽しむ' })).toBeVisible()
  await expectAccessible()
  await page.getByRole('columnheader', { name: 'クリック数' }).getByRole('button').click()
  await expect.poll(() => segments).toEqual([`${SEGMENT}&order=CLICK_DESC`])
  await page.getByRole('button', { name: '書き出し' }).click()
  await page.getByRole('button', { name: '7件を書き出す' }).click()
  await vi.waitFor(() =>
    expect(ordered[0]?.body).toMatchObject({
      ...{ report: 'article', condition: `${SEGMENT}&order=CLICK_DESC`, itemId: '5', publisherId: '12' },
      columns: expect.arrayContaining(['DATE', 'state', 'CTR']),
    }),
  )
})

test('an article is named and leads to its publisher on days without data of it', async () => {
  const content = {
    ...{ __typename: 'ReportedArticle', title: '秋の味覚を楽しむ', url: 'https://example.jp/a', publisherId: '12' },
    ...{ publisherName: 'あさひ出版', mediumId: '1', publishedAt: '2026-10-20T03:00:00.000Z' },
  }
  const stats = { total: 0, dataUntil: '2026-11-06', lateMedia: [], content, totals: null, nodes: [] }
  await showReport({
    ...{ screen: articleReportRoute, segment: SEGMENT, ids: { articleId: '5', publisherId: '12' } },
    answers: { ArticleReport: { stats } },
  })
  await expect.element(page.getByRole('heading', { name: '秋の味覚を楽しむ' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'あさひ出版' })).toBeVisible()
  await expect.element(page.getByText('この期間に、この記事のデータはありません')).toBeVisible()
  await expectAccessible()
})

describe('videos', () => {
  const stats = {
    total: 1,
    dataUntil: '2026-11-06',
    lateMedia: [],
    totals: videoRow({ title: null }),
    nodes: [videoRow()],
  }

  test('show times as times, rates rounded down, and the length of the video', async () => {
    await showReport({ screen: videosReportRoute, segment: SEGMENT, answers: { VideosReport: { stats } } })
    await expect.element(row(/朝の体操.*02:05.*12:00:19.*00:48.*14\.4%/)).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: '97%再生率' }))
      .toHaveAccessibleDescription(/97%再生数 ÷ 再生数/)
    await expectAccessible()
  })

  test('the video: matrices, distribution, periods', async () => {
    const totals = {
      ...videoRow(),
      demographics: [{ __typename: 'VideoDemographic', genderId: 1, ageId: 2, click: 5, watch3s: 9 }],
      watchTimes: [{ __typename: 'VideoWatchTime', bucketId: 0, watch: 5 }],
    }
    await showReport({
      ...{ screen: videoReportRoute, segment: SEGMENT, ids: { videoId: '70', publisherId: '12' } },
      answers: {
        VideoReport: { stats: { ...stats, content: null, totals, nodes: [videoRow({ date: '2026-11-01' })] } },
      },
    })
    await expect.element(page.getByRole('heading', { name: '朝の体操' })).toBeVisible()
    await expect.element(row(/2026年11月1日.*確定.*1,000/)).toBeVisible()
    await expectAccessible()
  })
})
