import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core'
import { BROWSER_ARGS } from '../tools/browser-args.ts'
import { findBrowser } from '../tools/ensure-browser.ts'
import type { SystemAddress } from './running-system.ts'

/** Starts the browser of this machine, without a window. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser() ?? 'chromium', args: [...BROWSER_ARGS] })
}

/** A person with a browser context of their own. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of the console and the page so far; a healthy visit has none. */
  readonly problems: readonly string[]
  close(): Promise<void>
}

/** A new person, signed in nowhere; the size of the window is in pixels. */
export async function newVisitor(browser: Browser, width = 1440, height = 900): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width, height }, locale: 'ja-JP', timezoneId: 'Asia/Tokyo' })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', message => {
    // The browser's own message names neither the operation nor the refusal; the response handler below reports both.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  page.on('response', response => {
    if (response.status() >= 400) problems.push(failureOf(response))
  })
  page.on('pageerror', error => problems.push(String(error)))
  // A user invited during the tests has to confirm the announced warning.
  const warning = page.getByRole('alertdialog', { name: 'システムメンテナンスのお知らせ' })
  await page.addLocatorHandler(warning, () => warning.getByRole('button', { name: '確認しました' }).click())
  return { context, page, problems, close: () => context.close() }
}

/** `400 of the operation Publishers`, or `404 of /gpc/x.js`. */
function failureOf(response: Response): string {
  const operation = /"operationName":"(\w+)"|\b(?:query|mutation) (\w+)/.exec(response.request().postData() ?? '')
  const name = operation?.[1] ?? operation?.[2]
  return `${response.status()} of ${name ? `the operation ${name}` : new URL(response.url()).pathname}`
}

/** Email address of the demonstration user of a role: `insight:admin` → `insight.admin@example.jp`. */
export function emailOf(role: string): string {
  return `${role.replace(':', '.')}@example.jp`
}

/** Opens an application signed out and signs in with the form. */
export async function signIn(page: Page, system: SystemAddress, role: string, path = '/gpc/'): Promise<void> {
  await page.goto(system.webOrigin + path)
  await signInAs(page, emailOf(role), system.password, path.startsWith('/iam/') ? '/iam/' : '/gpc/')
}

/**
 * Fills in the form of the open sign-in screen.
 * @param app the application that the person wanted to open
 */
export async function signInAs(page: Page, email: string, password: string, app = '/gpc/'): Promise<void> {
  await page.getByLabel('メールアドレス').fill(email)
  await page.getByLabel('パスワード', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'サインイン', exact: true }).click()
  await page.waitForURL(url => url.pathname.startsWith(app))
  // On a narrow screen the menu is collapsed, so hidden elements count.
  await page.getByRole('navigation', { name: 'メインメニュー', includeHidden: true }).waitFor({ state: 'attached' })
}
