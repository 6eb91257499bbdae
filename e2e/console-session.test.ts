import { everyNth } from '@pc/testing/sample-size.ts'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

describe('coming back', () => {
  it('leads from a deep address through sign-in to that address', async () => {
    const { page, close } = await newVisitor(browser)
    await signIn(page, system, 'insight:viewer', '/gpc/#/reports/dashboard/granularity=weekly')
    expect(new URL(page.url()).hash).toBe('#/reports/dashboard/granularity=weekly')
    await page.getByRole('radio', { name: '週別' }).waitFor()
    expect(await page.getByRole('radio', { name: '週別' }).isChecked()).toBe(true)
    await close()
  })

  it.each(
    everyNth(
      ['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', '/%2F/evil.example'],
      5,
    ),
  )('goes to the console instead of %s', async target => {
    const { page, close } = await newVisitor(browser)
    await signIn(page, system, 'insight:viewer', `/sso#/signin/${encodeURIComponent(target)}`)
    expect(page.url().startsWith(`${system.webOrigin}/gpc/`)).toBe(true)
    await close()
  })

  it('asks to sign in again when the session ended elsewhere', async () => {
    const { page, context, close } = await newVisitor(browser)
    await signIn(page, system, 'insight:viewer')
    await page.getByText(/^集計済み/).waitFor()
    const second = await context.newPage()
    await second.goto(`${system.webOrigin}/gpc/`)
    await second.getByText(/^集計済み/).waitFor()
    // The slowest order: this tab is notified before the provider has ended the session, which it still finds.
    await context.route(/\/oidc\/session\/end/, async route => {
      await page.getByText('サインイン済みです').waitFor()
      await route.continue()
    })
    await second.getByRole('button', { name: /^アカウント/ }).click()
    await second.getByRole('button', { name: 'サインアウト' }).click()
    await second.waitForURL(url => url.pathname.startsWith('/sso'))
    await page.bringToFront()
    await page.waitForURL(url => url.pathname.startsWith('/sso'))
    await page.getByLabel('メールアドレス').waitFor()
    await close()
  })
})

/** What each kind of failure shows, with the response forged on the network of a real page. */
describe('the error catalogue', () => {
  const summaryOnly = (answer: (route: Route) => Promise<void>) => (route: Route) =>
    route.request().postData()?.includes('summaryStats') ? answer(route) : route.continue()
  const CORS = { 'access-control-allow-origin': system.webOrigin, 'access-control-allow-credentials': 'true' }
  const failing = (code: string, message: string) =>
    JSON.stringify({ data: null, errors: [{ message, extensions: { code } }] })
  const json = { ...CORS, 'content-type': 'application/json' }

  const rows: readonly (readonly [name: string, answer: (route: Route) => Promise<void>, toast: RegExp])[] = [
    [
      'BAD_REQUEST',
      route => route.fulfill({ headers: json, body: failing('BAD_REQUEST', '期間が逆です') }),
      /リクエストが不正です: 期間が逆です/,
    ],
    [
      'INTERNAL_SERVER_ERROR',
      route => route.fulfill({ headers: json, body: failing('INTERNAL_SERVER_ERROR', '受付番号 1') }),
      /サーバーエラーが発生しました: 受付番号 1/,
    ],
    [
      'FORBIDDEN',
      route => route.fulfill({ headers: json, body: failing('FORBIDDEN', 'この操作') }),
      /権限がありません: この操作/,
    ],
    ['no network', route => route.abort('connectionrefused'), /通信エラー/],
    [
      'status 500',
      route => route.fulfill({ status: 500, headers: CORS, body: 'x' }),
      /Response not successful: Received status code 500/,
    ],
    ['no JSON', route => route.fulfill({ headers: json, body: '<html>' }), /通信エラー/],
    [
      'neither data nor errors',
      route => route.fulfill({ headers: json, body: '{}' }),
      /Server response was missing for query/,
    ],
  ]
  it.each(rows)('%s', async (_name, answer, toast) => {
    const { page, close } = await newVisitor(browser)
    await page.route('**/query', summaryOnly(answer))
    await signIn(page, system, 'insight:viewer')
    await page.getByText(toast).first().waitFor()
    // Queried again: the same message replaces the first one.
    const isBottomLeft = async () => {
      const box = await page.getByText(toast).first().boundingBox()
      return box !== null && box.x < 720 && box.y > 450
    }
    await expect.poll(isBottomLeft, { message: 'toasts appear at the bottom left' }).toBe(true)
    await close()
  })

  it('FORBIDDEN on the policies: alert, sign-out, sign-in screen', async () => {
    const { page, close } = await newVisitor(browser)
    const alerts: string[] = []
    page.on('dialog', dialog => {
      alerts.push(dialog.message())
      void dialog.accept()
    })
    await page.route('**/query', route =>
      route.request().postData()?.includes('policies')
        ? route.fulfill({ headers: json, body: failing('forbidden', 'x') })
        : route.continue(),
    )
    await page.goto(`${system.webOrigin}/gpc/`)
    await page.getByLabel('メールアドレス').fill('insight.viewer@example.jp')
    await page.getByLabel('パスワード', { exact: true }).fill(system.password)
    await page.getByRole('button', { name: 'サインイン', exact: true }).click()
    await expect.poll(() => alerts, { timeout: 60_000 }).toEqual(['権限がありません'])
    await page.waitForURL(url => url.pathname.startsWith('/sso') && url.hash.startsWith('#/signin'))
    await close()
  })
})
