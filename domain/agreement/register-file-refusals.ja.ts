import type { RefusalTexts } from '../refusal-text.ts'

export const REGISTER_FILE_REFUSALS_JA = {
  'register-file/empty': () => 'ファイルに登録番号がありません。国税庁の公表サイトのCSVファイルを選択してください。',
  'register-file/header-unknown': () =>
    'ファイルの形式が分かりません。国税庁の公表サイトのCSVか、「登録番号」「登録年月日」「失効年月日」の列があるCSVを選択してください。',
  'register-file/line-unreadable': data =>
    `${data.line}行目を読み取れません。登録番号（T と13桁の数字）と、年月日（2026-10-01 の形式）を確認してください。`,
  'register-file/twice': data =>
    `${data.line}行目の${data.number}が、異なる失効日で重複しています。片方を削除してください。`,
} as const satisfies RefusalTexts
