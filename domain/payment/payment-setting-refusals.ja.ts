import type { RefusalTexts } from '../refusal-text.ts'

export const PAYMENT_SETTING_REFUSALS_JA = {
  'payment-setting/month-finalized': data =>
    `${data.month}までの月が確定しています。適用開始月は${data.earliest}以降を指定してください。`,
  'payment-setting/first-line': () => '最初の行は削除できません。新しい適用開始月の行を追加してください。',
  'payment-setting/not-found': () => '対象の行が見つかりません。画面を読み込み直してください。',
  'payment-setting/percent-out-of-range': () => '0から100までの整数を入力してください。',
  'payment-setting/amount-negative': () => '0円以上の金額を入力してください。',
  'payment-setting/bank-code-invalid': () => '銀行コードは4桁の数字で入力してください。',
  'payment-setting/fee-day-past': () => '手数料の適用開始日は今日以降を指定してください。',
  'payment-setting/fee-line-missing': data =>
    `${data.destination}の手数料に、0円から始まる行がありません。0円からの手数料を入力してください。`,
  'payment-setting/fee-line-twice': data =>
    `${data.destination}の手数料に、同じ金額から始まる行が2つあります。片方を削除してください。`,
  'payment-setting/file-unreadable': () => 'ファイルを読み込めませんでした。内閣府のCSVファイルを選択してください。',
} as const satisfies RefusalTexts
