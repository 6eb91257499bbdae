import { expect, test } from 'vitest'
import { checkWording, wrongForms } from './check-wording.ts'

test('the other form is named with its line; ours is not, nor a word that only looks like it', () => {
  expect(wrongForms('a.ts', 'const a = 1\nconst b = "画面を読み込み直してください。"')).toEqual([
    'a.ts:2 writes 「読み込み直」, elsewhere it is 「再読み込み」',
  ])
  expect(wrongForms('a.md', '他のブラウザで開きます。')).toHaveLength(2)
  expect(wrongForms('a.ts', '支払済の月です。振込先口座を確認済みにします。')).toHaveLength(2)
  expect(wrongForms('a.ts', "  支払済: 'paid',")).toEqual([])
  expect(wrongForms('a.md', 'その他の操作を、ほかのブラウザーで再読み込みします。')).toEqual([])
})

test('it looks at the screens and the manual', () => {
  const { problems, note } = checkWording()
  expect(problems).toEqual([])
  expect(Number.parseInt(note, 10)).toBeGreaterThan(1_000)
})
