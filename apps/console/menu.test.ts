import { clientAllows, clientPolicy, policyRow } from '@pc/domain/access/client-policy.ts'
import { decide } from '@pc/domain/access/decide.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { isStaff, rolesOf } from '@pc/domain/access/role-duties.ts'
import { grantsFor } from '@pc/domain/access/role-policies.ts'
import { viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { homeOf, MENU, tabsOf, visibleMenu } from './menu.ts'
import { SCREENS } from './routes.ts'

const ALL_PATHS = new Set(MENU.flatMap(group => group.items.map(item => item.path)))

const canOf = (role: Role) => {
  const policies = grantsFor([role]).map(grant => clientPolicy(policyRow(grant, role)))
  return (action: string, resource: string) => clientAllows(policies, action, resource)
}

function menuOf(role: Role, paths: ReadonlySet<string> = ALL_PATHS): string {
  return visibleMenu({ roles: [role], can: canOf(role) }, paths)
    .map(group => `${group.key}: ${group.items.map(item => item.key).join(' ')}`)
    .join(' · ')
}

const OF_STAFF =
  'reports: home publisherRanking articleReport videoReport · publishers: agreements publishers feeds bankAccounts · ' +
  'articles: articles · payments: paymentsByAgreement paymentsByPublisher · adjustment: dividend · announcements: announcements'
/** Written out, not computed. Of a role that is not here the next test says enough. */
const MENUS: Readonly<Partial<Record<Role, string>>> = {
  admin: OF_STAFF,
  'insight:admin': OF_STAFF,
  'insight:editor': OF_STAFF,
  'insight:viewer': OF_STAFF.replace(' paymentsByPublisher', ''),
  'insight:publisher_admin':
    'reports: home articleReport videoReport · publishers: feeds bankAccounts · articles: articles · ' +
    'paymentsForPublishers: paymentsForPublishers · users: users',
  'insight:publisher_editor':
    'reports: home articleReport videoReport · publishers: feeds · articles: articles · ' +
    'paymentsForPublishers: paymentsForPublishers',
}

test('every role sees its groups and items, once their screens exist', () => {
  for (const [role, menu] of Object.entries(MENUS)) expect(menuOf(role as Role), role).toBe(menu)
  for (const role of rolesOf('other service')) expect(menuOf(role), role).toBe('')
})

const OF_PLATFORM = [
  'publisherRanking',
  'agreements',
  'publishers',
  'paymentsByAgreement',
  'paymentsByPublisher',
  'announcements',
]
const OF_PUBLISHERS = ['paymentsForPublishers', 'users']

test.each([...rolesOf('staff'), ...rolesOf('publisher')])(
  '%s: only what may be opened, begins with the first item',
  role => {
    const viewer = { roles: [role], can: canOf(role) }
    const items = visibleMenu(viewer, ALL_PATHS).flatMap(group => group.items)
    const foreign = isStaff([role]) ? OF_PUBLISHERS : OF_PLATFORM
    expect(items.filter(item => foreign.includes(item.key))).toEqual([])
    for (const { key, path } of items) {
      const { action, resource } = SCREENS.find(screen => screen.path === path)!.allow
      const scope = viewerScope('me', [role], 1n)
      const permit = decide({ uid: 'me', email: '', roles: [role], organizationId: 1n, scope }, action, resource)
      expect(permit, key).toBeDefined()
    }
    expect(homeOf(viewer, ALL_PATHS)).toBe(items[0]?.path)
  },
)

test('who may not read reports begins with the next item, and with an empty menu on the dashboard', () => {
  const reader = (...resources: readonly string[]) => ({
    roles: ['insight:viewer'],
    can: (_action: string, resource: string) => resources.includes(resource),
  })
  expect(homeOf(reader('insight:statement.', 'insight:dividend.'), ALL_PATHS)).toBe('/adjustments/dividend')
  expect(homeOf(reader('insight:feed.', 'insight:agreement.'), ALL_PATHS)).toBe('/managements/agreements')
  expect(homeOf(reader(), ALL_PATHS)).toBe('/reports/dashboard')
  expect(homeOf({ roles: ['iam:admin'], can: canOf('iam:admin') }, ALL_PATHS)).toBe('/reports/dashboard')
})

test('what only the menu hides is readable by its address; for those roles nothing of it can be changed', () => {
  const items = MENU.flatMap(group => group.items)
  const hidden = (role: Role) => {
    const can = canOf(role)
    return items.filter(item => can('read:list', item.resource) && item.isHidden?.({ roles: [role], can }))
  }
  const keysOf = (role: Role) => hidden(role).map(item => item.key)
  const ofPublishers = ['agreements', 'publishers', 'paymentsByAgreement', 'paymentsByPublisher', 'announcements']
  const known: Readonly<Partial<Record<Role, readonly string[]>>> = {
    'insight:publisher_admin': ofPublishers,
    'insight:publisher_editor': ofPublishers,
    'insight:viewer': ['paymentsByPublisher', 'paymentsForPublishers'],
    'insight:editor': ['paymentsForPublishers'],
    'insight:admin': ['paymentsForPublishers', 'users'],
    admin: ['paymentsForPublishers', 'users'],
    'iam:admin': ['users'],
    'iam:viewer': ['users'],
  }
  for (const role of ROLES) {
    if (known[role]) expect(keysOf(role), role).toEqual(known[role])
    else expect([...OF_PLATFORM, ...OF_PUBLISHERS], role).toEqual(expect.arrayContaining(keysOf(role)))
  }
  // The screen exists, and asks for no more than the item does.
  for (const item of items.filter(one => one.isHidden))
    expect(SCREENS.find(screen => screen.path === item.path)?.allow, item.path).toEqual({
      action: 'read:list',
      resource: item.resource,
    })
  const writes = ['write:create', 'write:update', 'write:delete']
  // The administrators of people and of the platform change what they open by other ways.
  const readers = ROLES.filter(role => !['admin', 'insight:admin', 'iam:admin'].includes(role))
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
