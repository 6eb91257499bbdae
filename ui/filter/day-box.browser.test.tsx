import '../theme/styles.ts'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { DayBox } from './day-box.tsx'

let chosen: string[] = []
afterEach(() => {
  chosen = []
})

function Form() {
  const [value, setValue] = useState('2026-11-20')
  const onChange = (next: string) => {
    chosen.push(next)
    setValue(next)
  }
  return <DayBox label="支払日" value={value} min="2026-11-02" onChange={onChange} />
}

test('is typed in any usual form; what is no day is said when the input is left', async () => {
  await render(<Form />)
  const input = page.getByRole('textbox', { name: '支払日' })
  await expect.element(input).toHaveValue('2026/11/20')
  await input.fill('２０２６年１２月１日')
  await userEvent.tab()
  await expect.element(input).toHaveValue('2026/12/01')
  await input.fill('12月ごろ')
  expect(chosen).toEqual(['2026-12-01'])
  await userEvent.tab()
  await expect.element(page.getByRole('alert')).toHaveTextContent('日付は 2026/11/30 のように')
  await expect.element(input).toHaveAttribute('aria-invalid', 'true')
  expect(chosen).toEqual(['2026-12-01', ''])
  await expectAccessible()
  await input.fill('')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('is chosen from a calendar with the keyboard, which names public holidays and ends before the first day', async () => {
  await render(<Form />)
  const button = page.getByRole('button', { name: 'カレンダーから選択' })
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const holiday = page.getByRole('button', { name: '2026年11月23日（月） 勤労感謝の日' })
  await expect.element(holiday).toBeVisible()
  await expect.element(page.getByRole('button', { name: /2026年11月1日/ })).toBeDisabled()
  await expectAccessible()
  ;(holiday.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('textbox', { name: '支払日' })).toHaveValue('2026/11/23')
  expect(chosen).toEqual(['2026-11-23'])
  await expect.element(button).toHaveFocus()
})
