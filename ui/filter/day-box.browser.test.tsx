import '../theme/styles.ts'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { DayBox, type DayBoxProps, MonthBox } from './day-box.tsx'

let chosen: string[] = []
afterEach(async () => {
  chosen = []
  await page.viewport(1200, 800)
})

function Kept(props: Partial<DayBoxProps> & { of?: typeof DayBox }) {
  const { of: Box = DayBox, value: first = '2026-11-20', ...more } = props
  const [value, setValue] = useState(first)
  const onChange = (next: string) => {
    chosen.push(next)
    setValue(next)
  }
  return <Box label="支払日" {...more} value={value} onChange={onChange} />
}

const box = (name: string) => page.getByRole('textbox', { name })
const calendarButton = (label: string) => page.getByRole('button', { name: `${label}をカレンダーから選択` })
const press = async (element: Element, key: string) => {
  ;(element as HTMLElement).focus()
  await userEvent.keyboard(key)
}

test('is typed in any usual form; what is no day is said when the input is left', async () => {
  await render(<Kept min="2026-11-02" />)
  const input = box('支払日')
  await expect.element(input).toHaveValue('2026/11/20')
  await input.fill('２０２６年１２月１日')
  await userEvent.tab()
  await expect.element(input).toHaveValue('2026/12/01')
  await input.fill('12月ごろ')
  expect(chosen).toEqual(['2026-12-01'])
  await userEvent.tab()
  await expect.element(input).toHaveAccessibleDescription('日付は 2026/11/30 のように入力してください。')
  await expect.element(input).toHaveAttribute('aria-invalid', 'true')
  expect(chosen).toEqual(['2026-12-01', ''])
  await expectAccessible()
  await input.fill('')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('a typed day out of the bounds is said and passed on; a stored one is left in peace', async () => {
  await render(<Kept value="2026-10-31" min="2026-11-02" max="2026-12-31" />)
  const input = box('支払日')
  await press(input.element(), '{Tab}')
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await input.fill('2026/11/1')
  await userEvent.tab()
  await expect.element(page.getByRole('alert')).toHaveTextContent('2026年11月2日以降の日付を入力してください。')
  await input.fill('20270101')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toHaveTextContent('2026年12月31日までの日付を入力してください。')
  expect(chosen).toEqual(['2026-11-01', '2027-01-01'])
})

test('is chosen from a calendar with the keyboard, which names public holidays and ends before the first day', async () => {
  await render(<Kept min="2026-11-02" />)
  const button = calendarButton('支払日')
  await press(button.element(), '{Enter}')
  const holiday = page.getByRole('button', { name: '2026年11月23日（月） 勤労感謝の日' })
  await expect.element(holiday).toBeVisible()
  await expect.element(page.getByRole('button', { name: /2026年11月1日/ })).toBeDisabled()
  await expectAccessible()
  // A week on, and a day back.
  await press(page.getByRole('button', { name: '2026年11月17日（火）' }).element(), '{ArrowDown}{ArrowLeft}')
  await expect.element(holiday).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(box('支払日')).toHaveValue('2026/11/23')
  expect(chosen).toEqual(['2026-11-23'])
  await expect.element(button).toHaveFocus()
})

test('a month is typed or chosen from its grid, and is not taken before its second figure can come', async () => {
  await render(<Kept of={MonthBox} label="適用開始月" value="2026-11" min="2026-10" max="2028-03" />)
  const input = box('適用開始月')
  await input.fill('2027/1')
  expect(chosen).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.element(input).toHaveValue('2027/01')
  await input.fill('２０２７年１２月')
  expect(chosen).toEqual(['2027-01', '2027-12'])
  await input.fill('2028/4')
  await userEvent.tab()
  await expect.element(page.getByRole('alert')).toHaveTextContent('2028年3月までの月を入力してください。')
  await input.fill('2026/10')
  await press(calendarButton('適用開始月').element(), '{Enter}')
  const grid = page.getByRole('dialog', { name: '適用開始月のカレンダー' })
  await expect.element(grid.getByRole('button', { name: '9月' })).toBeDisabled()
  await expectAccessible()
  await press(grid.getByRole('button', { name: '10月' }).element(), '{ArrowRight}{Enter}')
  await expect.element(input).toHaveValue('2026/11')
  expect(chosen).toEqual(['2027-01', '2027-12', '2028-04', '2026-10', '2026-11'])
})

function InDialog({ children }: { children: ReactNode }) {
  return (
    <Dialog title="支払の予定" onClose={() => {}} actions={<button type="button">登録する</button>}>
      {children}
    </Dialog>
  )
}

test.each([1200, 390])(
  'in a dialog of a window of %i px the whole calendar can be seen; each button is named by its field',
  async width => {
    await page.viewport(width, 700)
    await render(
      <InDialog>
        <Kept label="開始日" />
        <Kept label="終了日" />
      </InDialog>,
    )
    await calendarButton('開始日').click()
    await userEvent.keyboard('{Escape}')
    await calendarButton('終了日').click()
    const calendar = page.getByRole('dialog', { name: '終了日のカレンダー' })
    const last = calendar.getByRole('button', { name: '2026年11月30日（月）' })
    await expect.element(last).toBeVisible()
    const { left, top, right, bottom } = last.element().getBoundingClientRect()
    expect(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)).toBe(last.element())
    await expectAccessible()
    await last.click()
    await expect.element(box('終了日')).toHaveValue('2026/11/30')
    // Escape closed the calendar alone.
    await expect.element(page.getByRole('dialog', { name: '支払の予定' })).toBeVisible()
  },
)

function Filter() {
  const [value, setValue] = useState('2026-11-20')
  return (
    <>
      <DayBox
        label="発行日"
        min="2020-12-01"
        value={value}
        onChange={next => setValue(next < '2020-12-01' ? '' : next)}
      />
      <button type="button" onClick={() => setValue('')}>
        クリア
      </button>
    </>
  )
}

test('a text that its filter rejects stays; clearing the filter later empties the box', async () => {
  await render(<Filter />)
  const input = box('発行日')
  await input.fill('2019/1/1')
  await userEvent.tab()
  await expect.element(input).toHaveValue('2019/01/01')
  await expect.element(page.getByRole('alert')).toHaveTextContent('2020年12月1日以降の日付を入力してください。')
  await input.fill('2026/12/1')
  await userEvent.tab()
  await expect.element(input).toHaveValue('2026/12/01')
  await page.getByRole('button', { name: 'クリア' }).click()
  await expect.element(input).toHaveValue('')
})

test('a month next to this one is typed by its word', async () => {
  await render(<Kept of={MonthBox} value="" />)
  await box('支払日').fill('来月')
  await userEvent.tab()
  const [year, month] = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 7).split('-').map(Number)
  const next = month === 12 ? `${year! + 1}-01` : `${year}-${String(month! + 1).padStart(2, '0')}`
  expect(chosen).toEqual([next])
  await expect.element(box('支払日')).toHaveValue(next.replace('-', '/'))
})
