import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import '../theme/styles.ts'
import type { Role } from '@pc/domain/access/role.ts'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../expect-accessible.ts'
import { defineRoute } from '../routing/define-route.ts'
import { goTo } from '../routing/hash-location.ts'
import { showScreen } from '../routing/screen-fixture.tsx'

const route = (path: `/${string}`, title: string, resource: ResourceName, isOwn = false) =>
  defineRoute({
    path,
    title,
    allow: { action: 'read:list', resource },
    isOwn,
    view: async () => () => <h1>{`${title}の中身`}</h1>,
  })
const SCREENS = [
  route('/reports', 'レポート', 'insight:summary_stats.'),
  route('/payments', 'お支払い', 'insight:monthly_payment.'),
  route('/reports/mails', 'レポートメール', 'insight:summary_stats.', true),
  route('/announcements', 'お知らせ', 'insight:announcement.'),
]
const MESSAGE = page.getByRole('heading', { name: '担当する契約がまだ割り当てられていません' })

afterEach(() => goTo('#/', { isFinal: true }))

function show(path: string, role: Role, agreementIds?: readonly string[]) {
  return showScreen({ screens: SCREENS, path, role, answers: {}, ...(agreementIds ? { agreementIds } : {}) })
}

test.each(['/reports', '/payments'])('%s says so to an editor without an agreement, and whom to ask', async path => {
  await show(path, 'insight:publisher_editor', [])
  await expect.element(MESSAGE).toBeVisible()
  await expect.element(page.getByText(/ご自分の組織の管理者の方に/)).toBeVisible()
  await expectAccessible()
})

test.each([
  ['what is not of agreements', '/announcements', 'insight:publisher_editor', [], 'お知らせの中身'],
  ['what is the own alone', '/reports/mails', 'insight:publisher_editor', [], 'レポートメールの中身'],
  ['an editor with one', '/reports', 'insight:publisher_editor', ['7'], 'レポートの中身'],
  [
    'an editor whose agreements could not be asked for',
    '/reports',
    'insight:publisher_editor',
    undefined,
    'レポートの中身',
  ],
  ['an administrator of an organisation', '/reports', 'insight:publisher_admin', [], 'レポートの中身'],
  ['staff', '/reports', 'insight:viewer', [], 'レポートの中身'],
] as const)('%s: the screen itself', async (_who, path, role, agreementIds, heading) => {
  await show(path, role, agreementIds)
  await expect.element(page.getByRole('heading', { name: heading })).toBeVisible()
})
