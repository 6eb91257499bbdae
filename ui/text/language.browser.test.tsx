import { afterEach, expect, test, vi } from 'vitest'
import { makeLanguage } from './language.ts'

const TEXTS = { title: '題', menu: { home: 'ホーム', more: { last: '最後' } } } as const

afterEach(() => {
  vi.restoreAllMocks()
})

test('texts come from the resource of the application, named by their path in it', async () => {
  const requested = vi.spyOn(window, 'fetch').mockResolvedValue(Response.json(TEXTS))
  const { load, t } = makeLanguage<typeof TEXTS>('console')
  expect(t('menu.home')).toBe('menu.home')
  await load()
  expect(requested.mock.calls.map(([address]) => address)).toEqual(['./locales/ja/console.json'])
  expect([t('title'), t('menu.home'), t('menu.more.last')]).toEqual(['題', 'ホーム', '最後'])
})

test('a resource that is not answered is said, not shown as names of texts', async () => {
  vi.spyOn(window, 'fetch').mockResolvedValue(new Response('', { status: 503 }))
  await expect(makeLanguage<typeof TEXTS>('console').load()).rejects.toThrow('console.json: status 503')
})
