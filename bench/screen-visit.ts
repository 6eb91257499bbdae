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
      // Instead of ignoring all certificate errors, because Chromium does not cache resources with an invalid
      // certificate.
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
  // Leaving the page makes it store what it keeps for the next start.
  await page.goto('about:blank')
  const state = await context.storageState()
  await context.close()
  return state
}

/** Closes warning dialogs, which would otherwise cover the measured screen. */
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
 * A new browser context of a signed-in person with an empty cache, on a warm system (somebody has read the dashboard
 * before). The front acts as a production proxy: TLS, HTTP/2 if the browser supports it, files as brotli.
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
    // Requests that the bench intercepts are sent outside of the browser, which would reject the certificate.
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

/**
 * Waits until the browser is idle: after opening a window it works for a while, which a person's window has behind it.
 */
async function untilQuiet(): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  let [before, now] = [Number.NEGATIVE_INFINITY, cpuBelow(process.pid)]
  while (now - before > MAX_BUSY_MS && performance.now() < until) {
    await new Promise(resolve => setTimeout(resolve, QUIET_MS))
    before = now
    now = cpuBelow(process.pid)
  }
}

/** Processor time of the process tree in milliseconds. Processes that have ended do not count. */
function cpuBelow(root: number): number {
  return treeOf(root)
    .filter(pid => pid !== root)
    .reduce((sum, pid) => sum + (cpuOfProcess(pid) || 0), 0)
}

export const read = (page: Page) => page.evaluate<Watched>(READ_WATCHED)
export const forget = (page: Page) => page.evaluate(FORGET_WATCHED)
