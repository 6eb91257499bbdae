import { everyNth, sampleOr } from '@pc/testing/sample-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applicationRoutes } from './application-routes.ts'
import { emailOf, launchBrowser, newVisitor, signIn, signInAs, type Visitor } from './console-visitor.ts'
import { seriousFindings, waitUntilStable } from './crawl-probes.ts'
import { walkByKeyboard } from './keyboard-walk.ts'
import { linkInEmail } from './outbox-emails.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem()
const PASSWORD = '新しい仲間の長い合言葉 2026'
const newcomer = `newcomer.${process.pid}@example.jp`
let browser: Browser
const visitors: Visitor[] = []
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await Promise.all(visitors.map(visitor => visitor.close()))
  await browser.close()
})

async function visit(width?: number): Promise<Visitor> {
  const visitor = await newVisitor(browser, width)
  visitors.push(visitor)
  return visitor
}

async function openUser(page: Page, app: '/iam/' | '/gpc/', email: string): Promise<void> {
  await page.goto(`${system.webOrigin}${app}#/users/q=${encodeURIComponent(email).replaceAll('.', '~2E')}`)
  await page.getByRole('link', { name: email }).click()
  await page.getByRole('heading', { name: 'ユーザーの編集' }).waitFor()
}

/** Expects the next action after the end of a session to lead to the sign-in screen. */
async function expectSignedOut(page: Page): Promise<void> {
  await page.reload()
  await page.getByLabel('メールアドレス').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/sso/)
}

describe('a new colleague', () => {
  let administrator: Visitor
  let colleague: Visitor
  let link: string

  it('is invited from the console by the administrator of a publisher', async () => {
    administrator = await visit()
    const { page } = administrator
    await signIn(page, system, 'insight:publisher_admin', '/gpc/#/users')
    await page.getByRole('link', { name: 'ユーザーを招待' }).click()
    await page.getByRole('textbox', { name: /^メールアドレス/ }).fill(newcomer)
    expect(await page.getByRole('checkbox').count(), 'roles of a publisher only').toBe(2)
    await page.getByRole('checkbox', { name: /パブリッシャーの担当者/ }).check()
    await page
      .getByRole('group', { name: /担当する契約/ })
      .getByRole('checkbox')
      .first()
      .check()
    await page.getByRole('button', { name: '招待メールを送信' }).click()
    await page.getByText(`${newcomer}に招待メールを送信しました`).waitFor()
    await page
      .getByRole('row', { name: new RegExp(newcomer) })
      .getByText('招待中')
      .waitFor()
    expect(administrator.problems).toEqual([])
  })

  it('accepts by the link of the email, chooses a password, and is in', async () => {
    link = await linkInEmail(system.dataDir, newcomer, '#/invite/')
    colleague = await visit()
    const { page } = colleague
    await page.goto(link)
    await page.getByText(newcomer).waitFor()
    await page.getByLabel('パスワード', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: '設定してはじめる' }).click()
    await page.waitForURL(url => url.pathname.startsWith('/gpc/'))
    const menu = page.getByRole('navigation', { name: 'メインメニュー' })
    await menu.getByRole('link', { name: 'ホーム' }).waitFor()
    expect(await menu.locator('a[href="#/users"]').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'サービス一覧' }).count(), 'no header menu').toBe(0)
    await page.goto(`${system.webOrigin}/gpc/#/users`)
    await page.getByRole('heading', { name: '「ユーザー管理」を表示する権限がありません' }).waitFor()
  })

  it('cannot be joined by somebody else who opens the same link', async () => {
    const { page } = await visit()
    await page.goto(link)
    await page.getByText(/招待/).first().waitFor()
    expect(await page.getByLabel('パスワード', { exact: true }).count()).toBe(0)
  })

  it('has new rights with the next request after the role was changed in /iam/', async () => {
    const { page } = await visit()
    await signIn(page, system, 'iam:admin', '/iam/')
    await openUser(page, '/iam/', newcomer)
    await page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).check()
    await page.getByRole('button', { name: '権限を保存' }).click()
    await page.getByText(`${newcomer}の権限を変更しました`).waitFor()
    await expectSignedOut(colleague.page)
    await signInAs(colleague.page, newcomer, PASSWORD)
    const menu = colleague.page.getByRole('navigation', { name: 'メインメニュー' })
    await menu.locator('a[href="#/users"]').waitFor()
  })

  it('is out at once when disabled, and cannot come back', async () => {
    const { page } = administrator
    await openUser(page, '/gpc/', newcomer)
    await page.getByRole('button', { name: '無効にする', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'ユーザーを無効にする' }).click()
    await page.getByText(`${newcomer}を無効にしました`).waitFor()
    await expectSignedOut(colleague.page)
    await colleague.page.getByLabel('メールアドレス').fill(newcomer)
    await colleague.page.getByLabel('パスワード', { exact: true }).fill(PASSWORD)
    await colleague.page.getByRole('button', { name: 'サインイン', exact: true }).click()
    await colleague.page.getByRole('alert').first().waitFor()
    expect(new URL(colleague.page.url()).pathname).toMatch(/^\/sso/)
  })

  it('is removed, and the log remembers every step', async () => {
    const { page } = await visit()
    await signIn(page, system, 'iam:admin', '/iam/')
    await openUser(page, '/iam/', newcomer)
    await page.getByRole('button', { name: 'ユーザーを削除', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'ユーザーを削除する' }).click()
    await page.getByText(`${newcomer}を削除しました`).waitFor()
    await page.goto(`${system.webOrigin}/iam/#/audit-log/q=${newcomer.replaceAll('.', '~2E')}`)
    for (const step of ['招待', 'ロールの変更', '無効化', '削除'])
      await page.getByRole('listitem').filter({ hasText: step }).first().waitFor()
    // On a new system the first copy outside the database is made within five minutes.
    await page.getByText(/検証済み|外部の控えがまだありません/).waitFor()
  })
})

