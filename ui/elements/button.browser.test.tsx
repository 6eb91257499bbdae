import '../theme/styles.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './button.tsx'

test('while something is under way it keeps the focus and does nothing, in a form as well', async () => {
  const onClick = vi.fn()
  const onSubmit = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  const shown = (isBusy: boolean) => (
    <form onSubmit={onSubmit}>
      <Button aria-disabled={isBusy} onClick={onClick}>
        試す
      </Button>
      <input aria-label="名前" />
      <Button type="submit" aria-disabled={isBusy}>
        保存する
      </Button>
    </form>
  )
  const { rerender } = await render(shown(false))
  const button = page.getByRole('button', { name: '試す' })
  await button.click()
  expect(onClick).toHaveBeenCalledOnce()
  await rerender(shown(true))
  await expect.element(button).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await page.getByLabelText('名前').click()
  await userEvent.keyboard('{Enter}')
  expect(onClick).toHaveBeenCalledOnce()
  expect(onSubmit).not.toHaveBeenCalled()
  await rerender(shown(false))
  await page.getByLabelText('名前').click()
  await userEvent.keyboard('{Enter}')
  expect(onSubmit).toHaveBeenCalledOnce()
})
