import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { waitUntilStable } from './crawl-probes.ts'
import { ownSystem } from './own-system.ts'

/** The first queries of a page, as the browser sends them (docs/adr/0013). */
const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

it.each([
  ['/reports/dashboard', ['Dashboard']],
  // With the chosen columns, which the rows wait for.
  ['/reports/articles', ['ArticlesReport', 'ScreenSettings']],
  ['/reports/publisher-ranking', ['PublisherRanking', 'ScreenSettings']],
  ['/reports/video', ['VideosReport', 'ScreenSettings']],
  ['/reports/articles/…', ['ArticleReport', 'ScreenSettings']],
  ['/reports/video/…', ['VideoReport', 'ScreenSettings']],
])('%s: what the screen waits for waits for no policy, and nothing is sent twice', async (path, ofScreen) => {
  const { page, close, problems } = await newVisitor(browser)
  await signIn(page, system, 'insight:viewer')
  await waitUntilStable(page)
  const address = path.endsWith('/…') ? await firstOf(page, path.slice(0, -2)) : path
  const sent: string[] = []
  const nameOf = (request: Request) => /"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1]
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/query')) sent.push(request.postData() ?? '')
  })
  // The policies are held back until the screen's query has been sent.
  let isScreenRequested = () => {}
  const screenRequested = new Promise<void>(resolve => {
    isScreenRequested = resolve
  })
  await page.route('**/query', async route => {
    const name = nameOf(route.request())
    if (name === ofScreen.at(-1)) isScreenRequested()
    if (name === 'ViewerPolicies') await screenRequested
    await route.continue()
  })
  await page.goto('about:blank')
  await page.goto(`${system.webOrigin}/gpc/#${address}`)
  await page.getByText('集計済み').first().waitFor()
  await waitUntilStable(page)
  const operations = sent.map(body => /"operationName":"(\w+)"/.exec(body)?.[1])
  const first = ['ViewerUser', 'ViewerPolicies', 'ViewerAgreements', ...ofScreen]
  expect(operations.slice(0, first.length).toSorted()).toEqual(first.toSorted())
  for (const name of first) expect(operations.filter(one => one === name)).toEqual([name])
  expect(sent.filter((body, at) => sent.indexOf(body) !== at)).toEqual([])
  expect(problems).toEqual([])
  await close()
})

/** The address of the first content in a list. */
async function firstOf(page: Page, list: string): Promise<string> {
  await page.goto(`${system.webOrigin}/gpc/#${list}`)
  const href = await page.locator(`a[href*="#${list}/"]`).first().getAttribute('href')
  return href!.slice(href!.indexOf('#') + 1)
}
