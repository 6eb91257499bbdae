import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { FIRST_LOAD_BUDGET, measureFirstLoad, sizeOfFiles } from '../tools/first-load.ts'
import { type DemoServer, startDemoServer } from './demo-server.ts'
import { paintsOver, rowsFigures } from './measure-paints.ts'
import { NEXT_PAINTS, SCROLL_THROUGH } from './page-scripts.ts'
import { timesOf } from './run-times.ts'
import type { ScreenFigure } from './screen-figure.ts'
import { forget, read, type Session, signIn, visit, WAIT_MS, withBrowser } from './screen-visit.ts'

const SLOWER = 4
const TRACED = ['toplevel', 'disabled-by-default-devtools.timeline']
const ROWS = 10_000
/** Visits for each figure, because a single one varies: the same build takes from 100 to 180 ms for the same press. */
const PRESSED_VISITS = 5
const TRACED_VISITS = 3

/**
 * Measures the sizes of the built console, and its screens in a real Chromium over a system with demonstration data.
 */
export async function measureScreens(dataDir: string, port: number, say: (text: string) => void) {
  say('a system with demonstration data …')
  const server = await startDemoServer(path.join(dataDir, 'bench', 'screens'), port)
  try {
    const sizes = sizeFigures()
    const older = await withBrowser(server, ['--disable-http2'], async browser => {
      say('first paint over HTTP/1.1 …')
      return paintsOver('HTTP/1.1', browser, server, await signIn(browser, server))
    })
    return await withBrowser(server, [], async browser => {
      const session = await signIn(browser, server)
      say('first paint over HTTP/2 …')
      const loads = await paintsOver('HTTP/2', browser, server, session, { slow: 2000, tenMbps: 600 })
      const loaded = await landingFigures(browser, server, session)
      say('100 rows …')
      const rows = await rowsFigures(browser, server, session)
      say('interactions …')
      const interactions = [
        ...(await medianFigures(PRESSED_VISITS, () => interactionFigures(browser, server, session, false))),
        ...(await medianFigures(TRACED_VISITS, () => interactionFigures(browser, server, session, true))),
      ]
      say(`scrolling ${ROWS} rows …`)
      const scrolling = [...(await scrollFigures(browser, server, session))]
      return [...sizes, ...loaded, ...loads, ...older, ...rows, ...interactions, ...scrolling]
    })
  } finally {
    await server.stop()
  }
}

function sizeFigures(): ScreenFigure[] {
  const { entry, landing, forms, further } = measureFirstLoad()
  const figure = (name: string, bytes: number, budget?: number): ScreenFigure => ({
    ...{ name, value: bytes / 1024, unit: 'KB' },
    target: budget === undefined ? undefined : budget / 1024,
  })
  return [
    figure('JS that asks who is signed in, gzip', entry.jsBytes, FIRST_LOAD_BUDGET.entry),
    figure('JS of the landing route, gzip', landing.jsBytes, FIRST_LOAD_BUDGET.landing),
    figure('CSS of the landing route, gzip', landing.cssBytes, FIRST_LOAD_BUDGET.landingCss),
    figure('JS that all forms share, loaded with the first one, gzip', forms.jsBytes, FIRST_LOAD_BUDGET.forms),
    ...further.map(({ route, isForm, jsBytes }) =>
      figure(
        isForm ? `JS that ${route} adds to the parts of forms, gzip` : `JS that ${route} adds, gzip`,
        jsBytes,
        FIRST_LOAD_BUDGET.further,
      ),
    ),
    ...further
      .filter(({ isForm }) => isForm)
      .map(({ route, jsBytes }) => figure(`JS of ${route} as the first form, gzip`, jsBytes + forms.jsBytes)),
  ]
}

