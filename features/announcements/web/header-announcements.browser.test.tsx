import '@pc/ui/theme/styles.ts'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { WarningPopups } from './header-announcements.tsx'

const warning = (id: string, title: string) => ({
  ...{ __typename: 'Announcement' as const, id, title, body: `<p>${title}の本文</p><script>alert(1)</script>` },
  ...{ updatedAt: '2026-11-01T00:00:00Z', isRead: false, level: 'warn' as const, closeButtonText: '確認しました' },
})
const WARNINGS = [warning('1', '支払日の変更'), warning('2', '規約の改定')]

test('warnings block one at a time; confirming marks one as read by a call, then the next one comes', async () => {
  const markRead = vi.fn(async () => {})
  await render(<WarningPopups warnings={WARNINGS} markRead={markRead} />)
  const first = page.getByRole('alertdialog', { name: '支払日の変更' })
  await expect.element(first.getByText('支払日の変更の本文')).toBeVisible()
  expect(document.querySelector('dialog script')).toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.element(first).toBeVisible()
  await expectAccessible()
  await first.getByRole('button', { name: '確認しました' }).click()
  expect(markRead.mock.calls).toEqual([[['1']]])
  const second = page.getByRole('alertdialog', { name: '規約の改定' })
  await second.getByRole('button', { name: '確認しました' }).click()
  expect(markRead).toHaveBeenCalledTimes(2)
  await expect.element(second).not.toBeInTheDocument()
})

test('a call that fails does not lock anybody out', async () => {
  await render(<WarningPopups warnings={WARNINGS.slice(0, 1)} markRead={() => Promise.reject(new Error('x'))} />)
  await page.getByRole('button', { name: '確認しました' }).click()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
})
