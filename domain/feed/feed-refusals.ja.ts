import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

/** Feeds, their previews, pictures and copies from staging. */
export const FEED_REFUSALS_JA = {
  'feed/name-missing': () => 'フィードの名前を入力してください。',
  'feed/text-too-long': (data: RefusalData) => `${data.max}文字以内で入力してください。`,
  'feed/url-not-web': () => 'http または https で始まるURLを入力してください。',
  'feed/url-taken': () => 'このURLのフィードは同じ媒体に登録済みです。一覧で確認してください。',
  'feed/number-out-of-range': (data: RefusalData) => `${data.min}から${data.max}までの整数を入力してください。`,
  'feed/publisher-unknown': () => 'パブリッシャーを一覧から選択してください。',
  'feed/publisher-of-other-organization': () =>
    '記事がフィードに残るため、別の組織のパブリッシャーには変更できません。新しいフィードを登録してください。',
  'feed/medium-unknown': () => '媒体を一覧から選択してください。',
  'feed/medium-without-rule': () =>
    'このパブリッシャーには、この媒体の契約条件がありません。別の媒体を選択するか、先にパブリッシャーの画面で契約条件を登録してください。',
  'feed/type-missing': () => 'フィードの種別を選択してください。',
  'feed/in-house-not-allowed': () => 'この項目を変更する権限がありません。項目を外して保存してください。',
  'feed/url-not-allowed': () =>
    'このURLは読み込めません。http または https のURLを、標準のポート（80・443・8080・8443）で指定してください。',
  'feed/address-not-public': () =>
    'このURLは、インターネットに公開されていないサーバーを指しています。公開されているURLを指定してください。',
  'feed/name-not-found': () => 'URLのホスト名が見つかりません。つづりを確認してください。',
  'feed/connection-failed': () => 'サイトに接続できません。URLを確認するか、しばらくしてからお試しください。',
  'feed/timed-out': () => 'サイトから時間内に応答がありません。しばらくしてからお試しください。',
  'feed/too-many-redirects': () => '転送が多すぎて読み込めません。転送先のURLを直接指定してください。',
  'feed/too-large': (data: RefusalData) => `フィードが大きすぎます。${data.maxMegabytes}MB以内にしてください。`,
  'feed/unreadable-body': () => 'サイトの応答を読み取れません。圧縮の設定を確認してください。',
  'feed/http-status': (data: RefusalData) => `サイトがエラー（${data.status}）を返しました。URLを確認してください。`,
  'feed/unreadable': (data: RefusalData) => `フィードを読み取れません（${data.line}行目）。${data.reason}`,
  'image/type-not-allowed': () => '画像はPNG・JPEG・WebPのいずれかを選んでください。',
  'image/size-out-of-range': (data: RefusalData) => `画像は${data.maxMegabytes}MB以内にしてください。`,
  'staging/not-found': () => '取り込み待ちの一覧に見つかりません。一覧を再読み込みしてください。',
  'staging/already-copied': () => 'すでに本番へコピーされています。一覧で確認してください。',
  'staging/publisher-not-copied': () => '先にパブリッシャーを本番へコピーしてください。',
} as const satisfies RefusalTexts
