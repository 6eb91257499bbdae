import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { type Guard, goTo, guardAddress, isReturning, useHashPath } from './hash-location.ts'

function Shown() {
  return (
    <>
      <p role="status">{useHashPath()}</p>
      <a href="#/elsewhere">別の画面</a>
    </>
  )
}

const shown = page.getByRole('status')
let release: (() => void) | undefined

async function openForm(ask: Guard = () => {}) {
  goTo('#/list')
  await render(<Shown />)
  goTo('#/form')
  await expect.element(shown).toHaveTextContent('/form')
  const guard = vi.fn(ask)
  release = guardAddress(guard)
  return guard
}

beforeEach(() => history.replaceState(null, '', '#/'))
afterEach(() => {
  release?.()
  release = undefined
})

test('follows links, the address bar and the way back', async () => {
  await render(<Shown />)
  await page.getByRole('link').click()
  await expect.element(shown).toHaveTextContent('/elsewhere')
  expect(isReturning()).toBe(false)
  location.hash = '#/typed'
  await expect.element(shown).toHaveTextContent('/typed')
  history.back()
  await expect.element(shown).toHaveTextContent('/elsewhere')
  expect(isReturning()).toBe(true)
})

describe('guarded', () => {
  test('a link asks first; the address and the screen stay until it is agreed', async () => {
    const guard = await openForm()
    await page.getByRole('link').click()
    await expect.poll(() => guard.mock.calls.length).toBe(1)
    await expect.poll(() => location.hash).toBe('#/form')
    await expect.element(shown).toHaveTextContent('/form')
    guard.mock.calls[0]![0]()
    await expect.element(shown).toHaveTextContent('/elsewhere')
    expect(guard).toHaveBeenCalledOnce()
  })

  test('the way back asks first, and leads back once agreed', async () => {
    const guard = await openForm()
    history.back()
    await expect.poll(() => guard.mock.calls.length).toBe(1)
    await expect.poll(() => location.hash).toBe('#/form')
    guard.mock.calls[0]![0]()
    await expect.element(shown).toHaveTextContent('/list')
    expect(location.hash).toBe('#/list')
  })

  test('asks again after a refusal', async () => {
    const guard = await openForm()
    for (const times of [1, 2]) {
      history.back()
      await expect.poll(() => guard.mock.calls.length).toBe(times)
      await expect.poll(() => location.hash).toBe('#/form')
    }
    await expect.element(shown).toHaveTextContent('/form')
  })

  test('what was saved leads on without a question', async () => {
    const guard = await openForm()
    goTo('#/list', { isFinal: true })
    await expect.element(shown).toHaveTextContent('/list')
    expect(guard).not.toHaveBeenCalled()
  })

  test('closing the window asks the browser to ask', async () => {
    await openForm()
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
    release?.()
    const later = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(later)
    expect(later.defaultPrevented).toBe(false)
  })
})