describe('the only administrator of an organisation', () => {
  it('cannot step back, and reads why', async () => {
    const { page } = await visit()
    await signIn(page, system, 'insight:publisher_admin', '/gpc/#/users')
    await openUser(page, '/gpc/', emailOf('insight:publisher_admin'))
    await page
      .getByText(/組織で最後の管理者です/)
      .first()
      .waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: /パブリッシャーの管理者/ }).isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'ユーザーを削除', exact: true }).isDisabled()).toBe(true)
  })
})

describe('seeing the console as a user of a publisher', () => {
  it('is read-only, said on every screen, and over with a press', async () => {
    const { page } = await visit()
    await signIn(page, system, 'admin', '/iam/')
    await openUser(page, '/iam/', emailOf('insight:publisher_admin'))
    await page.getByRole('button', { name: '表示を始める' }).click()
    await page.getByLabel('表示する理由').fill('お問い合わせ1234の画面を確認するため')
    await page.getByRole('button', { name: '30分間表示する' }).click()
    await page.waitForURL(url => url.pathname === '/gpc/')
    const banner = page.getByRole('region', { name: 'ほかのユーザーとしての表示' })
    await banner.getByText(emailOf('insight:publisher_admin')).waitFor()
    await banner.getByText(/お問い合わせ1234の画面を確認するため/).waitFor()
    expect(await page.getByRole('button', { name: 'サービス一覧' }).count(), 'no header menu').toBe(0)

    // No screen offers a change. The authorisation matrix shows that the server refuses changes as well.
    for (const { mount, path } of applicationRoutes()) {
      if (mount !== '/gpc/' || path.includes('$')) continue
      await page.evaluate(`location.hash = ${JSON.stringify(`#${path}`)}`)
      await waitUntilStable(page)
      const offered = page
        .locator('main')
        .getByRole('button', {
          name: /(保存|登録|招待|削除|申請|作成|追加|取り込み|確定|無効に|承認|却下|失効)(する)?$/,
        })
        .or(page.locator('main').getByRole('link', { name: /を(招待|登録|追加|作成|申請)/ }))
      expect(await offered.allTextContents(), path).toEqual([])
    }
    await page.goto(`${system.webOrigin}/gpc/#/users/invite`)
    await page.getByRole('heading', { name: /を表示する権限がありません/ }).waitFor()

    await banner.getByRole('button', { name: '表示を終了する' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'サービス一覧' }).click()
    await page.getByRole('dialog', { name: 'サービス一覧' }).locator('a[href="/iam/"]').click()
    await page.waitForURL(url => url.pathname === '/iam/')
    await page.getByRole('heading', { name: 'ユーザー管理' }).waitFor()
  })
})

describe('every screen of /iam/', () => {
  const SCREENS = [
    ['/users', 'ユーザー管理'],
    ['/users/invite', 'ユーザーを招待'],
    ['/invitations', '招待'],
    ['/organizations', '組織'],
    ['/organizations/create', '組織の登録'],
    ['/roles', 'ロール'],
    ['/access-explanation', 'アクセスの説明'],
    ['/audit-log', '操作の記録'],
  ] as const

  it.each([1440, 390])('opens for an administrator at %i px, without a word in the console', async width => {
    const visitor = await visit(width)
    const { page } = visitor
    await signIn(page, system, 'admin', '/iam/')
    for (const [path, title] of SCREENS) {
      await page.goto(`${system.webOrigin}/iam/#${path}`)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width)
    }
    expect(visitor.problems).toEqual([])
  })

  it('is reached and used by keyboard alone, and so are those of /users in the console', {
    timeout: 180_000,
  }, async () => {
    const findings: string[] = []
    let stops = 0
    for (const [role, app, screens] of [
      ['admin', '/iam/', SCREENS],
      ['insight:publisher_admin', '/gpc/', SCREENS.slice(0, 2)],
    ] as const) {
      const { page } = await visit()
      await signIn(page, system, role, app)
      const walk = async (screen: string) => {
        await waitUntilStable(page)
        const { stops: found, problems } = await walkByKeyboard(page)
        stops += found
        findings.push(...problems.map(problem => `${app} ${screen}: ${problem}`))
        findings.push(...(await seriousFindings(page)).map(finding => `${app} ${screen}: ${finding}`))
      }
      for (const [screen, title] of everyNth(screens, 2)) {
        await page.evaluate(`location.hash = ${JSON.stringify(`#${screen}`)}`)
        // Its own heading, because that of the previous screen stays until this one's code has loaded.
        await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
        await walk(screen)
      }
      await openUser(page, app, emailOf('insight:publisher_editor'))
      await walk('a user')
      if (app !== '/iam/') continue
      await page.goto(`${system.webOrigin}/iam/#/organizations`)
      await page.getByRole('table').getByRole('link').first().click()
      await page.getByRole('heading', { name: '組織の編集' }).waitFor()
      await walk('an organisation')
    }
    console.warn(`by keyboard alone: ${stops} controls reached`)
    expect(findings).toEqual([])
    expect(stops).toBeGreaterThan(sampleOr(100, 200))
  })

  it('shows who only looks neither the log nor a way to change anything', async () => {
    const { page } = await visit()
    await signIn(page, system, 'iam:viewer', '/iam/')
    const menu = page.getByRole('navigation', { name: 'メインメニュー' })
    expect(await menu.getByRole('link', { name: '操作の記録' }).count()).toBe(0)
    await page.getByRole('link', { name: emailOf('insight:viewer') }).click()
    await page
      .getByText(/閲覧のみの権限です/)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: 'ユーザーを削除' }).count()).toBe(0)
  })
})
