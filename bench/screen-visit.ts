import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { BROWSER_ARGS } from '../tools/browser-args.ts'
import { findBrowser } from '../tools/ensure-browser.ts'
import { cpuOfProcess, treeOf } from './bench-server.ts'
import type { DemoServer } from './demo-server.ts'
import { FORGET_WATCHED, READ_WATCHED, WATCH_PAGE, type Watched } from './page-scripts.ts'

export interface Network {
  readonly latency: number
  readonly kbitDown: number
  readonly kbitUp: number
}

export const WAIT_MS = 60_000

export async function withBrowser<T>(
  server: DemoServer,
  more: readonly string[],
  work: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await chromium.launch({
    executablePath: findBrowser() ?? 'chromium',
    args: [
      ...BROWSER_ARGS,
      // Not "ignore all errors": what has a wrong certificate is never cached.
      `--ignore-certificate-errors-spki-list=${server.publicKeyHash}`,
      ...more,
    ],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

export type Session = Awaited<ReturnType<BrowserContext['storageState']>>

export async function signIn(browser: Browser, server: DemoServer): Promise<Session> {
  const context = await browser.newContext({ locale: 'ja-JP' })
  const page = await context.newPage()
  await page.goto(`${server.origin}/gpc/`)
  await page.getByLabel('メールアドレス').fill('insight.admin@example.jp')
  await page.getByLabel('パスワード', { exact: true }).fill(server.password)
  await page.getByRole('button', { name: 'サインイン', exact: true }).click()
  await page.getByRole('heading', { name: 'ダッシュボード' }).waitFor({ timeout: WAIT_MS })
  await confirmWarnings(page)
  // What a page remembers for the next start it has kept by now.
  await page.goto('about:blank')
  const state = await context.storageState()
  await context.close()
  return state
}

/** A warning that covers the screen would be what is measured. */
async function confirmWarnings(page: Page): Promise<void> {
  const warning = page.getByRole('alertdialog')
  const isThere = await warning
    .waitFor({ timeout: 3000 })
    .then(() => true)
    .catch(() => false)
  if (!isThere) return
  await warning.getByRole('button', { name: '確認しました' }).click()
  await warning.waitFor({ state: 'hidden' })
}

/**
 * A person who is signed in, with an empty cache. The system is warm: somebody has signed in and read the dashboard. In
 * front stands what a proxy is in production: TLS, and HTTP/2 where the browser speaks it; files come as brotli.
 */
export async function visit(
  browser: Browser,
  session: Session,
  network: Network | undefined,
  cpu: number,
  { hasOwnAnswers = false } = {},
) {
  const context = await browser.newContext({
    ...{ storageState: session, locale: 'ja-JP', timezoneId: 'Asia/Tokyo' },
    // Answers that the bench changes are fetched outside of the browser, which knows nothing of the front's certificate.
    ignoreHTTPSErrors: hasOwnAnswers,
    viewport: { width: 1440, height: 900 },
  })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await page.addInitScript({ content: WATCH_PAGE })
  if (network) {
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: (network.kbitDown * 1024) / 8,
      uploadThroughput: (network.kbitUp * 1024) / 8,
    })
  }
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  await untilQuiet()
  return { context, page, cdp }
}

const QUIET_MS = 200
const MAX_BUSY_MS = 10
const PATIENCE_MS = 5_000

/** A person's window is there already; here the browser works on its new one for a while, beside the page. */
async function untilQuiet(): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  let [before, now] = [Number.NEGATIVE_INFINITY, cpuBelow(process.pid)]
  while (now - before > MAX_BUSY_MS && performance.now() < until) {
    await new Promise(resolve => setTimeout(resolve, QUIET_MS))
    before = now
    now = cpuBelow(process.pid)
  }
}

/** In milliseconds; who has ended meanwhile counts as nothing. */
function cpuBelow(root: number): number {
  return treeOf(root)
    .filter(pid => pid !== root)
    .reduce((sum, pid) => sum + (cpuOfProcess(pid) || 0), 0)
}

export const read = (page: Page) => page.evaluate<Watched>(READ_WATCHED)
export const forget = (page: Page) => page.evaluate(FORGET_WATCHED)
