import { clientAllows, clientPolicy, policyRow } from '@pc/domain/access/client-policy.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { grantsFor } from '@pc/domain/access/role-policies.ts'
import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { MENU, tabsOf, visibleMenu } from './menu.ts'
import { SCREENS } from './routes.ts'

const ALL_PATHS = new Set(MENU.flatMap(group => group.items.map(item => item.path)))

function menuOf(role: Role, paths: ReadonlySet<string> = ALL_PATHS): string {
  const policies = grantsFor([role]).map(grant => clientPolicy(policyRow(grant, role)))
  const can = (action: string, resource: string) => clientAllows(policies, action, resource)
  return visibleMenu({ roles: [role], can }, paths)
    .map(group => `${group.key}: ${group.items.map(item => item.key).join(' ')}`)
    .join(' · ')
}

test('every role sees its groups and items, once their screens exist', () => {
  expect(Object.fromEntries(ROLES.map(role => [role, menuOf(role)]))).toMatchInlineSnapshot(`
    {
      "admin": "reports: home publisherRanking articleReport videoReport · publishers: agreements publishers feeds bankAccounts · articles: articles · payments: paymentsByAgreement paymentsByPublisher · adjustment: dividend · announcements: announcements",
      "article:admin": "",
      "article:publisher_admin": "",
      "coupon:admin": "",
      "coupon:brand_admin": "",
      "coupon:editor": "",
      "iam:admin": "",
      "iam:viewer": "",
      "insight:admin": "reports: home publisherRanking articleReport videoReport · publishers: agreements publishers feeds bankAccounts · articles: articles · payments: paymentsByAgreement paymentsByPublisher · adjustment: dividend · announcements: announcements",
      "insight:editor": "reports: home publisherRanking articleReport videoReport · publishers: agreements publishers feeds bankAccounts · articles: articles · payments: paymentsByAgreement paymentsByPublisher · adjustment: dividend · announcements: announcements",
      "insight:publisher_admin": "reports: home articleReport videoReport · publishers: feeds bankAccounts · articles: articles · paymentsForPublishers: paymentsForPublishers · users: users",
      "insight:publisher_editor": "reports: home articleReport videoReport · publishers: feeds · articles: articles · paymentsForPublishers: paymentsForPublishers",
      "insight:viewer": "reports: home publisherRanking articleReport videoReport · publishers: agreements publishers feeds bankAccounts · articles: articles · payments: paymentsByAgreement · adjustment: dividend · announcements: announcements",
      "video:admin": "",
      "video:publisher_admin": "",
    }
  `)
})

const canOf = (role: Role) => {
  const policies = grantsFor([role]).map(grant => clientPolicy(policyRow(grant, role)))
  return (action: string, resource: string) => clientAllows(policies, action, resource)
}

test('what only the menu hides is readable by its address; for those roles nothing of it can be changed', () => {
  const items = MENU.flatMap(group => group.items)
  const hidden = (role: Role) => {
    const can = canOf(role)
    return items.filter(item => can('read:list', item.resource) && item.isHidden?.({ roles: [role], can }))
  }
  const pairs = ROLES.map(role => [role, hidden(role).map(item => item.key)] as const).filter(
    ([, keys]) => keys.length > 0,
  )
  const ofPublishers = ['agreements', 'publishers', 'paymentsByAgreement', 'paymentsByPublisher', 'announcements']
  expect(Object.fromEntries(pairs)).toEqual({
    'insight:publisher_admin': ofPublishers,
    'insight:publisher_editor': ofPublishers,
    'insight:viewer': ['paymentsByPublisher', 'paymentsForPublishers'],
    'insight:editor': ['paymentsForPublishers'],
    'insight:admin': ['paymentsForPublishers', 'users'],
    admin: ['paymentsForPublishers', 'users'],
    'iam:admin': ['users'],
    'iam:viewer': ['users'],
  })
  // The screen exists, and asks for no more than the item does.
  for (const item of items.filter(one => one.isHidden))
    expect(SCREENS.find(screen => screen.path === item.path)?.allow, item.path).toEqual({
      action: 'read:list',
      resource: item.resource,
    })
  const writes = ['write:create', 'write:update', 'write:delete']
  const readers: readonly Role[] = [
    'insight:publisher_admin',
    'insight:publisher_editor',
    'insight:viewer',
    'insight:editor',
  ]
  for (const role of readers)
    for (const { resource } of hidden(role))
      expect(
        writes.filter(action => canOf(role)(action, resource)),
        `${role} ${resource}`,
      ).toEqual([])
})

test('an item whose screen does not exist is not shown', () => {
  expect(menuOf('insight:admin', new Set(['/reports/dashboard']))).toBe('reports: home')
})

test('the link of the payments for publishers carries the previous month, not before 2020-12', () => {
  const item = MENU.flatMap(group => group.items).find(one => one.key === 'paymentsForPublishers')
  expect(item?.condition?.(day('2026-11-20'))).toBe('month=2026-10')
  expect(item?.condition?.(day('2021-01-05'))).toBe('month=2020-12')
  expect(item?.condition?.(day('2020-12-05'))).toBe('month=2020-12')
})

/** Reached from a row, a button or, while practising, from the banner. */
const WITHIN_OTHERS = /\$|\/create|\/invite$|^\/adjustments\/practice$/

test('every screen has its place: an item of the menu or a tab of one', () => {
  const items = MENU.flatMap(group => group.items)
  const places = new Set(items.flatMap(item => [item.path, ...(item.tabs ?? [])]))
  const paths = SCREENS.map(screen => screen.path)
  expect(paths.filter(path => !places.has(path) && !WITHIN_OTHERS.test(path))).toEqual([])
  expect([...places].filter(path => !paths.includes(path))).toEqual([])
})

test.each([
  ['insight:admin', '/adjustments/transfers', '分配金調整 振込 試算 登録番号の確認 支払設定 保存期間と保全'],
  ['insight:editor', '/adjustments/dividend', '分配金調整 振込 試算 登録番号の確認 支払設定 保存期間と保全'],
  ['insight:viewer', '/adjustments/settings', '分配金調整 振込 登録番号の確認 支払設定 保存期間と保全'],
  ['insight:viewer', '/histories/statements', '契約別の支払 支払通知書 支払予定 質問 支払の年間集計'],
  ['insight:publisher_admin', '/histories/questions', 'お支払い明細 支払通知書 支払予定 質問 支払の年間集計 契約'],
  ['insight:publisher_admin', '/api-keys', 'ユーザー管理 Webhook APIキー'],
  ['insight:admin', '/managements/feeds', ''],
  ['insight:admin', '/adjustments/transfers/$id', ''],
] as const)('%s on %s: %s', (role, path, tabs) => {
  const shown = tabsOf({ roles: [role], can: canOf(role) }, SCREENS, path)
  expect(shown.map(screen => screen.title).join(' ')).toBe(tabs)
})
