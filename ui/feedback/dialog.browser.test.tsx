import '../theme/styles.ts'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from '../elements/button.tsx'
import { Dialog } from './dialog.tsx'

const show = (children: ReactNode, actions: ReactNode = undefined) =>
  render(
    <Dialog title="窓" onClose={() => {}} actions={actions}>
      {children}
    </Dialog>,
  )
const BUTTONS = (
  <>
    <Button>キャンセル</Button>
    <Button tone="danger">削除する</Button>
  </>
)

test('the first field has the focus, unless the dialog names another one', async () => {
  const shown = await show(
    <>
      <input type="hidden" />
      <input aria-label="使えない" disabled />
      <input aria-label="名前" />
      <textarea aria-label="理由" />
    </>,
    BUTTONS,
  )
  await expect.element(page.getByLabelText('名前')).toHaveFocus()
  await shown.unmount()
  await show(
    <>
      <input aria-label="名前" />
      <textarea aria-label="理由" data-autofocus />
    </>,
    BUTTONS,
  )
  await expect.element(page.getByLabelText('理由')).toHaveFocus()
})

test('a body that scrolls can be scrolled with keys alone; one that fits is no stop on the way', async () => {
  const long = (
    <div style={{ height: 3000 }}>
      <p>長い文書</p>
    </div>
  )
  const shown = await show(long, BUTTONS)
  const body = page.getByRole('region', { name: '窓' })
  await expect.element(body).toBeInTheDocument()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(body).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.poll(() => body.element().scrollTop).toBeGreaterThan(1000)
  await shown.unmount()
  await show(<p>短い</p>, BUTTONS)
  expect(page.getByRole('region').elements()).toHaveLength(0)
})

test('without a field the safe button has it, not the cross', async () => {
  const shown = await show(<p>削除しますか？</p>, BUTTONS)
  await expect.element(page.getByRole('button', { name: 'キャンセル' })).toHaveFocus()
  await shown.unmount()
  await show(<a href="#/elsewhere">一覧へ</a>, <Button>閉じます</Button>)
  await expect.element(page.getByRole('button', { name: '閉じます' })).toHaveFocus()
})
