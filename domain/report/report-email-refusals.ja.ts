import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const REPORT_EMAIL_REFUSALS_JA = {
  'report-mail/name-missing': () => 'メールの名前を入力してください。',
  'report-mail/name-too-long': (data: RefusalData) => `メールの名前は${data.max}文字以内で入力してください。`,
  'report-mail/hour-invalid': () => '送信する時刻を0時から23時の間で選択してください。',
  'report-mail/ranking-not-allowed': () =>
    'パブリッシャーの順位を見る権限がありません。「記事の上位10件」または「表示しない」を選択してください。',
  'report-mail/too-many': (data: RefusalData) =>
    `登録できるレポートメールは${data.max}件までです。使わないものを削除してください。`,
  'report-mail/no-reports': () => 'レポートを見る権限がないため、メールを登録できません。管理者にご確認ください。',
  'report-mail/too-many-tests': (data: RefusalData) =>
    `テスト送信は1時間に${data.max}回までです。しばらく待ってからもう一度お試しください。`,
} as const satisfies RefusalTexts
