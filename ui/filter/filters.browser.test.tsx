import '../theme/styles.ts'
import { day } from '@pc/domain/month/day.ts'
import { yearMonth } from '@pc/domain/month/year-month.ts'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { passTime } from '../pass-time.ts'
import { MonthPicker } from './month-picker.tsx'
import { MultiSelect } from './multi-select.tsx'
import { RangePicker, rangePresets } from './range-picker.tsx'

const TODAY = day('2026-11-20')

async function openRange(value = { from: day('2026-11-12'), to: day('2026-11-18') }) {
  const onChange = vi.fn()
  await render(<RangePicker label="集計期間" value={value} today={TODAY} onChange={onChange} />)
  await page.getByRole('button', { name: /集計期間/ }).click()
  return onChange
}

describe('range picker', () => {
  test('offers presets that end yesterday', () => {
    expect(
      Object.fromEntries(rangePresets(TODAY).map(({ label, range }) => [label, `${range.from} ${range.to}`])),
    ).toEqual({
      今月: '2026-11-01 2026-11-19',
      先月: '2026-10-01 2026-10-31',
      直近7日: '2026-11-13 2026-11-19',
      直近28日: '2026-10-23 2026-11-19',
    })
    expect(rangePresets(day('2020-12-02')).every(({ range }) => range.from >= '2020-12-01')).toBe(true)
  })

  test.each([
    { button: 'near the right edge', style: { paddingLeft: 680 } },
    { button: 'in the middle of a narrow window', style: { paddingLeft: 300 } },
  ])('the panel stays in the window when the calendar has come: $button', async ({ style }) => {
    await page.viewport(1000, 700)
    await render(
      <main style={style}>
        <RangePicker label="集計期間" value={{ from: TODAY, to: TODAY }} today={TODAY} onChange={vi.fn()} />
      </main>,
    )
    await page.getByRole('button', { name: /集計期間/ }).click()
    await expect.element(page.getByRole('button', { name: '2026年11月3日（火） 文化の日' })).toBeVisible()
    const panel = page.getByRole('dialog', { name: '集計期間' }).element()
    await expect.poll(() => panel.getBoundingClientRect().right).toBeLessThanOrEqual(window.innerWidth)
    expect(panel.getBoundingClientRect().left).toBeGreaterThanOrEqual(0)
  })

  test('takes a preset at once and returns the focus', async () => {
    const onChange = await openRange()
    await page.getByRole('button', { name: '先月' }).click()
    await expect.poll(() => onChange).toHaveBeenCalledExactlyOnceWith({ from: '2026-10-01', to: '2026-10-31' })
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^集計期間/)
  })

  test('takes two days from the calendar, in Japanese', async () => {
    const onChange = await openRange()
    await expect.element(page.getByText('2026年11月', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: '2026年11月3日（火） 文化の日' }).click()
    expect(onChange).not.toHaveBeenCalled()
    await page.getByRole('button', { name: '2026年11月5日（木）' }).click()
    await expect.poll(() => onChange).toHaveBeenCalledExactlyOnceWith({ from: '2026-11-03', to: '2026-11-05' })
  })

  test('does not reach before 2020-12-01', async () => {
    await openRange({ from: day('2020-12-01'), to: day('2020-12-05') })
    await expect.element(page.getByRole('button', { name: '前月' })).toBeDisabled()
  })

  test('does not reach after today', async () => {
    await openRange()
    await expect.element(page.getByRole('button', { name: '2026年11月21日（土）' })).toBeDisabled()
  })

  test('closes on Escape and on a press outside; axe finds nothing', async () => {
    await openRange()
    await expect.element(page.getByText('2026年11月', { exact: true })).toBeVisible()
    await expectAccessible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await page.getByRole('button', { name: /集計期間/ }).click()
    await expect.element(page.getByRole('dialog')).toBeVisible()
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('month picker', () => {
  test('steps to the neighbours within 2020-12 and this month', async () => {
    const onChange = vi.fn()
    const { rerender } = await render(
      <MonthPicker label="対象月" value={yearMonth(2026, 11)} today={TODAY} onChange={onChange} />,
    )
    await expect.element(page.getByRole('button', { name: '翌月' })).toBeDisabled()
    await page.getByRole('button', { name: '前月' }).click()
    await expect.poll(() => onChange).toHaveBeenCalledWith(202610)
    await rerender(<MonthPicker label="対象月" value={yearMonth(2020, 12)} today={TODAY} onChange={onChange} />)
    await expect.element(page.getByRole('button', { name: '前月' })).toBeDisabled()
  })

  test('takes a month from the calendar', async () => {
    const onChange = vi.fn()
    await render(<MonthPicker label="対象月" value={yearMonth(2026, 10)} today={TODAY} onChange={onChange} />)
    await page.getByRole('button', { name: /対象月: ?2026年10月/ }).click()
    await page.getByRole('button', { name: '3月' }).click()
    await expect.poll(() => onChange).toHaveBeenCalledWith(202603)
  })
})

describe('multi select', () => {
  const options = ['東都新聞', 'みらい経済', 'スポーツ通信'].map((label, index) => ({
    value: String(index + 1),
    label,
  }))

  async function open(more: { onSearch?: (text: string) => void; value?: readonly string[] } = {}) {
    const onChange = vi.fn()
    await render(
      <>
        <MultiSelect label="パブリッシャー" options={options} value={more.value ?? []} onChange={onChange} {...more} />
        <p>外側</p>
      </>,
    )
    await page.getByRole('button', { name: /パブリッシャー/ }).click()
    return onChange
  }

  test('changes only when the choice is confirmed', async () => {
    const onChange = await open()
    await page.getByRole('checkbox', { name: '東都新聞' }).click()
    await page.getByRole('checkbox', { name: 'スポーツ通信' }).click()
    expect(onChange).not.toHaveBeenCalled()
    await page.getByRole('button', { name: '適用' }).click()
    await expect.poll(() => onChange).toHaveBeenCalledExactlyOnceWith(['1', '3'])
  })

  test('takes the choice when the panel is left, and reports nothing when it is unchanged', async () => {
    const onChange = await open({ value: ['2'] })
    await page.getByText('外側').click()
    expect(onChange).not.toHaveBeenCalled()
    await page.getByRole('button', { name: /パブリッシャー.*みらい経済/ }).click()
    await page.getByRole('button', { name: 'すべて解除' }).click()
    await page.getByText('外側').click()
    await expect.poll(() => onChange).toHaveBeenCalledExactlyOnceWith([])
  })

  test('does not search while the input method is composing', async () => {
    const onSearch = vi.fn()
    await open({ onSearch })
    const field = page.getByRole('searchbox', { name: 'パブリッシャーを検索' }).element() as HTMLInputElement
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
    await passTime(400, () => {
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      setValue.call(field, 'ｔ')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    })
    expect(onSearch).not.toHaveBeenCalled()
    setValue.call(field, '東都')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '東都' }))
    await expect.poll(() => onSearch.mock.calls).toEqual([['東都']])
    await expectAccessible()
  })
})
