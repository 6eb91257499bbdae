import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const LINE = 'サーバーに接続できません。つながると、自動で読み込みます。'
const WAYS: readonly (readonly [string, (context: BrowserContext) => Promise<() => Promise<void>>])[] = [
  [
    'the device is in no network',
    async context => {
      await context.setOffline(true)
      return () => context.setOffline(false)
    },
  ],
  [
    'no server answers',
    async context => {
      await context.route('**/*', route => route.abort('connectionrefused'))
      return () => context.unroute('**/*')
    },
  ],
]

/** Loaded soon after the first screen, and again after a reload. */
const HELPER_IS_THERE = `performance.getEntriesByType('resource')
  .some(({ name, responseEnd }) => name.includes('/assets/connection-') && responseEnd > 0)`
const helperIsThere = (page: Page) => expect.poll(() => page.evaluate(HELPER_IS_THERE), { timeout: 60_000 }).toBe(true)

it.each(WAYS)('%s: one line, few requests, and everything comes back', async (_name, cut) => {
  const { page, context, close } = await newVisitor(browser)
  await signIn(page, system, 'insight:viewer')
  await page.getByText(/^集計済み/).waitFor()
  await helperIsThere(page)
  let requests = 0
  page.on('request', () => {
    requests += 1
  })

  // Code: a screen that has not been loaded yet.
  let join = await cut(context)
  await page.evaluate(`location.hash = '#/managements/articles'`)
  await page.getByText(LINE).waitFor()
  await page.getByRole('heading', { level: 1, name: '記事' }).waitFor()
  await page.getByText('通信エラー').waitFor({ state: 'hidden' })
  expect(requests).toBeLessThan(40)
  await join()
  await page.getByRole('searchbox').first().waitFor()
  await page.getByText(LINE).waitFor({ state: 'detached' })

  // Data: a screen whose code is loaded.
  await page.evaluate(`location.hash = '#/reports/dashboard'`)
  await page.getByText(/^集計済み/).waitFor()
  await helperIsThere(page)
  requests = 0
  join = await cut(context)
  await page.getByRole('radio', { name: '月別' }).check({ force: true })
  await page.getByText(LINE).waitFor()
  expect(requests).toBeLessThan(40)
  await join()
  await page.getByText(LINE).waitFor({ state: 'detached' })
  await page.getByText('データを読み込めませんでした').waitFor({ state: 'hidden' })
  expect(await page.getByRole('radio', { name: '月別' }).isChecked()).toBe(true)
  await close()
})
