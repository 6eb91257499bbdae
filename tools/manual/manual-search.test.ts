import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../source-tree.ts'
import { readManual } from './build-manual.ts'
// @ts-expect-error The browser gets this script as it is, without types.
import { findSections, foldText, snippetOf } from './find-sections.js'
import { type SearchSection, searchSections } from './manual-sections.ts'
import { messagesDocument, shownMessages } from './messages-document.ts'

const sections = readManual().flatMap(({ title, name, html }) => searchSections(title, `${name}.html`, html))
type Found = SearchSection & { readonly block: string | undefined }
const found = (query: string): readonly Found[] => findSections(sections, query)

test('a section is found by its heading before those that only mention the words', () => {
  expect(found('期首残高')[0]).toMatchObject({ heading: '期首残高' })
  expect(found('組戻し 手数料').length).toBeGreaterThan(1)
  for (const { page, heading, blocks } of found('組戻し 手数料'))
    for (const word of ['組戻し', '手数料']) expect([page, heading, ...blocks].join()).toContain(word)
})

test('width, case and kana make no difference', () => {
  const hrefs = (query: string) => found(query).map(({ href }) => href)
  expect(hrefs('ｗｅｂｈｏｏｋ')).toEqual(hrefs('Webhook'))
  expect(hrefs('ふぃーど')).toEqual(hrefs('フィード'))
})

test('nothing typed, and nothing that the manual knows, finds nothing', () => {
  expect(found('')).toEqual([])
  expect(found(' 　 ')).toEqual([])
  expect(found('存在しない言葉の組み合わせ')).toEqual([])
})

test('a pasted message finds its line, whatever names and numbers it has', () => {
  const message =
    'リクエストが不正です: パブリッシャー「あおいニュース」は、同じ媒体の契約「ニュース基本契約」の対象でもあります。同じ月に2つの契約で支払わないように、解約日を設定してください。'
  expect(found(message)[0]).toMatchObject({ page: 'メッセージから探す', heading: '媒体、契約、パブリッシャーの登録' })
  expect(found(message)[0]?.block).toContain('同じ媒体の契約「…」の対象でもあります')
})

test('every message finds itself', () => {
  const lost = shownMessages().filter(
    ({ text }) => !found(text).some(({ page, block }) => page === 'メッセージから探す' && block?.includes(text.trim())),
  )
  expect(lost).toEqual([])
})

test('no message on the page is without its value', () => {
  expect(messagesDocument().match(/.*(?:undefined|NaN|\[object|2088|88888888).*/)).toBeNull()
})

test('an excerpt shows the word that was searched', () => {
  const block = `${'前の文です。'.repeat(40)}ここに組戻しがあります。${'後の文です。'.repeat(40)}`
  expect(snippetOf(block, '組戻し')).toMatch(/^….*組戻し.*…$/)
  expect(snippetOf('短い文', '文')).toBe('短い文')
})

test('a folded text knows where its characters stand in the original', () => {
  const { text, places } = foldText('Ａ㍿b')
  expect(text).toBe('a株式会社b')
  expect(places).toEqual([0, 1, 1, 1, 1, 2, 3])
})

test('the newest release is the version of the package', () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const notes = fs.readFileSync(path.join(ROOT, 'docs/manual/release-notes.md'), 'utf8')
  expect(/^## (\S+)（\d{4}年\d{1,2}月\d{1,2}日）$/m.exec(notes)?.[1]).toBe(version)
})
