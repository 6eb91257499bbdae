import type { Refusal } from '../refusal.ts'
import type { AccountHolderRefusal } from './account-holder-kana.ts'
import type { ResultCsvRefusal } from './transfer-result-csv.ts'
import type { ReadZenginRefusal, ZenginRefusal } from './zengin-record.ts'
import type { TransferResultRefusal } from './zengin-result.ts'

type Code = (
  | AccountHolderRefusal
  | ZenginRefusal
  | ReadZenginRefusal
  | TransferResultRefusal
  | ResultCsvRefusal
)['code']

/** Japanese texts of the refusals of this folder; every code has one. */
export const BANK_REFUSALS_JA = {
  'bank/holder-empty': () => '口座名義（カナ）を入力してください。',
  'bank/holder-character-not-allowed': data =>
    `口座名義に使えない文字（${data.characters}）があります。カナ・英大文字・数字と ( ) - . で、通帳のとおりに入力してください。`,
  'bank/holder-too-long': data =>
    `口座名義が${data.limit}文字を超えています（濁点・半濁点も1文字、現在${data.bytes}文字）。法人の略語を使うなど、銀行に届け出た略称を入力してください。`,
  'bank/file-empty': () => '振込データにする支払がありません。',
  'bank/code-wrong': () => '銀行コード（4桁）、支店コード（3桁）、委託者コード、預金種目を確認してください。',
  'bank/account-number-wrong': () => '口座番号は7桁以内の数字で入力してください。',
  'bank/client-name-not-allowed': () => '振込依頼人名は、半角カナ・英大文字・数字で40文字以内に設定してください。',
  'bank/amount-out-of-range': () =>
    '1件の振込額は1円から9,999,999,999円までです。支払設定の「1件あたりの振込限度額」を確認してください。',
  'bank/transfer-twice': () => '同じ振込が2回含まれています。振込データを作り直してください。',
  'bank/total-out-of-range': () => '1つのファイルの件数または合計金額が上限を超えています。ファイルを分けてください。',
  'bank/record-length-wrong': () =>
    'ファイルの長さが120バイトの倍数ではありません。銀行から受け取ったファイルをそのまま取り込んでください。',
  'bank/record-order-wrong': () => 'ファイルの並び（ヘッダー・データ・トレーラー・エンド）が正しくありません。',
  'bank/record-unreadable': data =>
    `${data.record}件目のレコードを読み取れません。ファイルが壊れていないか確認してください。`,
  'bank/trailer-differs': () =>
    '合計件数または合計金額が明細と一致しません。ファイルが途中で切れていないか確認してください。',
  'bank/result-transfer-unknown': data =>
    `振込番号${data.transferNumber}は、作成した振込データにありません。対象のファイルか確認してください。`,
  'bank/result-record-unclear': data =>
    `振込番号${data.transferNumber}は数件に分けて振り込んでいて、どの件の結果か分かりません。「結果の記入用CSV」の番号（例：123-2）で取り込むか、振込の画面で登録してください。`,
  'bank/result-transfer-twice': data => `振込番号${data.transferNumber}が2回含まれています。`,
  'bank/result-amount-differs': data => `振込番号${data.transferNumber}の金額が、作成した振込データと異なります。`,
  'bank/result-account-differs': data => `振込番号${data.transferNumber}の振込先が、作成した振込データと異なります。`,
  'bank/result-csv-header-missing': data =>
    `1行目の見出しに${data.columns}の列がありません。「結果の記入用CSV」に記入して取り込んでください。`,
  'bank/result-csv-empty': () =>
    '結果が記入された行がありません。「結果」の列に「支払済み」または「組戻し」と記入してください。',
} as const satisfies Record<Code, (data: Refusal['data']) => string>
