import { ROLES } from '@pc/domain/access/role.ts'
import { readConfig } from '@pc/platform/config.ts'
import { expect, test } from 'vitest'
import { DEMO_USERS } from '../../demo/demo-users.ts'
import { startSummary } from './start-summary.ts'

test('every demonstration user stands on a line with what its role does', () => {
  const firstRun = { firstAdminLink: undefined, demo: { users: DEMO_USERS, password: 'abcd' } }
  const lines = startSummary(readConfig({}), ['web', 'api'], firstRun, 1000).split('\n')
  const users = lines.filter(line => line.includes('@example.jp'))
  expect(users).toHaveLength(ROLES.length)
  for (const line of users) expect(line).toMatch(/^ {4}\S+@example\.jp +\S+：\S+$/)
  expect(users.join('\n')).toContain('パブリッシャーの担当者：担当する契約のレポート、記事、確定した支払を閲覧します')
})

test('says where mails go: an invitation is in a file until there is a mail server', () => {
  const of = (settings: Record<string, string>) =>
    startSummary(readConfig(settings), ['web'], { firstAdminLink: undefined, demo: undefined }, 1000)
  expect(of({ DATA_DIR: '/var/pc' })).toContain('Mail          /var/pc/outbox/*.eml')
  expect(of({ SMTP_URL: 'smtp://user:secret@mail.example.jp' })).toContain('Mail          SMTP_URL\n')
  expect(of({ SMTP_URL: 'smtp://user:secret@mail.example.jp' })).not.toContain('secret')
})
