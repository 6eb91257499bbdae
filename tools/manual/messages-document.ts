import fs from 'node:fs'
import path from 'node:path'
import { REFUSAL_MESSAGES_JA, type RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { RefusalData } from '@pc/domain/refusal-text.ts'
import { SIGN_IN_MESSAGES, type SignInRefusalCode } from '@pc/features/sign-in/refusals.ts'
import { type HttpProblemCode, httpProblemJa } from '@pc/platform/http/http-problems.ja.ts'
import { ROOT } from '../source-tree.ts'
import { GROUP_OF_CODE, GROUP_OF_NOUN, type GroupName, MESSAGE_GROUPS, ONLY_FOR_PROGRAMS } from './message-groups.ts'
import { REMEDIES } from './message-remedies.ts'

/** `docs/manual/messages.md`: the messages that people see, by task, from the dictionaries that print them. */
const FILE = 'docs/manual/messages.md'

const INTRODUCTION = `# メッセージから探す

画面に表示されるメッセージと、その対応です。上の検索に、メッセージをそのまま貼り付けて探せます。「…」には、名前や数値が入ります。
対応のないものは、メッセージのとおりに直してください。直しても表示されるときは、運営の担当者へ連絡してください。
`

/** Messages of the screens themselves, which no dictionary holds. */
const OF_SCREENS: readonly (readonly [text: string, remedy: string])[] = [
  [
    '通信エラー',
    'サーバーに届いていません。通信の状態を確認し、ページを再読み込みしてください。入力した内容は残っています。',
  ],
  [
    'サーバーに接続できません。つながると、自動で読み込みます。',
    'そのままお待ちください。長く続くときは、運営の担当者へ連絡してください。',
  ],
  [
    '権限がありません',
    'ロールか、担当する契約が変わった可能性があります。ご自分の組織の管理者か、運営の担当者に確認してください。',
  ],
  ['画面を表示できませんでした', '通信が切れたか、新しい版が公開されました。再読み込みしてください。'],
]

/** HTTP problems that a person can cause at a screen; programs see the others. */
const OF_HTTP: readonly HttpProblemCode[] = [
  'not-found',
  'timed-out',
  'fault',
  'upload-used',
  'upload-expired',
  'upload-too-large',
  'upload-size-differs',
  'no-space',
  'no-scan',
]

/**
 * Values of which each text makes something that occurs nowhere else, so that it can become 「…」: a day, a month, or
 * an amount where the text computes with the value.
 */
const VALUES: RefusalData = {
  ...{ day: '2088-11-28', transferOn: '2088-11-28', paidOn: '2088-11-28', from: '2088-11-28', retiredOn: '2088-11-28' },
  ...{ firstOpenMonth: 208_811, amountYen: 88_888_888, limitYen: 88_888_888 },
}
const FROM_VALUES = /2088年11月28日|2088-11-28|2088年11月|2088(?=年)|88,?888,?888/g
const ANYTHING = new Proxy<RefusalData>({}, { get: (_, name) => VALUES[String(name)] ?? '…' })
/** Texts that depend on a value: all that there are. */
const VARIANTS: Partial<Record<RefusalCode, readonly RefusalData[]>> = {
  'transfer/recalled-sent-again': ['planned', 'exported', 'paid'].map(state => withValues({ state })),
  'transfer/return-fee-out-of-range': [withValues({ max: 88_888_888 })],
}

function withValues(values: RefusalData): RefusalData {
  return new Proxy(values, { get: (_, name) => values[String(name)] ?? ANYTHING[String(name)] })
}

export interface Message {
  readonly code: string
  readonly text: string
  readonly group: GroupName
}

/** All messages of the page. */
export function shownMessages(): readonly Message[] {
  const refusals = (Object.keys(REFUSAL_MESSAGES_JA) as RefusalCode[])
    .filter(code => !ONLY_FOR_PROGRAMS.has(code))
    .flatMap(code => textsOf(code).map(text => ({ code, text, group: groupOf(code) })))
  const ofSignIn = (Object.keys(SIGN_IN_MESSAGES) as SignInRefusalCode[]).map(code => ({
    ...{ code, text: SIGN_IN_MESSAGES[code].replaceAll(/\{\w+\}/g, '…'), group: 'signIn' as const },
  }))
  const ofHttp = OF_HTTP.map(code => ({
    ...{ code, text: httpProblemJa(code, ANYTHING), group: 'everywhere' as const },
  }))
  return [...ofHttp, ...ofSignIn, ...refusals]
}

function textsOf(code: RefusalCode): string[] {
  const text: (data: RefusalData) => string = REFUSAL_MESSAGES_JA[code]
  return (VARIANTS[code] ?? [ANYTHING]).map(data => text(data).replaceAll(FROM_VALUES, '…'))
}

function groupOf(code: RefusalCode): GroupName {
  return GROUP_OF_CODE[code] ?? GROUP_OF_NOUN[code.slice(0, code.indexOf('/')) as keyof typeof GROUP_OF_NOUN]
}

export function messagesDocument(): string {
  const messages = shownMessages()
  const sections = (Object.keys(MESSAGE_GROUPS) as GroupName[]).map(name => {
    const { title, place } = MESSAGE_GROUPS[name]
    const lines = new Set(messages.filter(({ group }) => group === name).map(lineOf))
    const items = [
      ...(name === 'everywhere' ? OF_SCREENS.map(([text, remedy]) => item(text, remedy)) : []),
      ...lines,
    ].map(line => `- ${line}\n`)
    return `\n## ${title}\n\n${place}\n\n${items.join('')}`
  })
  return `${INTRODUCTION}${sections.join('')}`
}

function lineOf({ code, text }: Message): string {
  return item(text, (REMEDIES as Readonly<Record<string, string>>)[code])
}

/** The message; with a remedy, on two lines. */
function item(text: string, remedy: string | undefined): string {
  const message = escapeMarkdown(text.trim())
  return remedy === undefined ? message : `**${message}**\\\n  ${remedy}`
}

/** Without links that Markdown would make of example addresses. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[<*_`[\]|@]|(?<=https?):/g, '\\$&').replaceAll('\n', ' ')
}

export function writeMessagesDocument(): void {
  fs.writeFileSync(path.join(ROOT, FILE), messagesDocument())
}

/** Part of the check that generated files are current. */
export function checkMessagesDocument(): { problems: readonly string[]; note: string } {
  const file = path.join(ROOT, FILE)
  const committed = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const isCurrent = committed === messagesDocument()
  const problems = isCurrent ? [] : [`${FILE} is not what the messages say: npm run generate`]
  return { problems, note: `${shownMessages().length} messages` }
}