/** Transfers of a browser with an empty cache for the dashboard, until the network was idle for half a second. */
async function landingFigures(browser: Browser, server: DemoServer, session: Session): Promise<ScreenFigure[]> {
  const { context, page } = await visit(browser, session, undefined, 1)
  const addresses: string[] = []
  context.on('request', request => addresses.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(`${server.origin}/gpc/#/reports/dashboard`)
  await page.getByRole('heading', { name: 'ダッシュボード' }).waitFor({ timeout: WAIT_MS })
  await page.waitForLoadState('networkidle')
  await context.close()
  const scripts = new Set(addresses.flatMap(each => /\/gpc\/(.+\.js)$/.exec(each)?.[1] ?? []))
  return [
    {
      ...{ name: 'JS that the browser loads until the landing page is quiet, gzip', unit: 'KB', target: 180 },
      value: sizeOfFiles(scripts) / 1024,
    },
    {
      ...{ name: 'requests until the landing page is quiet', unit: '', target: 25 },
      value: addresses.length,
    },
  ]
}

/** Median of each figure over several visits. */
async function medianFigures(visits: number, measure: () => Promise<ScreenFigure[]>): Promise<ScreenFigure[]> {
  const measured: ScreenFigure[][] = []
  for (let run = 0; run < visits; run += 1) measured.push(await measure())
  return measured[0]!.map((figure, index) => ({
    ...figure,
    name: `${figure.name}, median of ${visits}`,
    value: timesOf(measured.map(figures => figures[index]!.value)).p50,
  }))
}

/**
 * @param isTraced true: processor time of the longest task at full speed, times four, which other load does not change;
 *   false: time from the press to the next paint with a throttled processor
 */
async function interactionFigures(
  browser: Browser,
  server: DemoServer,
  session: Session,
  isTraced: boolean,
): Promise<ScreenFigure[]> {
  const { context, page } = await visit(browser, session, undefined, isTraced ? 1 : SLOWER)
  const figures: ScreenFigure[] = []
  const measure = async (name: string, act: () => Promise<unknown>) => {
    await page.waitForLoadState('networkidle')
    await forget(page)
    if (isTraced) await browser.startTracing(page, { categories: TRACED })
    await act()
    await page.waitForLoadState('networkidle')
    await nextPaints(page)
    const value = isTraced
      ? SLOWER * longestTaskCpuMs(await browser.stopTracing())
      : Math.max(0, ...(await read(page)).events)
    const what = isTraced ? `${SLOWER} × processor time of the longest task` : `INP, ${SLOWER}× CPU`
    figures.push({ name: `${what}: ${name}`, value, unit: 'ms', target: 100 })
  }
  const open = async (address: string, row: RegExp) => {
    await page.goto(`${server.origin}/gpc/#${address}`)
    await page.getByRole('row', { name: row }).first().waitFor({ timeout: WAIT_MS })
  }
  await open('/reports/articles', /円|%/)
  await measure('articles, compare', async () => {
    await page.getByLabel('比較').focus()
    await page.keyboard.press('ArrowDown')
  })
  await measure('articles, sort', () => page.getByRole('button', { name: 'クリック数', exact: true }).click())
  await measure('articles, filter by title', () =>
    page.getByLabel('タイトルで絞り込む').pressSequentially('AI', { delay: 80 }),
  )
  await measure('articles, open the columns', () => page.getByRole('button', { name: '表示項目' }).click())
  await page.keyboard.press('Escape')
  await open('/reports/dashboard', /合計/)
  await measure('dashboard, weekly', () => page.getByText('週別', { exact: true }).click())
  await measure('dashboard, open the period', () => page.getByRole('button', { name: /集計期間/ }).click())
  await page.keyboard.press('Escape')
  await open('/histories/payments-by-agreement', /月/)
  await measure('payments, open the explanation of an amount', () =>
    page.locator('tbody td.num button').first().click(),
  )
  await context.close()
  return figures
}

const nextPaints = (page: Page) => page.evaluate(NEXT_PAINTS)

/** Scrolls the article report with its answer repeated to 10,000 rows, more than the API sends at once. */
async function scrollFigures(browser: Browser, server: DemoServer, session: Session): Promise<ScreenFigure[]> {
  const { context, page } = await visit(browser, session, undefined, 1, { hasOwnAnswers: true })
  await page.route('**/query', async route => {
    if (route.request().method() !== 'POST') return route.continue()
    const answer = await route.fetch()
    const body = (await answer.json()) as { data?: { stats?: { nodes?: readonly Node[] } } }
    const nodes = body.data?.stats?.nodes
    if (!route.request().postData()?.includes('ArticlesReport') || !nodes?.length)
      return route.fulfill({ response: answer })
    const many = Array.from({ length: ROWS }, (_, index) => repeated(nodes[index % nodes.length]!, index))
    return route.fulfill({
      response: answer,
      json: { ...body, data: { ...body.data, stats: { ...body.data!.stats, nodes: many } } },
    })
  })
  await page.goto(`${server.origin}/gpc/#/reports/articles`)
  await page
    .locator(`table[aria-rowcount="${ROWS + 1}"] tr[data-spacer]`)
    .first()
    .waitFor({ state: 'attached', timeout: WAIT_MS })
  await page.waitForLoadState('networkidle')
  await nextPaints(page)
  await forget(page)
  await browser.startTracing(page, { categories: TRACED })
  const frames = await page.evaluate<number[]>(SCROLL_THROUGH)
  const longestCpu = longestTaskCpuMs(await browser.stopTracing())
  const { longest } = await read(page)
  await context.close()
  const during = `while scrolling ${ROWS} rows`
  return [
    { name: `longest task ${during}, processor time`, value: longestCpu, unit: 'ms', target: 50 },
    { name: `longest task ${during} (0: none of 50 ms)`, value: longest, unit: 'ms', target: 50 },
    { name: `95 % of frames ${during} within`, value: timesOf(frames).p95, unit: 'ms', target: undefined },
  ]
}

/** Longest task of the page's main thread by processor time, so that other load does not count. */
function longestTaskCpuMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: readonly TraceEvent[] }
  const mainThreads = new Set(
    traceEvents
      .filter(each => each.name === 'thread_name' && each.args?.name === 'CrRendererMain')
      .map(each => `${each.pid} ${each.tid}`),
  )
  const tasks = traceEvents.filter(
    each => each.name.endsWith('RunTask') && each.tdur !== undefined && mainThreads.has(`${each.pid} ${each.tid}`),
  )
  return tasks.length === 0 ? Number.NaN : tasks.reduce((most, each) => Math.max(most, each.tdur ?? 0), 0) / 1000
}

/** Times in microseconds; `tdur` is processor time of the thread. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

interface Node {
  readonly articleId?: string
}

function repeated(node: Node, index: number): Node {
  return node.articleId === undefined ? node : { ...node, articleId: String(100_000_000 + index) }
}

export function printScreens(figures: readonly ScreenFigure[]): string {
  const number = ({ unit }: ScreenFigure, value: number) =>
    unit === 'ms' ? value.toFixed(0) : unit === 'KB' ? value.toFixed(1) : value.toFixed(3)
  const width = Math.max(...figures.map(({ name }) => name.length))
  const load = `load of the machine: ${os
    .loadavg()
    .map(each => each.toFixed(1))
    .join(' ')} on ${os.cpus().length} processors`
  const lines = figures.map(figure => {
    const { name, value, unit, target } = figure
    const verdict = target === undefined ? '' : `  target ${target} ${unit}  ${value <= target ? 'met' : 'MISSED'}`
    return `${name.padEnd(width)}  ${number(figure, value).padStart(8)} ${unit.padEnd(2)}${verdict}`
  })
  return [...lines, load].join('\n')
}
