import { ROLES } from '@pc/domain/access/role.ts'
import { DEMO_USERS } from '@pc/features/demo/server/demo-users.ts'
import { readConfig } from '@pc/platform/config.ts'
import { expect, test } from 'vitest'
import { startSummary } from './start-summary.ts'

test('every demonstration user stands on a line with what its role does', () => {
  const firstRun = { firstAdminLink: undefined, demo: { users: DEMO_USERS, password: 'abcd' } }
  const lines = startSummary(readConfig({}), ['web', 'api'], firstRun, 1000).split('\n')
  const users = lines.filter(line => line.includes('@example.jp'))
  expect(users).toHaveLength(ROLES.length)
  for (const line of users) expect(line).toMatch(/^ {4}\S+@example\.jp +\S+：\S+$/)
  expect(users.join('\n')).toContain('パブリッシャーの担当者：担当する契約のレポート、記事、確定した支払を閲覧します')
})
