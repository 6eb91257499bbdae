import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { rolesOf } from '@pc/domain/access/role-duties.ts'
import { grantsFor } from '@pc/domain/access/role-policies.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTE_PATHS } from './built-screens.ts'
import { confirmWarnings } from './confirm-warnings.ts'
import { launchBrowser, newVisitor, signIn } from './console-visitor.ts'
import { ownSystem } from './own-system.ts'

const system = await ownSystem()
let browser: Browser
beforeAll(async () => {
  // Other test files have published announcements.
  await confirmWarnings(system)
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const STAFF = rolesOf('staff')
const PUBLISHERS = rolesOf('publisher')
const ALL = [...STAFF, ...PUBLISHERS]
const may = (role: Role, action: GranularAction, resource: ResourceName) =>
  grantsFor([role]).some(grant => grant.resource === resource && grant.actions.includes(action))
const ENTERING = STAFF.filter(role => may(role, 'write:create', 'insight:dividend.'))
/**
 * The sidebar: label, address, and the resource that a role must be allowed to list. `menu.test.ts` lists it for each
 * role by hand.
 */
const MENU: readonly (readonly [label: string, path: string, roles: readonly Role[], resource: ResourceName])[] = [
  ['ホーム', '/reports/dashboard', ALL, 'insight:summary_stats.'],
  ['パブリッシャーランキング', '/reports/publisher-ranking', STAFF, 'insight:publisher_rank.'],
  ['記事レポート', '/reports/articles', ALL, 'insight:article_stats.'],
  ['動画レポート', '/reports/video', ALL, 'insight:video_stats.'],
  ['契約', '/managements/agreements', STAFF, 'insight:agreement.'],
  ['パブリッシャー', '/managements/publishers', STAFF, 'insight:publisher.'],
  ['フィード', '/managements/feeds', ALL, 'insight:feed.'],
  ['振込口座', '/bank-accounts', ALL, 'insight:bank_account.'],
  ['記事管理', '/managements/articles', ALL, 'insight:medium_article.'],
  ['契約別の支払', '/histories/payments-by-agreement', STAFF, 'insight:monthly_payment.'],
  ['パブリッシャー別の支払', '/histories/payments-by-publisher', ENTERING, 'insight:monthly_publisher_payment.'],
  ['お支払い明細', '/histories/payments-for-publishers', PUBLISHERS, 'insight:monthly_payment.'],
  ['分配金調整', '/adjustments/dividend', STAFF, 'insight:dividend.'],
  ['お知らせ管理', '/announcements', STAFF, 'insight:announcement.'],
  ['ユーザー管理', '/users', rolesOf('publisher', 'administers'), 'iam:user.'],
]
const ROLES: readonly Role[] = [...ALL, 'iam:admin', 'iam:viewer']

describe.each(ROLES)('%s', role => {
  it('signs in, sees the menu of the role, reads the dashboard where it may, and signs out', async () => {
    const visitor = await newVisitor(browser)
    const { page } = visitor
    await signIn(page, system, role)

    const links = await page.getByRole('navigation', { name: 'メインメニュー' }).getByRole('link').all()
    const shown = await Promise.all(links.map(async link => (await link.getAttribute('href')) ?? ''))
    const inside = shown.filter(href => href.startsWith('#')).map(href => href.slice(1).replace(/\/month=.*$/, ''))
    const isShown = (roles: readonly Role[], resource: ResourceName) =>
      roles.includes(role) && may(role, 'read:list', resource)
    const expected = MENU.filter(([, path, roles, resource]) => isShown(roles, resource) && ROUTE_PATHS.has(path))
    expect(inside).toEqual(expected.map(([, path]) => path))

    if (may(role, 'read:list', 'insight:summary_stats.')) {
      await page.getByRole('heading', { name: 'ダッシュボード' }).waitFor()
      await page
        .getByText(/集計済み/)
        .first()
        .waitFor()
      const detail = page.getByRole('heading', { name: /収益の内訳/ })
      // The cards load after the figures; with them, revenue details are there too.
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
