import fs from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { isSource, ROOT, repositoryFiles } from './source-tree.ts'

/** Spellings of which only one is used on screens. The first is rejected in favour of the second. */
const FORMS: readonly (readonly [other: RegExp, ours: string])[] = [
  [/読み込み直|読み直|再読込/, '再読み込み'],
  [/わか[るりらっ]/, '分かる'],
  [/(?<!その)他の/, 'ほかの'],
  [/くり返|繰返/, '繰り返す'],
  [/ブラウザ(?!ー)/, 'ブラウザー'],
  [/監査ログ/, '操作の記録'],
  [/支払予定日/, '支払期日'],
  // The word before a colon may be an alias that people type.
  [/(?:計算|支払|振込|確認|回答|差替|作成|出力)済(?![み:])/, '〜済み'],
  [/支払口座|振込先口座/, '振込口座'],
  // Terms of the invoice register are the tax office's own.
  [/取消(?!年月日)/, '取り消し'],
  [/(?<!メール|IP)アドレス(?!ー)/, 'URL, メールアドレス or IPアドレス'],
  [/心当たりの(?:ない|無い)場合|心当たりがないとき/, 'お心当たりがない場合'],
  [/管理者向けガイド|管理マニュアル/, '管理者ガイド'],
  [/事務局|媒体側|社内(?:の方|の担当者|の管理者|のみ)/, '運営'],
  // The texts before a colon and a space are those of the product specification.
  [/[ぁ-んァ-ヶー一-龠々」）](?<!発生しました|不正です): (?=\$\{|[ぁ-んァ-ヶ一-龠「…])|例: /, '：'],
  [/Ctrl\/⌘\+/, 'Ctrl+K, Macは⌘K'],
]

/** Words that a review found hard to understand, with their replacement. */
const RETIRED: readonly (readonly [retired: RegExp, ours: string])[] = [
  [/視聴(?:回)?数|視聴1,000回/, '閲覧数（記事）、再生数（動画・ライブ）、閲覧・再生数（合計）'],
  [/インプレッション数/, '表示回数'],
  [/支払の停止|停止しない/, '支払停止; on the switch お支払い：支払う／停止する'],
  [/対応する画面へ/, 'what is done there: 口座を登録する'],
  [/リクエストが不正です(?!: \$\{)/, '登録できませんでした and the reason'],
  [/支払先から照会がありました/, '照会を送りました'],
  [/を過ぎるとみなし確認/, '〜までにご連絡がなければ、確認済みになります'],
  [/支払に至っていない額/, '未払いの収益（税抜）'],
  [/未確認のまま保存することを/, '「内容を確認しました」にチェックすると、未確認のまま保存できます'],
  [/問い合わせる（GraphQL）|GraphQL ?の問い合わせ/, 'クエリ'],
  [/利用できるアドレス/, '許可するIPアドレス'],
  [/知らせる出来事|1件ずつの出来事/, 'イベント'],
  [/届け方/, '送信方法'],
  [/ファイル全体を断/, '1行でも誤りがあると取り込まず'],
  [/内容の指紋/, 'ハッシュ値'],
  [/封印/, '暗号化'],
  [/読者の画面/, '宛先の方の画面'],
  [/使える／使わない|掲載できる／掲載しない/, '利用する／利用しない、掲載する／掲載しない'],
  [/確定者/, '二者確認'],
  [/調整（csv）/, '個別調整（CSV）'],
  [/使用開始/, '利用開始'],
  [/銀行の印/, '銀行の結果コード'],
  [/自分より強い/, '自分より上位の'],
  [/受付キー/, 'what was sent: 同じ操作が異なる内容で送信されました'],
  [/休業日の繰り下げの書面/, '支払日の順延の書面合意'],
  [/契約の媒体別条件/, 'パブリッシャー別の契約条件'],
  [/失効させられ/, '失効でき'],
  [/まるごと/, '〜全体'],
  [/このアドレスには何もありません/, 'ページが見つかりません。URLを確認してください'],
]

const isRead = (file: string) =>
  (/^(apps|domain|features|platform|ui)\//.test(file) && isSource(file) && !/\.test\.tsx?$/.test(file)) ||
  /^docs\/manual\/[^/]+\.md$/.test(file) ||
  /^apps\/[^/]+\/index\.html$/.test(file) ||
  file === 'README.ja.md'

export function wrongForms(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    [...FORMS, ...RETIRED].flatMap(([other, ours]) => {
      const found = other.exec(line)?.[0]
      return found ? [`${file}:${index + 1} writes 「${found}」, elsewhere it is 「${ours}」`] : []
    }),
  )
}

/** Checks that screens, messages and the manual use one spelling for each term. */
export function checkWording(): { problems: string[]; note: string } {
  const files = repositoryFiles().filter(isRead)
  const problems = files.flatMap(file => wrongForms(file, fs.readFileSync(path.join(ROOT, file), 'utf8')))
  return { problems, note: `${files.length} files` }
}

/** Words in identifiers and file names, with the standard term that replaces them (docs/glossary.md). */
const NAMES: readonly (readonly [word: string, ours: string])[] = [
  ['acting-as', 'impersonation'],
  ['anew', 'again'],
  ['ask-leave', 'warm-preflight'],
  ['asked', 'requested'],
  ['bed', 'fixture'],
  ['deem', 'auto-confirm'],
  ['desk', 'admin, actions, port'],
  ['draw-up', 'generate'],
  ['drawn-up', 'generated'],
  ['early-answer', 'prefetched'],
  ['find-moves', 'publisher-reassignments'],
  ['first-questions', 'prefetched queries'],
  ['forgetful', 'unsynced'],
  ['go-on-with', 'update'],
  ['in-turns', 'run-cooperatively'],
  ['kept-focus', 'restore-focus'],
  ['kept-input', 'draft'],
  ['key-pace', 'rate-limit'],
  ['later-part', 'lazy-part'],
  ['letter', 'email'],
  ['letters', 'emails'],
  ['lives', 'lifetimes'],
  ['no-agreement-screen', 'empty-access-screen'],
  ['other-names', 'search-aliases'],
  ['patient', 'retry'],
  ['proof', 'step-up'],
  ['proved', 'stepped-up'],
  ['read-alone', 'read-single-statement'],
  ['register-standing', 'registration-status'],
  ['remembered-rights', 'permission-cache'],
  ['rush', 'load-shedding'],
  ['spare-process', 'warm-process'],
  ['sudden', 'anomaly'],
  ['tell', 'notify'],
  ['told', 'notified'],
  ['turn-taking', 'mutex'],
  ['use-growth', 'incremental-rows'],
  ['use-stages', 'progressive-render'],
  ['view-as', 'impersonate'],
  ['what-is-over', 'expired'],
]
/** A limit is called MAX_ or MIN_. */
const LIMIT = /^(?:MOST|LONGEST|LARGEST|FEWEST|SHORTEST|SMALLEST)(?:_|$)/
const MAY_HOLD_LIMIT = /\b(?:MOST|LONGEST|LARGEST|FEWEST|SHORTEST|SMALLEST)(?:_|\b)/
/** Keys in the data of queued jobs: jobs of the previous version may still be in the queue after an upgrade. */
const QUEUED_KEYS = new Set(['letter'])

/** Converts `needsStepUp` to `-needs-step-up-`, so that whole words can be searched. */
const kebab = (name: string) =>
  `-${name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/[_.#]+/g, '-')
    .toLowerCase()}-`

const MAY_HOLD = new RegExp(NAMES.map(([word]) => word.replaceAll('-', '[-_]?')).join('|'), 'i')

/** The problem of a name; undefined: none. */
function wrongName(name: string): string | undefined {
  if (LIMIT.test(name)) return 'a limit is called MAX_ or MIN_'
  const text = kebab(name)
  const found = NAMES.find(([word]) => text.includes(`-${word}-`))
  return found && `its standard word is ${found[1]}`
}

/** Problems of the names in a module. @param fixed names that must stay: of the APIs and of database columns */
export function wrongNames(file: string, source: string, fixed: ReadonlySet<string>): string[] {
  const found = new Map<string, string>()
  const look = (name: string) => {
    const problem = fixed.has(name) ? undefined : wrongName(name)
    if (problem) found.set(name, problem)
  }
  look(path.basename(file).replace(/\..*$/, ''))
  if (MAY_HOLD.test(source) || MAY_HOLD_LIMIT.test(source)) {
    const visit = ({ name }: { readonly name: string }) => look(name)
    new Visitor({ Identifier: visit, PrivateIdentifier: visit, JSXIdentifier: visit }).visit(
      parseSync(file, source, { sourceType: 'module' }).program,
    )
  }
  return [...found].map(([name, problem]) => `${file} has the name ${name}: ${problem}`)
}

/** Names of the APIs, tables and columns, and keys of queued jobs, which must not be renamed. */
function fixedNames(): ReadonlySet<string> {
  const texts = ['schemas/insight.graphql', 'schemas/iam.graphql', TABLES].map(file =>
    fs.readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/"""[\s\S]*?"""|\/\*[\s\S]*?\*\//g, ''),
  )
  const tables = fs.readFileSync(path.join(ROOT, 'db/schema.sql'), 'utf8').match(/[a-z]+_[a-z_]+/g) ?? []
  return new Set([...texts.flatMap(text => text.match(/[A-Za-z_]\w*/g) ?? []), ...tables, ...QUEUED_KEYS])
}

/** Checks that identifiers and file names use the standard terms. */
export function checkNames(): { problems: string[]; note: string } {
  const fixed = fixedNames()
  const files = repositoryFiles().filter(file => isSource(file) && file !== TABLES)
  const problems = files.flatMap(file => wrongNames(file, fs.readFileSync(path.join(ROOT, file), 'utf8'), fixed))
  return { problems, note: `${files.length} files` }
}

/** Names of the columns as PostgreSQL has them; made by `npm run db -- dump`. */
const TABLES = 'platform/postgres/tables.ts'
