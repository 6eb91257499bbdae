import type { Command } from '@pc/ui/command-palette/command-palette.tsx'
import { expect, test } from 'vitest'
import { SCREENS } from './routes.ts'
import { SEARCH_ALIASES, screensByAlias } from './search-aliases.ts'

const ALL: readonly Command[] = SCREENS.map(({ path, title }) => ({ group: '画面', label: title, address: `#${path}` }))
const found = (text: string) => screensByAlias(ALL, text).map(({ label }) => label)

test('every other name leads to a screen', () => {
  const paths = new Set(SCREENS.map(screen => screen.path))
  expect(Object.keys(SEARCH_ALIASES).filter(path => !paths.has(path))).toEqual([])
})

test('what is done somewhere leads there, in kanji or as it is typed', () => {
  expect(found('締め')).toEqual(['分配金調整'])
  expect(found('くみもどし')).toEqual(['振込'])
  expect(found('rss')).toEqual(['フィード'])
  expect(found('インボイス')).toEqual(['登録番号の確認', '支払通知書'])
})

test('one letter finds nothing, nor does the middle of a name', () => {
  expect(found('し')).toEqual([])
  expect(found('戻し')).toEqual([])
})

test('a screen that the person may not open is not found, and a first condition does not hide one', () => {
  expect(screensByAlias([], '締め')).toEqual([])
  const menu: Command = {
    group: 'お支払い',
    label: 'お支払い明細',
    address: '#/histories/payments-for-publishers/month=2026-10',
  }
  expect(screensByAlias([menu], '入金')).toEqual([menu])
})
