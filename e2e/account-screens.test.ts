import { renderChangeEmail } from '@pc/features/sign-in/server/account-change-email.ts'
import { insertChange } from '@pc/features/sign-in/server/account-change-store.ts'
import { totpCode } from '@pc/features/sign-in/server/totp.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { addUser, type IdentityServer, identityServer } from '@pc/testing/system/identity-server.ts'
import { type TestDatabase, testDatabase } from '@pc/testing/test-database.ts'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { accountPages, openWatchedPage } from './account-pages.ts'
import { launchBrowser } from './console-visitor.ts'
import { AXE, SAY_VIOLATIONS } from './crawl-probes.ts'
import { walkByKeyboard } from './keyboard-walk.ts'

const PASSWORD = '正しい馬の電池とホチキス'
let db: TestDatabase
let server: IdentityServer
let browser: Browser
let context: BrowserContext
let page: Page
let problems: readonly string[]

beforeAll(async () => {
  db = await testDatabase()
  server = await identityServer(db.database, { pages: accountPages, hostName: 'localhost' })
  await addUser(db.database, { email: 'taro@example.jp', password: PASSWORD })
  for (const email of ['hana@example.jp', 'hana2@example.jp']) await addUser(db.database, { email, password: PASSWORD })
  await addUser(db.database, { email: 'chief@example.jp', password: PASSWORD, roles: ['admin'] })
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

/** Text: the browser's own names are none of this program's. */
const VIOLATIONS = `axe.run({ ${SAY_VIOLATIONS} }).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html.slice(0, 160)).join(' | ')))`
const FOCUSED = `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`

/** Nothing serious for axe in light and dark, nothing wider than a telephone. */
async function expectGoodScreen(): Promise<void> {
  for (const scheme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.mantineColorScheme = '${scheme}'`)
    await page.evaluate(AXE)
    expect(await page.evaluate(VIOLATIONS), `${page.url()} ${scheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), page.url()).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}
async function open(screen: string, sign: string): Promise<void> {
  await page.goto(`${server.origin}/sso#/${screen}`)
  await page.getByText(sign, { exact: false }).first().waitFor()
}
async function enterPassword(email: string): Promise<void> {
  await open('signin', 'パスワードを忘れた場合')
  await page.getByLabel('メールアドレス').fill(email)
  await page.getByLabel('パスワード', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}
function decode32(text: string): Buffer {
  const bits = [...text].map(char => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}
/** Presses Tab until the named control has the focus, as somebody without a mouse does. */
async function tabTo(name: string): Promise<void> {
  for (let n = 0; n < 40; n++) {
    await page.keyboard.press('Tab')
    const at = String(await page.evaluate(FOCUSED))
    if (at.includes(name)) return
  }
  throw new Error(`Tab never reached ${name}`)
}

/** A device with a screen lock that its owner opens. */
async function withAuthenticator(): Promise<void> {
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
/** As if everybody had signed in an hour ago. */
const letAnHourPass = () =>
  db.database.inScope(SYSTEM, tx =>
    sql`update idp_payloads set payload = jsonb_set(payload, '{loginTs}', to_jsonb(extract(epoch from now())::bigint - 3600))
      where model = 'Session'`.execute(tx),
  )

it('a forgotten password is reset from the mail', async () => {
  await open('forgot-pass', 'リンクを送る')
  await expectGoodScreen()
  await page.getByLabel('メールアドレス').fill('hana@example.jp')
  await page.keyboard.press('Enter')
  await page.getByText('メールをご確認ください').waitFor()
  await expectGoodScreen()
  await expect.poll(() => server.mails.length).toBe(1)
  const link = server.mails[0]?.text.match(/http:\S+/)?.[0] ?? ''
  await page.goto(link)
  await page.getByLabel('新しいパスワード', { exact: true }).fill('password2026')
  await page.keyboard.press('Enter')
  await page.getByText('推測されやすいパスワードです').waitFor()
  await expectGoodScreen()
  await page.getByLabel('新しいパスワード', { exact: true }).fill('新しい合い言葉を覚える')
  await page.keyboard.press('Enter')
  await page.getByText('パスワードを設定しました').waitFor()
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('新しいパスワード', { exact: true }).fill('新しい合い言葉を覚える')
  await page.keyboard.press('Enter')
  await page.getByText('このリンクは使用できません').waitFor()
  await expectGoodScreen()
})

it('a second factor, a passkey and the list of sessions, by keyboard alone', async () => {
  await withAuthenticator()
  await enterPassword('taro@example.jp')
  await page.waitForURL('**/gpc/**')
  for (const [screen, sign] of [
    ['change-pass', 'パスワードの変更'],
    ['change-email', 'メールアドレスの変更'],
    ['sessions', 'すべてサインアウトする'],
  ] as const) {
    await open(screen, sign)
    await expectGoodScreen()
  }
  await open('security', '認証アプリを設定する')
  await expectGoodScreen()
  await tabTo('認証アプリを設定する')
  await page.keyboard.press('Enter')
  const shown = page.locator('[class*=secret]')
  await shown.waitFor()
  await expectGoodScreen()
  const secret = decode32(((await shown.textContent()) ?? '').replaceAll(/\s/g, ''))
  const step = () => Math.floor(Date.now() / 30_000)
  await page.getByLabel('6桁の数字').fill(totpCode(secret, step()))
  await page.keyboard.press('Enter')
  await page.getByText('リカバリーコードを保存してください').waitFor()
  // They are shown once: a person who listens, or sees a part of the page, is led to them.
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('リカバリーコードを保存してください')
  await expectGoodScreen()
  // What follows brings no codes of its own, and does not take these away.
  await tabTo('パスキーを追加する')
  await page.keyboard.press('Enter')
  await page.getByText('のパスキー').first().waitFor()
  await expectGoodScreen()
  await page.getByRole('heading', { name: 'リカバリーコードを保存してください' }).focus()
  await tabTo('保存しました')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(FOCUSED)).toMatch(/^認証アプリ *有効/)

  await open('signout', 'サインアウトする')
  await page.getByRole('button', { name: 'サインアウトする' }).click()
  await page.getByText('サインアウトしました').waitFor()
  await enterPassword('taro@example.jp')
  await page.getByText('認証アプリのコード').waitFor()
  await expectGoodScreen()
  // What was said about the one code is not said about the other.
  await page.getByLabel('認証アプリのコード').fill('1')
  await page.keyboard.press('Enter')
  await page.getByText('コードが違うか').waitFor()
  await page.getByRole('button', { name: 'リカバリーコードを使う' }).click()
  await page.getByLabel('リカバリーコード', { exact: true }).waitFor()
  expect(await page.getByText('コードが違うか').count()).toBe(0)
  await page.getByRole('button', { name: 'ほかの方法で続ける' }).click()
  await page.getByLabel('認証アプリのコード').fill(totpCode(secret, step() + 1))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/gpc/**')

  await open('signout', 'サインアウトする')
  await page.getByRole('button', { name: 'サインアウトする' }).click()
  await page.getByText('サインアウトしました').waitFor()
  await open('signin', 'パスキーでサインイン')
  await expectGoodScreen()
  await tabTo('パスキーでサインイン')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/gpc/**')

  await open('security', '別のアプリに変更する')
  const agreeTo = async (pressed: string, question: RegExp, action: string) => {
    const button = page.getByRole('button', { name: pressed, exact: true })
    await button.click()
    const requested = page.getByRole('alertdialog', { name: question })
    await requested.waitFor()
    await page.keyboard.press('Escape')
    await requested.waitFor({ state: 'hidden' })
    await button.click()
    await expectGoodScreen()
    await requested.getByRole('button', { name: action }).click()
    await requested.waitFor({ state: 'hidden' })
  }
  await agreeTo('コードを作り直す', /リカバリーコードを作り直しますか/, 'コードを作り直す')
  await expect.poll(() => page.evaluate(FOCUSED)).toBe('リカバリーコードを保存してください')
  await agreeTo('解除する', /認証アプリを解除しますか/, '認証アプリを解除する')
  await expect.poll(() => page.evaluate(FOCUSED)).toMatch(/^認証アプリ *未設定/)
  await agreeTo('削除', /のパスキー」を削除しますか/, 'パスキーを削除する')
  await expect.poll(() => page.evaluate(FOCUSED)).toMatch(/^パスキー *未設定/)
  await open('sessions', 'すべてサインアウトする')
  await page.getByRole('button', { name: 'すべてサインアウトする' }).click()
  await page.getByRole('alertdialog', { name: 'すべての端末からサインアウトしますか？' }).waitFor()
  await page.keyboard.press('Escape')

  await letAnHourPass()
  await open('security', 'もう一度本人確認をしてください')
  await expectGoodScreen()
})

it('a role that needs a second factor asks for one, and later for the passkey itself', async () => {
  await withAuthenticator()
  await enterPassword('chief@example.jp')
  await page.getByText('までに設定してください').waitFor()
  await expectGoodScreen()
  await page.getByRole('link', { name: 'あとで設定する' }).click()
  await page.waitForURL('**/gpc/**')
  await db.database.inScope(SYSTEM, async tx => {
    await sql`update second_factor_rule set required_from = now() - interval '15 days'`.execute(tx)
    await sql`update user_roles set given_at = now() - interval '15 days'`.execute(tx)
  })
  // Where the console sends a person whom the APIs no longer answer.
  await page.goto('about:blank')
  await open(`signin/${encodeURIComponent('/gpc/#/x')}`, '設定が終わるまで')
  expect(await page.getByRole('link', { name: 'あとで設定する' }).count()).toBe(0)
  await expectGoodScreen()
  await page.getByRole('button', { name: 'パスキーを追加する' }).click()
  await page.getByRole('heading', { name: 'リカバリーコードを保存してください' }).waitFor()
  await page.getByRole('link', { name: 'Publisher Center に進む' }).waitFor()
  await expectGoodScreen()
  await page.getByRole('link', { name: 'Publisher Center に進む' }).click()
  await page.waitForURL('**/gpc/#/x')

  await letAnHourPass()
  await open('security', 'パスキーで本人確認を行ってください')
  expect(await page.getByLabel('現在のパスワード').count()).toBe(0)
  await expectGoodScreen()
  await page.getByRole('button', { name: 'パスワードとコードで確認する' }).click()
  await page.getByLabel('リカバリーコード').waitFor()
  await expectGoodScreen()
  await page.goto('about:blank')
  await open('security', 'パスキーで本人確認を行ってください')
  await page.getByRole('button', { name: 'パスキーで確認する' }).click()
  await page.getByRole('button', { name: 'パスキーを追加する' }).waitFor()
})

/** As an administrator asks for another address: the links of the emails to the old one and to the new one. */
async function askForAddress(email: string, newEmail: string): Promise<readonly [old: string, fresh: string]> {
  const administrator = await addUser(db.database, { email: `boss.${newEmail}`, roles: ['iam:admin'] })
  return db.database.inScope(SYSTEM, async tx => {
    const { uid } = await tx.selectFrom('users').select('uid').where('email', '=', email).executeTakeFirstOrThrow()
    const id = await insertChange(tx, {
      ...{ uid, kind: 'email', email, newEmail },
      ...{ requestedByUid: administrator, sourceAddress: '' },
    })
    const linkOf = async (message: 'requested' | 'confirm-new') =>
      (await renderChangeEmail(tx, String(id), message, server.origin))?.text.match(/http:\S+/)?.[0] ?? ''
    return [await linkOf('requested'), await linkOf('confirm-new')] as const
  })
}

it('a change that an administrator requested is agreed to at both addresses, and undone from the old one', async () => {
  const email = 'mika@example.jp'
  await addUser(db.database, { email, password: PASSWORD })
  const [old, fresh] = await askForAddress(email, 'mika.new@example.jp')
  await page.goto(fresh)
  await page.getByRole('button', { name: 'このメールアドレスを確認する' }).waitFor()
  await expectGoodScreen()
  expect(await page.getByRole('button', { name: '異議を申し立てる' }).count()).toBe(0)
  await page.getByRole('button', { name: 'このメールアドレスを確認する' }).click()
  await page.getByText('もう一方のメールアドレスに届いたメールでも承認されると').waitFor()
  await page.goto(old)
  await page.getByText('まだ変更されていません').waitFor()
  await expectGoodScreen()
  await tabTo('変更を承認する')
  await page.keyboard.press('Enter')
  await page.getByText('もう一度サインインしてください').waitFor()
  await expectGoodScreen()
  await page.goto('about:blank')
  await page.goto(old)
  await page.getByText('このリンクは使用できません').waitFor()
  await expectGoodScreen()

  const notice = server.mails.find(mail => mail.to === email && mail.subject.includes('変更されました'))
  await page.goto(notice?.text.match(/http:\S+/)?.[0] ?? '')
  await page.getByText('変更前の状態に戻し').waitFor()
  await expectGoodScreen()
  await tabTo('異議を申し立てる')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '変更前の状態に戻しました' }).waitFor()
  await expectGoodScreen()
  await enterPassword(email)
  await page.waitForURL('**/gpc/**')
})

it('a change that waits is shown to its person, who refuses it', async () => {
  const email = 'mina@example.jp'
  await addUser(db.database, { email, password: PASSWORD })
  await askForAddress(email, 'mina.new@example.jp')
  await enterPassword(email)
  await page.waitForURL('**/gpc/**')
  await open('security', '確認を待っている変更')
  await expectGoodScreen()
  await page.getByRole('button', { name: '変更を承認する' }).click()
  const requested = page.getByRole('alertdialog', { name: 'この変更を承認しますか？' })
  await requested.waitFor()
  await page.keyboard.press('Escape')
  await requested.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '異議を申し立てる' }).click()
  await page.getByText('確認を待っている変更').waitFor({ state: 'hidden' })
})

