import '@pc/ui/theme/styles.ts'
import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { ClientsProvider } from '@pc/ui/data/clients.tsx'
import { expectAccessible } from '@pc/ui/expect-accessible.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useHeaderAnnouncements, WarningPopups } from './header-announcements.tsx'

const warning = (id: string, title: string) => ({
  __typename: 'Announcement' as const,
  id,
  title,
  body: `<p>${title}の本文</p><script>alert(1)</script>`,
  updatedAt: '2026-11-01T00:00:00Z',
  isRead: false,
  level: 'warn' as const,
  closeButtonText: '確認しました',
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
  await expect.poll(() => markRead.mock.calls).toEqual([[['1']]])
  const second = page.getByRole('alertdialog', { name: '規約の改定' })
  await second.getByRole('button', { name: '確認しました' }).click()
  await expect.poll(() => markRead).toHaveBeenCalledTimes(2)
  await expect.element(second).not.toBeInTheDocument()
})

test('a call that fails does not lock anybody out', async () => {
  await render(<WarningPopups warnings={WARNINGS.slice(0, 1)} markRead={() => Promise.reject(new Error('x'))} />)
  await page.getByRole('button', { name: '確認しました' }).click()
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
})

const OPTIONS = { watchQuery: { errorPolicy: 'all' }, query: { errorPolicy: 'all' } } as const

function Bell() {
  return <p>{useHeaderAnnouncements(true).items.map(item => item.title)}</p>
}

afterEach(() => {
  vi.useRealTimers()
})

test('asks again with the time of the question: what has begun meanwhile appears, and nothing vanishes while it asks', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-11-20T00:00:00Z') })
  const requested: unknown[] = []
  const waiting: (() => void)[] = []
  const link = new ApolloLink(
    operation =>
      new Observable(observer => {
        requested.push(operation.variables.now)
        const nodes = WARNINGS.slice(0, requested.length)
        waiting.push(() => {
          observer.next({ data: { announcements: { __typename: 'AnnouncementList', nodes } } })
          observer.complete()
        })
      }),
  )
  const client = new ApolloClient({ link, cache: new InMemoryCache(), defaultOptions: OPTIONS })
  await render(
    <ApolloProvider client={client}>
      <ClientsProvider clients={{ insight: client, iam: client }}>
        <Bell />
      </ClientsProvider>
    </ApolloProvider>,
  )
  waiting.shift()?.()
  await expect.element(page.getByText('支払日の変更')).toBeVisible()
  vi.advanceTimersByTime(5 * 60_000)
  await expect.poll(() => requested).toEqual(['2026-11-20T00:00:00.000Z', '2026-11-20T00:05:00.000Z'])
  await expect.element(page.getByText('支払日の変更')).toBeVisible()
  waiting.shift()?.()
  await expect.element(page.getByText('支払日の変更規約の改定')).toBeVisible()
})
