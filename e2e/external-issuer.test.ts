import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type LeastIssuer, startLeastIssuer } from '@pc/testing/system/least-issuer.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWatchedPage } from './account-pages.ts'
import { launchBrowser } from './console-visitor.ts'
import { AXE, SAY_VIOLATIONS } from './crawl-probes.ts'
import { type RunningSystem, startSystem } from './running-system.ts'

/**
 * An empty system whose people sign in at an external provider that sends neither an email address nor other claims.
 */
let provider: LeastIssuer
let system: RunningSystem
let browser: Browser
let context: BrowserContext
let page: Page
let problems: string[]
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-external-'))

beforeAll(async () => {
  system = await startSystem(dataDir, {
    isEmpty: true,
    settingsFor: async webOrigin => {
      provider = await startLeastIssuer(webOrigin)
      return {
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_STEP_UP_ACR: 'phr urn:company:gold',
      }
    },
  })
  browser = await launchBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await provider?.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  ;({ context, page, problems } = await openWatchedPage(browser))
})
afterEach(async () => {
  expect(problems).toEqual([])
  await context.close()
})

/** Signs in on the provider's own screen. */
async function signInAtProvider(account: string) {
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
async function expectAccessible() {
  const found = (await page.evaluate(
    `${AXE}; axe.run({ ${SAY_VIOLATIONS} }).then(result => result.violations.map(each => each.id))`,
  )) as string[]
  expect(found).toEqual([])
}
/** Screenshots for people: SHOTS_DIR=… npm run e2e. */
async function shot(name: string) {
  if (process.env.SHOTS_DIR) await page.screenshot({ path: path.join(process.env.SHOTS_DIR, `${name}.png`) })
}

describe('an issuer of somebody else', { timeout: 120_000 }, () => {
  it('gets the first administrator by the printed link, through its own sign-in, into the console', async () => {
    const link = /http:\S+#\/first-admin\/[\w-]{43}/.exec(system.output())?.[0] ?? ''
    await page.goto(link)
    await page.getByRole('heading', { name: '最初の管理者を登録します' }).waitFor()
    await expectAccessible()
    await shot('external-first-admin')
    await page.getByRole('button', { name: '会社のアカウントで続ける' }).click()
    await page.getByText('メールアドレスを入力してください。').waitFor()
    await page.getByLabel('メールアドレス').fill('boss@example.jp')
    await page.getByRole('button', { name: '会社のアカウントで続ける' }).click()
    // A person who cancels there can begin again: the link is still valid.
    await signInAtProvider('')
    await page.getByRole('heading', { name: '登録できませんでした' }).waitFor()
    await expectAccessible()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByLabel('メールアドレス').fill('boss@example.jp')
    await page.getByRole('button', { name: '会社のアカウントで続ける' }).click()
    await signInAtProvider('boss-1')
    // Straight into the console, with the address of our own table.
    const account = page.getByRole('button', { name: 'アカウント：boss@example.jp' })
    await account.waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/gpc/')
    await shot('external-console')
    // After a reload: silently, with the provider's own session.
    await page.reload()
    await account.waitFor()
    // Step-up: the provider asks again although the person is signed in there, and the person returns.
    await page.goto(`${system.webOrigin}/sso#/step-up/%2Fgpc%2F%23%2Fsettings`)
    await page.getByRole('heading', { name: '本人確認' }).waitFor()
    await expectAccessible()
    await shot('external-step-up')
    const request = page.waitForRequest(each => each.isNavigationRequest() && each.url().startsWith(provider.issuer))
    await page.getByRole('button', { name: '会社のアカウントで確認する' }).click()
    const { searchParams } = new URL((await request).url())
    expect(['prompt', 'max_age', 'acr_values'].map(name => searchParams.get(name))).toEqual([
      ...['login', '0', 'phr urn:company:gold'],
    ])
    await signInAtProvider('boss-1')
    await account.waitFor()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/settings')
    // Users and rights are a separate application, which redeems its own codes.
    await context.clearCookies()
    await page.goto(`${system.webOrigin}/iam/`)
    await page.getByRole('button', { name: '会社のアカウントで続ける' }).click()
    await signInAtProvider('boss-1')
    await page.getByRole('link', { name: 'boss@example.jp' }).click()
    await page.getByText('登録済み', { exact: true }).waitFor()
    await shot('external-user')
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('heading', { name: 'このリンクは使用できません' }).waitFor()
    await expectAccessible()
  })

  it('shows somebody without a link why the account opens nothing, and offers another one', async () => {
    await page.goto(`${system.webOrigin}/gpc/`)
    await page.getByRole('button', { name: '会社のアカウントで続ける' }).click()
    await signInAtProvider('stranger')
    await page.getByRole('heading', { name: 'このアカウントは登録されていません' }).waitFor()
    await expectAccessible()
    await shot('external-refused')
    await expect.poll(() => system.output()).toContain('"why":"not-registered"')
    await page.getByRole('button', { name: '別のアカウントでサインインする' }).click()
    await signInAtProvider('')
    await page.getByRole('heading', { name: 'サインインが完了しませんでした' }).waitFor()
  })
})
