import '../theme/styles.ts'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Toasts } from '../feedback/toasts.tsx'
import { lazyPart } from './lazy-part.tsx'

function Part({ name }: { name: string }) {
  return <p>{`${name}が届きました`}</p>
}

test('is drawn without its fallback once its code is there', async () => {
  const fallback = vi.fn(() => null)
  const Fallback = fallback
  const Lazy = lazyPart(async () => Part)
  Lazy.load()
  await Promise.resolve()
  await render(
    <Suspense fallback={<Fallback />}>
      <Lazy name="部品" />
    </Suspense>,
  )
  await expect.element(page.getByText('部品が届きました')).toBeVisible()
  expect(fallback).not.toHaveBeenCalled()
})

test('says when its code does not arrive while something is being entered, leaves the rest alone, and is tried again with the next use', async () => {
  const load = vi.fn(async () => Part)
  // The first load, and the repetitions because the server answers.
  for (let failed = 0; failed < 3; failed += 1) load.mockRejectedValueOnce(new Error('a new version'))
  const Lazy = lazyPart(load)
  const place = (isOpen: boolean) => (
    <>
      <h1>画面</h1>
      <form />
      <Suspense fallback={null}>{isOpen && <Lazy name="部品" />}</Suspense>
      <Toasts />
    </>
  )
  const screen = await render(place(true))
  await expect.element(page.getByText('画面の一部を読み込めませんでした')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: '画面' })).toBeVisible()
  await screen.rerender(place(false))
  await screen.rerender(place(true))
  await expect.element(page.getByText('部品が届きました')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(4)
})

test('waits for its code where the server cannot be reached, without asking for it again and again', async () => {
  const answers = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  const load = vi.fn(async () => Part)
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const Lazy = lazyPart(load)
  await render(
    <Suspense fallback={<p>読み込み中</p>}>
      <Lazy name="部品" />
    </Suspense>,
  )
  await expect.element(page.getByText('サーバーに接続できません。つながると、自動で読み込みます。')).toBeVisible()
  // A device that is online again asks at once instead of waiting.
  const comeBack = () => dispatchEvent(new Event('online'))
  await expect.poll(() => comeBack() && answers.mock.calls.length).toBeGreaterThan(1)
  expect(load).toHaveBeenCalledTimes(1)
  answers.mockResolvedValue(new Response())
  await expect.poll(() => comeBack() && page.getByText('部品が届きました').elements()).toHaveLength(1)
  expect(load).toHaveBeenCalledTimes(2)
  expect(answers.mock.calls.length).toBeLessThan(8)
  answers.mockRestore()
})
