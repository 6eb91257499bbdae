import path from 'node:path'
import { makeFirstAdminLink } from '@pc/features/sign-in/server/first-admin.ts'
import { everyNth } from '@pc/testing/sample-size.ts'
import { HOSTILE_PATH_KINDS } from '@pc/testing/system/hostile-paths.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { consoleClient } from '@pc/testing/system/oidc-client.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accountPages, openWatchedPage } from './account-pages.ts'
import { launchBrowser } from './console-visitor.ts'
import { AXE, SAY_VIOLATIONS } from './crawl-probes.ts'

const PASSWORD = '正しい馬の電池とホチキス'

let db: TestDatabase
let server: IdentityServer
let browser: Browser
let context: BrowserContext
let page: Page
let problems: string[]

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database, { pages: accountPages })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  expect(server?.faults).toEqual([])
  await server?.close()
  await db?.drop()
})

beforeEach(async () => {
  ;({ context, page, problems } = await openWatchedPage(browser))
})
afterEach(async () => {
  expect(problems).toEqual([])
  await context.close()
})

const at = (route: string) => page.goto(`${server.origin}/sso/${route}`)
async function fillSignIn(email = 'taro@example.jp', password = PASSWORD) {
  await page.getByLabel('メールアドレス').fill(email)
  await page.getByLabel('パスワード', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}
async function signIn(route = '#/signin') {
  await at(route)
  await fillSignIn()
}
/** Polls, because events of a navigation that a script began are sometimes missed. */
async function arriveAt(address: string | RegExp) {
  const isThere = (url: string) => (typeof address === 'string' ? url === address : address.test(url))
  await expect.poll(() => isThere(page.url()), { message: String(address) }).toBe(true)
  await page.waitForLoadState()
}
async function expectAccessible() {
  const found = (await page.evaluate(
    `${AXE}; axe.run({ ${SAY_VIOLATIONS} }).then(result => result.violations.map(each => each.id + ': ' + each.nodes.map(node => node.html).join(' ')))`,
  )) as string[]
  expect(found).toEqual([])
}
/** Screenshots for people: SHOTS_DIR=… npm run e2e. */
async function shot(name: string) {
  if (process.env.SHOTS_DIR) await page.screenshot({ path: path.join(process.env.SHOTS_DIR, `${name}.png`) })
}

describe('an empty system', () => {
  it('gets its first administrator by the link that was printed', async () => {
    const link = (await makeFirstAdminLink(db.database, server.origin)) ?? ''
    await at('#/signin')
    await page.getByRole('complementary', { name: '最初の管理者の登録' }).waitFor()
    await expectAccessible()
    await page.goto(link.replace('/sso#', '/sso/#'))
    await page.getByRole('heading', { name: '最初の管理者を登録します' }).waitFor()
    await expectAccessible()
    await shot('first-admin')
    await page.getByLabel('メールアドレス').fill('boss')
    await page.getByLabel('パスワード', { exact: true }).fill('short')
    await page.keyboard.press('Enter')
    await page.getByText(/^メールアドレスの形式/).waitFor()
    await page.getByText('パスワードは10文字以上で入力してください。').waitFor()
    await page.getByLabel('メールアドレス').fill('boss@example.jp')
    await page.getByLabel('パスワード', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await arriveAt(`${server.origin}/gpc/`)
    await page.goto(link.replace('/sso#', '/sso/#'))
    await fillSignIn('again@example.jp')
    await page.getByText('このリンクは使用できません').waitFor()
    await addUser(db.database, { email: 'taro@example.jp', password: PASSWORD })
  })
})

describe('signing in', () => {
  it('shows what is wrong at the field, then leads to the requested path', async () => {
    await at(`#/signin/${encodeURIComponent('/gpc/#/reports/articles/month=2026-10')}`)
    await page.getByRole('heading', { name: 'サインイン' }).waitFor()
    expect(await page.title()).toBe('サインイン - Publisher Center')
    await expectAccessible()
    await shot('sign-in')
    await page.getByRole('button', { name: 'サインイン' }).click()
    await page.getByText('メールアドレスを入力してください。').waitFor()
    await page.getByText('パスワードを入力してください。').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email')
    await expectAccessible()
    await fillSignIn('taro@example.jp', 'wrong')
    await page.getByRole('alert').getByText('メールアドレスまたはパスワードが違います').waitFor()
    await shot('sign-in-wrong')
    await fillSignIn()
    await arriveAt(`${server.origin}/gpc/#/reports/articles/month=2026-10`)
  })

  it('leads home from every hostile path, before signing in and after', { timeout: 180_000 }, async () => {
    const outside: string[] = []
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame() && !frame.url().startsWith(server.origin) && frame.url() !== 'about:blank')
        outside.push(frame.url())
    })
    page.on('dialog', dialog => {
      outside.push(dialog.message())
      void dialog.dismiss()
    })
    // Fewer paths through the form than for a person who is signed in already.
    for (const path of everyNth(
      HOSTILE_PATH_KINDS.filter((_, n) => n % 6 === 0),
      8,
    )) {
      await context.clearCookies()
      await page.goto('about:blank')
      await signIn(`#/signin/${encodeURIComponent(path)}`)
      await arriveAt(`${server.origin}/gpc/`)
    }
    for (const [n, path] of everyNth(HOSTILE_PATH_KINDS, 13).entries()) {
      const once = encodeURIComponent(path)
      await page.goto('about:blank')
      await at(`#/signin/${n % 2 === 0 ? once : encodeURIComponent(once)}`)
      expect(await page.getByRole('link', { name: '続ける' }).getAttribute('href'), path).toBe('/gpc/')
    }
    expect(outside).toEqual([])
  })

  it('shows the password on demand, warns of Caps Lock, and leaves Enter to the input method', async () => {
    await at('#/signin')
    const password = page.getByLabel('パスワード', { exact: true })
    await password.fill('secret')
    await expect.poll(() => password.getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'パスワードを表示する' }).click()
    await expect.poll(() => password.getAttribute('type')).toBe('text')
    await expect.poll(() => password.inputValue()).toBe('secret')
    const press = (init: object) =>
      page.evaluate(
        `document.querySelector('[name=password]').dispatchEvent(
          new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...${JSON.stringify(init)} }))`,
      )
    expect(await press({ key: 'Enter', isComposing: true })).toBe(false)
    expect(await press({ key: 'Enter' })).toBe(true)
    await press({ key: 'A', modifierCapsLock: true })
    await page.getByText('Caps Lock がオンになっています。').waitFor()
    for (const [name, value] of [
      ['email', 'username'],
      ['password', 'current-password'],
    ]) {
      expect(await page.locator(`input[name=${name}]`).getAttribute('autocomplete')).toBe(value)
    }
  })

  it('continues an authorisation request, and says clearly when it has expired', async () => {
    const client = consoleClient(server.origin)
    const request = await client.createSigninRequest({ nonce: 'n' })
    await page.goto(request.url)
    await page.getByRole('heading', { name: 'サインイン' }).waitFor()
    await fillSignIn()
    await arriveAt(/\/gpc\/callback\?code=/)
    expect((await client.processSigninResponse(page.url())).id_token).toBeTruthy()

    await page.goto((await client.createSigninRequest({ nonce: 'n', prompt: 'login' })).url)
    await page.getByRole('heading', { name: 'サインイン' }).waitFor()
    await context.clearCookies({ name: /interaction/ })
    await fillSignIn()
    await page.getByRole('heading', { name: 'はじめからやり直してください' }).waitFor()
    expect(await page.getByRole('link', { name: 'Publisher Center を開く' }).getAttribute('href')).toBe('/gpc/')
    await expectAccessible()
    await shot('expired')
  })

  it('is repeated silently in a hidden frame of the console, and nothing else can be framed', async () => {
    await signIn()
    await arriveAt(`${server.origin}/gpc/`)
    const client = consoleClient(server.origin, '/gpc/silent-callback')
    const request = await client.createSigninRequest({ nonce: 'n', prompt: 'none' })
    const inFrame = (address: string) =>
      page.evaluate(`new Promise(resolve => {
        const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(address)}, hidden: true })
        frame.onload = () => {
          try { resolve(frame.contentWindow.location.href) } catch { resolve('blocked') }
        }
        document.body.append(frame)
      })`) as Promise<string>
    const landed = await inFrame(request.url)
    expect((await client.processSigninResponse(landed)).id_token).toBeTruthy()
    for (const framed of ['/sso/', '/gpc/'])
      expect(await inFrame(server.origin + framed)).toMatch(/blocked|chrome-error/)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.every(text => /frame-ancestors|X-Frame-Options|Framing/.test(text))).toBe(true)
    problems.length = 0
  })
})