it('every screen is reached by Tab alone, and shows where it is', async () => {
  const notice: string[] = []
  let stops = 0
  const walk = async (screen: string) => {
    const found = await walkByKeyboard(page)
    stops += found.stops
    notice.push(...found.problems.map(problem => `${screen}: ${problem}`))
  }
  for (const [screen, sign] of [
    ['signin', 'パスワードを忘れた場合'],
    ['forgot-pass', 'リンクを送る'],
    ['reset-pass/nothing', 'パスワード'],
    ['invite/nothing', '招待'],
    ['first-admin/nothing', '管理者'],
    ['change-email/nothing', '変更を確定する'],
    ['account-change/nothing', 'このリンクは使用できません'],
  ] as const) {
    await open(screen, sign)
    await walk(screen)
  }
  await page.goto('about:blank')
  await page.goto(`${server.origin}/sso#/signin`)
  await enterPassword('hana2@example.jp')
  await page.waitForURL('**/gpc/**')
  for (const [screen, sign] of [
    ['change-pass', 'パスワードの変更'],
    ['change-email', 'メールアドレスの変更'],
    ['sessions', 'すべてサインアウトする'],
    ['security', '認証アプリを設定する'],
    ['signout', 'サインアウトする'],
  ] as const) {
    await open(screen, sign)
    await walk(screen)
  }
  console.warn(`by keyboard alone: ${stops} controls reached`)
  expect(notice).toEqual([])
  expect(stops).toBeGreaterThan(40)
})
