import type { Role } from '@pc/domain/access/role.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_PATHS } from './built-screens.ts'
import { confirmWarnings } from './confirm-warnings.ts'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  // Other walks have announced something.
  await confirmWarnings(system)
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** The sidebar: label, address, and who sees it. Written out, not computed. */
const STAFF: readonly Role[] = ['admin', 'insight:admin', 'insight:editor', 'insight:viewer']
const PUBLISHERS: readonly Role[] = ['insight:publisher_admin', 'insight:publisher_editor']
const MENU: readonly (readonly [label: string, path: string, roles: readonly Role[]])[] = [
  ['ホーム', '/reports/dashboard', [...STAFF, ...PUBLISHERS]],
  ['パブリッシャーランキング', '/reports/publisher-ranking', STAFF],
  ['記事レポート', '/reports/articles', [...STAFF, ...PUBLISHERS]],
  ['動画レポート', '/reports/video', [...STAFF, ...PUBLISHERS]],
  ['契約', '/managements/agreements', STAFF],
  ['パブリッシャー', '/managements/publishers', STAFF],
  ['フィード', '/managements/feeds', [...STAFF, ...PUBLISHERS]],
  ['振込口座', '/bank-accounts', [...STAFF, 'insight:publisher_admin']],
  ['記事管理', '/managements/articles', [...STAFF, ...PUBLISHERS]],
  ['契約別の支払', '/histories/payments-by-agreement', STAFF],
  ['パブリッシャー別の支払', '/histories/payments-by-publisher', ['admin', 'insight:admin', 'insight:editor']],
  ['お支払い明細', '/histories/payments-for-publishers', PUBLISHERS],
  ['分配金調整', '/adjustments/dividend', STAFF],
  ['お知らせ管理', '/announcements', STAFF],
  ['ユーザー管理', '/users', ['insight:publisher_admin']],
]
const ROLES: readonly Role[] = [...STAFF, ...PUBLISHERS, 'iam:admin', 'iam:viewer']

describe.each(ROLES)('%s', role => {
  it('signs in, sees the menu of the role, reads the dashboard where it may, and signs out', async () => {
    const visitor = await newVisitor(browser)
    const { page } = visitor
    await signIn(page, system, role)

    const links = await page.getByRole('navigation', { name: 'メインメニュー' }).getByRole('link').all()
    const shown = await Promise.all(links.map(async link => (await link.getAttribute('href')) ?? ''))
    const inside = shown.filter(href => href.startsWith('#')).map(href => href.slice(1).replace(/\/month=.*$/, ''))
    const expected = MENU.filter(([, path, roles]) => roles.includes(role) && ROUTE_PATHS.has(path))
    expect(inside).toEqual(expected.map(([, path]) => path))

    if (STAFF.includes(role) || PUBLISHERS.includes(role)) {
      await page.getByRole('heading', { name: 'ダッシュボード' }).waitFor()
      await page
        .getByText(/集計済み/)
        .first()
        .waitFor()
      const detail = page.getByRole('heading', { name: /収益の内訳/ })
      // The cards beside the figures come after them; who has the detail has it by then.
      await page.getByRole('heading', { name: '性別・年代別クリック数' }).waitFor()
      if (STAFF.includes(role)) await detail.waitFor()
      expect(await detail.count(), 'in-house revenue detail is for staff').toBe(STAFF.includes(role) ? 1 : 0)
    }
    expect(visitor.problems).toEqual([])

    await page.getByRole('button', { name: /^アカウント/ }).click()
    await page.getByRole('button', { name: 'サインアウト' }).click()
    await page.waitForURL(url => url.pathname.startsWith('/sso'))
    await page.goto(`${system.webOrigin}/gpc/`)
    await page.getByLabel('メールアドレス').waitFor()
    await visitor.close()
  })
})
