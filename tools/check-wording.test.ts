import { expect, test } from 'vitest'
import { checkNames, checkWording, wrongForms, wrongNames } from './check-wording.ts'

test('the other form is named with its line; ours is not, nor a word that only looks like it', () => {
  expect(wrongForms('a.ts', 'const a = 1\nconst b = "画面を読み込み直してください。"')).toEqual([
    'a.ts:2 writes 「読み込み直」, elsewhere it is 「再読み込み」',
  ])
  expect(wrongForms('a.md', '他のブラウザで開きます。')).toHaveLength(2)
  expect(wrongForms('a.ts', '支払済の月です。振込先口座を確認済みにします。')).toHaveLength(2)
  expect(wrongForms('a.ts', "  支払済: 'paid',")).toEqual([])
  expect(wrongForms('a.md', 'その他の操作を、ほかのブラウザーで再読み込みします。')).toEqual([])
})

test('a retired word does not return; the words that hold it do not count', () => {
  expect(wrongForms('a.ts', "label: '視聴回数'\nlabel: '使用開始月'\nlink: '対応する画面へ'")).toHaveLength(3)
  expect(wrongForms('a.md', 'アドレスを取消します。')).toHaveLength(2)
  expect(wrongForms('a.md', 'メールアドレス、IPアドレス、登録取消年月日、一覧の再読み込み')).toEqual([])
})

test('it looks at the screens and the manual', () => {
  const { problems, note } = checkWording()
  expect(problems).toEqual([])
  expect(Number.parseInt(note, 10)).toBeGreaterThan(1_000)
})

test('a name with a word that has a standard one is found, in a file name and in an identifier', () => {
  const wrong = (file: string, source: string, fixed: readonly string[] = []) =>
    wrongNames(file, source, new Set(fixed)).map(problem => / name (\S+):/.exec(problem)?.[1])
  expect(wrong('a/first-questions.ts', '')).toEqual(['first-questions'])
  expect(wrong('a/b.test.ts', 'const bankDesk = askLeave(MOST_ROWS)')).toEqual(['bankDesk', 'askLeave', 'MOST_ROWS'])
  expect(wrong('a.ts', 'const asked = await bed.toldOn(anew, basked, embedded)')).toEqual([
    'asked',
    'bed',
    'toldOn',
    'anew',
  ])
  expect(wrong('a.tsx', 'const a = <LatePart viewAs={this.#isRush} />')).toEqual(['viewAs', 'isRush'])
  // Parts of words, texts and comments are not names; a name that others know stays.
  expect(wrong('a.ts', '// desk\nconst brushes = { approved: "proof", deskdrop: 1, almost_all: 2 }')).toEqual([])
  expect(wrong('a.ts', 'row.provedAt', ['provedAt'])).toEqual([])
})

test('no name of the tree uses such a word', () => {
  const { problems, note } = checkNames()
  expect(problems).toEqual([])
  expect(Number.parseInt(note, 10)).toBeGreaterThan(2_000)
})