describe('the account', () => {
  it('enters the password first, then the password is changed', async () => {
    await at('#/change-pass')
    await arriveAt(/#\/signin\/%2Fsso%2F%23%2Fchange-pass$/)
    await fillSignIn()
    await page.getByRole('heading', { name: 'パスワードの変更' }).waitFor()
    await expectAccessible()
    await shot('change-pass')
    await page.getByLabel('現在のパスワード', { exact: true }).fill('wrong')
    await page.getByLabel('新しいパスワード', { exact: true }).fill('とても長い新しい合い言葉です')
    await page.keyboard.press('Enter')
    await page.getByText('現在のパスワードが違います。').waitFor()
    await page.getByLabel('現在のパスワード', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'パスワードを変更する' }).click()
    await page.getByRole('heading', { name: 'パスワードを変更しました' }).waitFor()
    await page.reload()
    await page.getByLabel('現在のパスワード', { exact: true }).fill('とても長い新しい合い言葉です')
    await page.getByLabel('新しいパスワード', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'パスワードを変更しました' }).waitFor()
  })

  it('gets a new address by a confirmed mail', async () => {
    await signIn('#/change-email')
    await page.getByLabel('新しいメールアドレス').fill('nonsense')
    await page.keyboard.press('Enter')
    await page.getByText('メールアドレスの形式が正しくありません').waitFor()
    await expectAccessible()
    await shot('change-email')
    await page.getByLabel('新しいメールアドレス').fill('taro2@example.jp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '確認メールを送信しました' }).waitFor()
    const link = /http\S+/.exec(server.mails.at(-1)?.text ?? '')?.[0] ?? ''
    await page.goto('about:blank')
    await page.goto(link.replace('/sso#', '/sso/#'))
    await page.getByRole('button', { name: '変更を確定する' }).click()
    await page.getByRole('heading', { name: 'メールアドレスを変更しました' }).waitFor()
    await at('#/signout')
    await page.getByText('taro2@example.jp').waitFor()
  })

  it('signs out on request', async () => {
    await at('#/signin')
    await fillSignIn('taro2@example.jp')
    await arriveAt(`${server.origin}/gpc/`)
    await at('#/signin')
    await page.getByRole('heading', { name: 'サインイン済みです' }).waitFor()
    await shot('already')
    await at('#/signout')
    await page.getByRole('button', { name: 'サインアウトする' }).waitFor()
    await expectAccessible()
    await page.getByRole('button', { name: 'サインアウトする' }).click()
    await page.getByRole('heading', { name: 'サインアウトしました' }).waitFor()
    await page.getByRole('link', { name: 'サインインする' }).click()
    await page.getByRole('heading', { name: 'サインイン', exact: true }).waitFor()
  })

  it('fits a phone, in the dark, without scrolling sideways', async () => {
    await context.close()
    context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'ja-JP' })
    page = await context.newPage()
    await at('#/signin')
    await page.getByRole('heading', { name: 'サインイン' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await expectAccessible()
    await shot('phone-dark')
  })
})
