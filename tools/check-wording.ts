import fs from 'node:fs'
import path from 'node:path'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

/** Of two ways to write the same thing, people read one. */
const FORMS: readonly (readonly [other: RegExp, ours: string])[] = [
  [/読み込み直|再読込/, '再読み込み'],
  [/わか[るりらっ]/, '分かる'],
  [/(?<!その)他の/, 'ほかの'],
  [/くり返|繰返/, '繰り返す'],
  [/ブラウザ(?!ー)/, 'ブラウザー'],
  [/監査ログ/, '操作の記録'],
  [/支払予定日/, '支払期日'],
  // A word that people may type in front of a colon is read, not written.
  [/(?:計算|支払|振込|確認|回答|差替|作成|出力)済(?![み:])/, '〜済み'],
  [/支払口座|振込先口座/, '振込口座'],
]

const isRead = (file: string) =>
  (/^(apps|domain|features|platform|ui)\//.test(file) && isSource(file) && !/\.test\.tsx?$/.test(file)) ||
  /^docs\/manual\/[^/]+\.md$/.test(file) ||
  file === 'README.ja.md'

export function wrongForms(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    FORMS.flatMap(([other, ours]) => {
      const found = other.exec(line)?.[0]
      return found ? [`${file}:${index + 1} writes 「${found}」, elsewhere it is 「${ours}」`] : []
    }),
  )
}

/** What screens, messages and the manual say has one form for one thing. */
export function checkWording(): { problems: string[]; note: string } {
  const files = repositoryFiles().filter(isRead)
  const problems = files.flatMap(file => wrongForms(file, fs.readFileSync(path.join(ROOT, file), 'utf8')))
  return { problems, note: `${files.length} files` }
}
