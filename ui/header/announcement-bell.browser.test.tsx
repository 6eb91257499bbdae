import '../theme/styles.ts'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { AnnouncementBell } from './announcement-bell.tsx'
import type { AnnouncementItem } from './announcement-item.ts'

const item = (id: string, more: Partial<AnnouncementItem> = {}): AnnouncementItem => ({
  id,
  title: `お知らせ${id}`,
  body: '<p>本文</p>',
  type: 'info',
  isRead: false,
  dateText: '2026年11月20日',
  link: `#/announcements/${id}`,
  ...more,
})

test('counts the unread, and marks them as read when it is opened', async () => {
  const onRead = vi.fn()
  await render(<AnnouncementBell items={[item('1'), item('2', { isRead: true }), item('3')]} onRead={onRead} />)
  const bell = page.getByRole('button', { name: 'お知らせ 2 件の未読のお知らせがあります' })
  await expect.element(bell).toHaveTextContent('2')
  const pulse = getComputedStyle(bell.element().querySelector('span')!, '::before')
  expect([pulse.animationDuration, pulse.animationIterationCount]).toEqual(['2s', 'infinite'])
  await bell.click()
  await expect.poll(() => onRead).toHaveBeenCalledExactlyOnceWith(['1', '3'])
  await expect.element(page.getByRole('heading', { name: 'お知らせ' })).toBeVisible()
  await expect.element(page.getByText('2 件の未読のお知らせがあります')).toBeVisible()
  await expectAccessible()
})

test('has a green marker for info and for anything unknown, an amber one for warnings', async () => {
  const odd = item('3', { type: 'other' as 'info' })
  await render(<AnnouncementBell items={[item('1'), item('2', { type: 'warn' }), odd]} onRead={() => {}} />)
  await page.getByRole('button', { name: /お知らせ/ }).click()
  const colors = page
    .getByRole('listitem')
    .elements()
    .map(element => getComputedStyle(element, '::before').backgroundColor)
  expect(colors[0]).toBe('rgb(20, 108, 62)')
  expect(colors[1]).toBe('rgb(217, 138, 0)')
  expect(colors[2]).toBe(colors[0])
})

test('clips a body at 60 px and cleans it', async () => {
  const body = `<p>${'長い本文。'.repeat(200)}</p><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>
    <a href="javascript:window.hacked=1">a</a><form><input></form><p style="position:fixed">b</p>`
  await render(<AnnouncementBell items={[item('1', { body })]} onRead={() => {}} />)
  await page.getByRole('button', { name: /お知らせ/ }).click()
  await expect.element(page.getByText(/長い本文/)).toBeInTheDocument()
  const text = page.getByText(/長い本文/).element()
  expect(text.closest('[class*=body]')!.getBoundingClientRect().height).toBeCloseTo(60, 1)
  const dialog = page.getByRole('dialog').element()
  expect(dialog.querySelector('img, script, form, input, [style], [href^="javascript"]')).toBeNull()
  expect('hacked' in window).toBe(false)
})

test('opens an item by its title and by its body', async () => {
  await render(<AnnouncementBell items={[item('7')]} onRead={() => {}} />)
  await page.getByRole('button', { name: /お知らせ/ }).click()
  await page.getByRole('link', { name: 'お知らせ7' }).click()
  await expect.poll(() => location.hash).toBe('#/announcements/7')
  location.hash = ''
  await page.getByRole('button', { name: /お知らせ/ }).click()
  await page.getByText('本文').click()
  expect(location.hash).toBe('#/announcements/7')
})
