import '../theme/styles.ts'
import { IconArticle } from '@tabler/icons-react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ScreenTabs } from './screen-tabs.tsx'
import { Shell } from './shell.tsx'

afterEach(() => page.viewport(1440, 900))

test.each([
  ['a desktop', 1440, 900],
  ['a phone', 390, 844],
])('the footer is fixed on %s, and what is long ends above it', async (_device, width, height) => {
  await page.viewport(width, height)
  await render(
    <Shell groups={[]} path="/" screenKey="/" header={() => null} footer="フッター">
      <p style={{ height: 3000 }}>長い内容</p>
    </Shell>,
  )
  const footer = page.getByRole('contentinfo').element()
  const bottom = () => footer.getBoundingClientRect().bottom
  expect(bottom()).toBe(height)
  window.scrollTo(0, document.documentElement.scrollHeight)
  expect(bottom()).toBe(height)
  const text = page.getByText('長い内容').element()
  expect(text.getBoundingClientRect().bottom).toBeLessThanOrEqual(footer.getBoundingClientRect().top)
})

test('the item of a tab is the active one, its own screen or not', async () => {
  const items = [
    { label: '支払', icon: IconArticle, href: '#/payments', paths: ['/payments', '/statements', '/agreements'] },
    { label: '契約', icon: IconArticle, href: '#/agreements', paths: ['/agreements', '/media'] },
  ]
  const at = (path: string) => (
    <Shell groups={[{ items }]} path={path} screenKey={path} header={() => null} footer="">
      <p>内容</p>
    </Shell>
  )
  const { rerender } = await render(at('/statements'))
  const active = () => document.querySelector('nav a[aria-current="page"]')?.textContent
  await expect.poll(active).toBe('支払')
  await rerender(at('/media/edit/$id'))
  await expect.poll(active).toBe('契約')
  await rerender(at('/agreements'))
  await expect.poll(active).toBe('契約')
  await rerender(at('/statements-of-others'))
  await expect.poll(active).toBeUndefined()
})

test('the current tab is in sight on a phone', async () => {
  await page.viewport(390, 844)
  const tabs = ['分配金調整', '振込', '試算', '登録番号の確認', '支払設定', '保存期間と保全']
  await render(
    <div style={{ padding: 20 }}>
      <ScreenTabs tabs={tabs.map(label => ({ label, href: `#/${label}`, isCurrent: label === tabs.at(-1) }))} />
    </div>,
  )
  const current = page.getByRole('link', { name: '保存期間と保全' })
  await expect.element(current).toHaveAttribute('aria-current', 'page')
  await expect.element(current).toBeInViewport({ ratio: 0.95 })
})

test.each([
  ['a desktop', 1440, 900],
  ['a phone', 390, 844],
])('every label of the menu is in full on %s, and a short one on one line', async (_device, width, height) => {
  await page.viewport(width, height)
  const items = ['契約', 'パブリッシャーランキング', 'Publisher Centerのホーム'].map(label => ({
    ...{ label, icon: IconArticle, href: `#/${label}` },
  }))
  const external = { label: 'コンテンツガイドライン', icon: IconArticle, href: 'https://example.jp/' }
  await render(
    <Shell groups={[{ items: [...items, external] }]} path="/" screenKey="/" header={() => null} footer="">
      <p>内容</p>
    </Shell>,
  )
  const links = [...document.querySelectorAll<HTMLElement>('nav a')]
  expect(links).toHaveLength(4)
  for (const link of links) {
    for (const part of [link, ...link.querySelectorAll<HTMLElement>('span:not(.visually-hidden)')]) {
      expect(part.scrollWidth).toBeLessThanOrEqual(part.clientWidth)
      expect(part.scrollHeight).toBeLessThanOrEqual(part.clientHeight)
    }
  }
  expect(links[0]!.getBoundingClientRect().height).toBe(38)
  expect(links[1]!.getBoundingClientRect().height).toBe(38)
})
