import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const WEBHOOK_REFUSALS_JA = {
  'webhook/url-not-allowed': () =>
    '送信先は、インターネットから接続できる https:// のURLを入力してください（ポートは443か8443、社内のネットワークのURLは使えません）。',
  'webhook/url-masked': () => 'URLの一部が「…」になっています。送信先のURLをすべて入力してください。',
  'webhook/other-host': (data: RefusalData) => `「${data.format}」で送信できるのは、${data.hosts} のURLだけです。`,
  'webhook/events-missing': () => '通知するイベントを1つ以上選択してください。',
  'webhook/too-many': (data: RefusalData) =>
    `登録できる送信先は${data.max}件までです。使わないものを削除してください。`,
  'webhook/too-often': (data: RefusalData) =>
    `テスト送信と再送は1時間に${data.max}回までです。しばらく待ってからもう一度お試しください。`,
  'webhook/paused': () => 'この送信先は停止しています。再開してから送信してください。',
  'webhook/no-key': () =>
    '署名キーを安全に保管する準備ができていないため、登録と作り直しはできません。システムの担当者に「設定 SECRETS_KEY が必要です」とお伝えください。',
} as const satisfies RefusalTexts
