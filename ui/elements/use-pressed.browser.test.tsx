import { useState } from 'react'
import { flushSync } from 'react-dom'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { SegmentedControl } from '../filter/segmented-control.tsx'
import { SelectFilter } from './list-top.tsx'

const OPTIONS = [
  { value: 'daily', label: '日別' },
  { value: 'weekly', label: '週別' },
  { value: 'monthly', label: '月別' },
] as const
type Unit = (typeof OPTIONS)[number]['value']
interface Condition {
  readonly unit: Unit
  readonly other: Unit
}

function Screen({ onRequested }: { onRequested: (condition: Condition) => void }) {
  const [condition, setCondition] = useState<Condition>({ unit: 'daily', other: 'daily' })
  // As screens do: parameters that are not named keep their last rendered value, and an address renders at once.
  const change = (next: Partial<Condition>) => {
    onRequested({ ...condition, ...next })
    flushSync(() => setCondition({ ...condition, ...next }))
  }
  return (
    <>
      <SegmentedControl label="単位" options={OPTIONS} value={condition.unit} onChange={unit => change({ unit })} />
      <SelectFilter label="比較" options={OPTIONS} value={condition.other} onChange={other => change({ other })} />
    </>
  )
}

const weekly = () => page.getByRole('radio', { name: '週別' }).element() as HTMLInputElement

test('a control shows what was pressed before its listeners run', async () => {
  const shownWhenRequested: boolean[] = []
  await render(<Screen onRequested={() => shownWhenRequested.push(weekly().checked)} />)
  weekly().click()
  expect(shownWhenRequested).toEqual([])
  await expect.poll(() => shownWhenRequested).toEqual([true])
  expect(weekly().checked).toBe(true)
})

test('presses on two controls within one frame are both kept', async () => {
  const requested = vi.fn()
  await render(<Screen onRequested={requested} />)
  const select = page.getByRole('combobox', { name: '比較' }).element() as HTMLSelectElement
  weekly().click()
  select.value = 'monthly'
  select.dispatchEvent(new Event('change', { bubbles: true }))
  await expect.poll(() => requested.mock.lastCall).toEqual([{ unit: 'weekly', other: 'monthly' }])
})

test('what nobody agreed to is taken back', async () => {
  const requested = vi.fn()
  await render(<SelectFilter label="比較" options={OPTIONS} value="daily" onChange={requested} />)
  await userEvent.selectOptions(page.getByRole('combobox', { name: '比較' }), 'weekly')
  await expect.poll(() => requested.mock.calls).toEqual([['weekly']])
  await expect.element(page.getByRole('combobox', { name: '比較' })).toHaveValue('daily')
})
