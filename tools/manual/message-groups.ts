import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'

/** A section of the manual's page about messages: what people do, and where its messages appear. */
export interface MessageGroup {
  readonly title: string
  /** Markdown: the screens and the part of the manual. */
  readonly place: string
}

export const MESSAGE_GROUPS = {
  everywhere: { title: 'どの画面でも', place: 'どの画面でも表示されることがあります。' },
  signIn: {
    title: 'サインイン、本人確認、アカウント',
    place:
      'サインイン画面と、右上のアカウントのメニューの画面です。手順は[はじめてガイド](publisher-guide.md#1-招待を受ける)と[よくある質問](faq.md#サインイン)にあります。',
  },
  reports: {
    title: 'レポート、ボード、グラフのメモ、レポートメール',
    place:
      'ダッシュボード、ランキング、記事・動画のレポート、ボードの画面です。手順は[管理者ガイド](admin-guide.md#2-毎日の確認)にあります。',
  },
  statements: {
    title: '支払通知書の確認と照会',
    place: '「支払通知書」の画面です。手順は[支払通知書](statements.md)にあります。',
  },
  questions: {
    title: '質問と回答',
    place:
      '「質問する」の画面と、「質問」のタブです。手順は[質問したいとき](faq.md#金額や数値について質問したいです)と[質問への回答](admin-guide.md#質問への回答)にあります。',
  },
  accounts: {
    title: '振込口座の申請と承認',
    place:
      '「口座」の画面です。手順は[口座を登録する](publisher-guide.md#3-振込口座を登録する)と[振込口座](admin-guide.md#3-4-振込口座)にあります。',
  },
  programs: {
    title: 'WebhookとAPIキー',
    place: '「Webhook」と「APIキー」の画面です。手順は[Webhook](webhooks.md)と[APIキー](api-keys.md)にあります。',
  },
  people: {
    title: 'ユーザー、組織、権限',
    place: '「ユーザー管理」の画面です。手順は[ユーザーと権限](admin-guide.md#6-ユーザーと権限)にあります。',
  },
  agreements: {
    title: '媒体、契約、パブリッシャーの登録',
    place:
      '「媒体」「契約」「パブリッシャー」の画面です。手順は[登録内容の管理](admin-guide.md#3-登録内容の管理)にあります。',
  },
  feeds: {
    title: 'フィードと記事',
    place:
      '「フィード」と「記事」の画面です。手順は[パブリッシャーとフィード](admin-guide.md#3-3-パブリッシャーとフィード)にあります。フィードの検査で出る表示は[フィード仕様](feed-specification.md#検査で出る表示)にあります。',
  },
  imports: {
    title: '登録データの取り込み',
    place: '「登録データの取り込み」の画面です。手順は[登録データの取り込み](imports.md)にあります。',
  },
  ingest: {
    title: '統計データの取り込み',
    place:
      '「取り込み履歴」の画面です。届いたファイルの行に表示される理由は[統計データの取り込み](ingest.md)にあります。',
  },
  close: {
    title: '月次の締めと分配金調整',
    place:
      '「分配金調整」の画面です。手順は[はじめての月次締め](first-close.md)、確認項目は[確認項目を解消する](first-close.md#2-確認項目を解消する)にあります。',
  },
  transfers: {
    title: '振込と仕訳',
    place: '「振込」の画面です。手順は[振込と仕訳](transfers.md)にあります。',
  },
  settings: {
    title: '支払設定、祝日、登録番号',
    place: '「支払設定」と「登録番号の確認」の画面です。手順は[支払設定](admin-guide.md#支払設定)にあります。',
  },
  announcements: {
    title: 'お知らせの作成',
    place: '「お知らせ」の画面です。手順は[お知らせ](admin-guide.md#5-お知らせ)にあります。',
  },
  retention: {
    title: '保存期間と保全',
    place: '「保存期間と保全」の画面です。手順は[保存期間と保全](admin-guide.md#7-4-保存期間と保全)にあります。',
  },
} as const satisfies Readonly<Record<string, MessageGroup>>

export type GroupName = keyof typeof MESSAGE_GROUPS

type Noun = RefusalCode extends `${infer N}/${string}` ? N : never

/** The section of each noun's refusals. A noun without one does not compile. */
export const GROUP_OF_NOUN = {
  access: 'people',
  'account-change': 'people',
  agreement: 'agreements',
  'agreement-document': 'agreements',
  announcement: 'announcements',
  annotation: 'reports',
  'answer-template': 'questions',
  'api-key': 'programs',
  article: 'feeds',
  bank: 'transfers',
  'bank-account': 'accounts',
  board: 'reports',
  dividend: 'close',
  download: 'everywhere',
  explain: 'close',
  feed: 'feeds',
  'holiday-calendar': 'settings',
  id: 'everywhere',
  idempotency: 'everywhere',
  image: 'feeds',
  import: 'imports',
  ingest: 'ingest',
  input: 'everywhere',
  journal: 'transfers',
  'legal-hold': 'retention',
  list: 'everywhere',
  mail: 'people',
  medium: 'agreements',
  month: 'everywhere',
  name: 'everywhere',
  'opening-balance': 'imports',
  organization: 'people',
  payment: 'close',
  'payment-setting': 'settings',
  preference: 'everywhere',
  publisher: 'agreements',
  question: 'questions',
  record: 'everywhere',
  'register-file': 'settings',
  report: 'reports',
  'report-mail': 'reports',
  role: 'people',
  'saved-view': 'reports',
  search: 'everywhere',
  'second-factor-rule': 'people',
  spreadsheet: 'imports',
  staging: 'agreements',
  state: 'everywhere',
  statement: 'statements',
  transfer: 'transfers',
  user: 'people',
  'view-as': 'people',
  webhook: 'programs',
  'what-if': 'close',
} as const satisfies Readonly<Record<Noun, GroupName>>

/** Refusals that appear elsewhere than the rest of their noun. */
export const GROUP_OF_CODE: Readonly<Partial<Record<RefusalCode, GroupName>>> = {
  'bank/holder-empty': 'accounts',
  'bank/holder-character-not-allowed': 'accounts',
  'bank/holder-too-long': 'accounts',
}

/** Refusals of requests that no screen sends: only programs see their texts. */
export const ONLY_FOR_PROGRAMS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'access/action-unknown',
  'access/resource-unknown',
  'annotation/visibility-wrong',
  'announcement/too-many-ids',
  'dividend/month-missing',
  'dividend/operation-unknown',
  'id/not-a-number',
  'idempotency/key-invalid',
  'input/too-many-items',
  'list/limit-out-of-range',
  'list/offset-out-of-range',
  'list/too-many-rows',
  'month/not-a-month',
  'month/not-a-year',
  'payment/medium-unknown',
  'payment/month-invalid',
  'preference/key-invalid',
  'question/only-publisher',
  'question/only-staff',
  'report/too-many-ids',
  'report/unknown-report',
  'saved-view/content-invalid',
])
