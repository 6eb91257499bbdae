import '../theme/styles.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { expectAccessible } from '../expect-accessible.ts'
import { type Command, CommandPalette } from './command-palette.tsx'
import { PaletteButton } from './palette-button.tsx'

const COMMANDS: Command[] = [
  { group: 'パブリッシャー管理', label: '契約', address: '#/managements/agreements' },
  { group: 'パブリッシャー管理', label: 'フィード', address: '#/managements/feeds' },
]
const field = page.getByRole('combobox')

async function open() {
  const search = vi.fn(
    async (text: string): Promise<readonly Command[]> =>
      text === '東都'
        ? [{ group: '契約', label: '東都新聞', note: 'TOT-1', address: '#/managements/agreements/edit/1' }]
        : [],
  )
  await render(
    <PaletteButton load={vi.fn()}>
      {onClose => <CommandPalette commands={COMMANDS} search={search} onClose={onClose} />}
    </PaletteButton>,
  )
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(field).toHaveFocus()
  return search
}

beforeEach(() => history.replaceState(null, '', '#/'))

test('leads to a screen by keyboard, whatever the kind of kana', async () => {
  await open()
  await expectAccessible()
  await field.fill('ふぃーど')
  await expect.element(page.getByRole('option', { name: 'フィード' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.hash).toBe('#/managements/feeds')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('finds records on the server and leads there', async () => {
  const search = await open()
  await field.fill('東都')
  await expect.element(page.getByRole('option', { name: /東都新聞/ })).toBeVisible()
  expect(search.mock.calls).toEqual([['東都']])
  await page.getByRole('option', { name: /東都新聞/ }).click()
  await expect.poll(() => location.hash).toBe('#/managements/agreements/edit/1')
})

test('begins with what was opened last, each place once, until something is typed', async () => {
  const onGo = vi.fn()
  const suggested = [
    { group: '最近開いたもの', label: '東都新聞', address: '#/managements/agreements/edit/1' },
    { group: '最近開いたもの', label: 'フィード', address: '#/managements/feeds' },
  ]
  await render(
    <CommandPalette suggested={suggested} commands={COMMANDS} search={async () => []} onGo={onGo} onClose={vi.fn()} />,
  )
  const options = () =>
    page
      .getByRole('option')
      .elements()
      .map(option => option.textContent)
  await expect.poll(options).toEqual(['東都新聞', 'フィード', '契約'])
  await field.fill('契約')
  await expect.poll(options).toEqual(['契約'])
  await field.fill('')
  await userEvent.keyboard('{Enter}')
  expect(onGo).toHaveBeenCalledExactlyOnceWith(suggested[0])
  await expect.poll(() => location.hash).toBe('#/managements/agreements/edit/1')
})

test('says when there is nothing, and closes on Escape', async () => {
  await open()
  await field.fill('どこにもない')
  await expect.element(page.getByText('見つかりませんでした。別の言葉で検索してください。')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('the arrow keys follow what is seen, also where records join a group above', async () => {
  const commands: Command[] = [
    { group: '支払', label: '支払予定', address: '#/a' },
    { group: '画面', label: '支払設定', address: '#/b' },
  ]
  const found: Command[] = [{ group: '支払', label: '契約別', address: '#/c' }]
  await render(<CommandPalette commands={commands} search={async () => found} onClose={vi.fn()} />)
  await field.fill('支払')
  await expect.element(page.getByRole('option', { name: '契約別' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('option', { name: '契約別' })).toHaveAttribute('aria-selected', 'true')
})
