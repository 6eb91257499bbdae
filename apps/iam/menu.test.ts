import { clientAllows, clientPolicy, policyRow } from '@pc/domain/access/client-policy.ts'
import { ROLES, type Role } from '@pc/domain/access/role.ts'
import { grantsFor } from '@pc/domain/access/role-policies.ts'
import { expect, test } from 'vitest'
import { MENU } from './menu.ts'
import { HOME, SCREENS } from './routes.ts'

/** The labels of the items that a role sees. */
function menuOf(role: Role): string {
  const policies = grantsFor([role]).map(grant => clientPolicy(policyRow(grant, role)))
  return MENU.flatMap(group => group.items)
    .filter(({ allow }) => clientAllows(policies, allow.action, allow.resource))
    .map(item => item.label)
    .join(' ')
}

test('the route table: path, title, right', () => {
  const lines = SCREENS.map(
    ({ path, condition, title, allow }) =>
      `${path}${condition ? '/:condition?' : ''} | ${title} | ${allow.action} ${allow.resource}`,
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "/users/:condition? | ユーザー管理 | read:list iam:user.",
      "/users/invite | ユーザーを招待 | write:create iam:user.",
      "/users/edit/$userID | ユーザーの編集 | read:list iam:user.",
      "/invitations/:condition? | 招待 | read:list iam:user.",
      "/organizations/:condition? | 組織 | read:list iam:org.",
      "/organizations/create | 組織の登録 | write:create iam:org.",
      "/organizations/edit/$id | 組織の編集 | read:list iam:org.",
      "/roles/:condition? | ロール | read:list iam:user_role.",
      "/second-factor | 2段階認証 | write:update iam:user_role.",
      "/access-explanation/:condition? | アクセスの説明 | read:list iam:user.",
      "/audit-log/:condition? | 操作の記録 | read:list iam:audit_log.",
    ]
  `)
})

test('what each role sees in the menu', () => {
  expect(Object.fromEntries(ROLES.map(role => [role, menuOf(role)]))).toMatchInlineSnapshot(`
    {
      "admin": "ユーザー 招待 組織 ロール 2段階認証 アクセスの説明 操作の記録",
      "article:admin": "",
      "article:publisher_admin": "",
      "coupon:admin": "",
      "coupon:brand_admin": "",
      "coupon:editor": "",
      "iam:admin": "ユーザー 招待 組織 ロール 2段階認証 アクセスの説明 操作の記録",
      "iam:viewer": "ユーザー 招待 組織 ロール アクセスの説明",
      "insight:admin": "ユーザー 招待 組織 アクセスの説明",
      "insight:editor": "",
      "insight:publisher_admin": "ユーザー 招待 ロール アクセスの説明",
      "insight:publisher_editor": "",
      "insight:viewer": "",
      "video:admin": "",
      "video:publisher_admin": "",
    }
  `)
})

test('an item leads to a screen and asks no less than it; the application begins with the first one', () => {
  for (const { path, allow } of MENU.flatMap(group => group.items))
    expect(SCREENS.find(screen => screen.path === path)?.allow, path).toEqual(allow)
  expect(MENU[0]?.items[0]?.path).toBe(HOME)
})
