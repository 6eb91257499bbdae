import { formatYen } from '../money/yen.ts'
import type { Refusal } from '../refusal.ts'
import type { SettlementRefusal } from '../settlement/settlement-check.ts'
import type { StatementRefusal } from '../statement/statement.ts'
import type { StatementAnswerRefusal } from '../statement/statement-answer-refusal.ts'
import type { ConfirmationRefusal } from '../statement/statement-confirmation.ts'
import type { TransferRefusal } from '../transfer/transfer.ts'
import type { AdjustmentCsvRefusal } from './adjustment-csv.ts'
import type { PoolWeightRefusal } from './adjustment-weights.ts'
import type { FinalizeRefusal } from './finalize-guard.ts'
import { jobName } from './job-text.ts'
import type { ManualOperationRefusal } from './manual-operation.ts'
import type { TransitionRefusal } from './transition-table.ts'

type Texts<R extends Refusal> = Record<R['code'], (data: Refusal['data']) => string>

/** Japanese texts of refusals of settling, closing, manual operations, transfers and statements; every code has one. */
const SETTLEMENT_REFUSALS_JA = {
  'payment/agreement-twice': data => `契約${data.agreementId}が重複しています。`,
  'payment/publisher-twice': data => `契約${data.agreementId}にパブリッシャー${data.publisherId}が重複しています。`,
  'payment/medium-differs': data =>
    `契約${data.agreementId}とその契約条件の媒体が一致していません。条件を直してください。`,
  'payment/agreement-without-publishers': data =>
    `契約${data.agreementId}には固定額か最低保証額がありますが、パブリッシャーがありません。パブリッシャーを登録してください。`,
  'payment/own-ads-negative': data =>
    `パブリッシャー${data.publisherId}（契約${data.agreementId}）の広告収益が負の値です。取り込んだ統計を確認してください。`,
  'payment/amount-negative': data => `契約${data.agreementId}の固定額・最低保証額・支払下限額に負の値があります。`,
  'payment/amount-too-large': data =>
    `契約${data.agreementId}の固定額か最低保証額が1兆円を超えています。桁を確認してください。`,
  'payment/rate-out-of-range': data =>
    `パブリッシャー${data.publisherId}（契約${data.agreementId}）の支払率が0%から100%の範囲にありません。`,
  'payment/adjustment-without-rule': data =>
    `調整データ（${jobName(data.jobId)}の${data.line}行目）の契約とパブリッシャーの組み合わせがありません。`,
  'payment/adjustment-twice': data => `調整データ（${jobName(data.jobId)}の${data.line}行目）が重複しています。`,
  'payment/discard-negative': data =>
    `破棄する金額（${jobName(data.jobId)}の${data.line}行目）には0以上の数を指定してください。`,
  'payment/origin-month-later': data =>
    `訂正の対象月（${jobName(data.jobId)}の${data.line}行目）が、計算する月より後です。取り消して、計算する月以前の月で登録し直してください。`,
  'payment/origin-month-without-rate': data =>
    `訂正の対象月 ${data.month}（${jobName(data.jobId)}の${data.line}行目）には消費税率がありません。取り消して、正しい対象月で登録し直してください。`,
  'payment/carried-month-without-rate': data =>
    `パブリッシャー${data.publisherId}（契約${data.agreementId}）の繰越に、消費税率か控除割合のない月 ${data.month} があります。支払設定で、その月から適用する率を登録してください。`,
  'payment/month-without-rate': data =>
    `${data.month}の消費税率か控除割合がありません。支払設定で、その月から適用する率を登録してください。`,
  'payment/pool-negative': data => `${jobName(data.jobId)}の原資が負の値です。`,
  'payment/pool-weight-twice': data => `${jobName(data.jobId)}の重みに同じパブリッシャーが2回あります。`,
  'payment/pool-weight-negative': data => `${jobName(data.jobId)}の重みに負の値があります。`,
  'payment/pool-without-target': data =>
    `${jobName(data.jobId)}には配分の対象がありません。対象の設定を確認し、取り消してから登録し直してください。`,
  'payment/job-twice': data => `${jobName(data.jobId)}が重複しています。`,
  'payment/accounts-ambiguous': data =>
    `契約${data.agreementId}に、同じ月から使う口座が2つあります。利用開始月を直してください。`,
  'payment/month-before-carry': data =>
    `パブリッシャー${data.publisherId}（契約${data.agreementId}）の繰越に、計算する月以降の金額があります。`,
  'payment/holidays-missing': data =>
    `${String(data.day).slice(0, 4)}年の祝日が取り込まれていません。内閣府の祝日CSVを取り込んでください。`,
} as const satisfies Texts<SettlementRefusal>

const FINALIZE_REFUSALS_JA = {
  'payment/already-finalized': () => 'この月はすでに確定しています。訂正は翌月以降の調整として登録してください。',
  'payment/not-computed': () => 'まだ計算されていません。計算してから確定してください。',
  'payment/month-not-over': () => '月が終わっていません。翌月になってから確定してください。',
  'payment/statistics-missing': data =>
    `統計（パブリッシャーの日別）が${data.days}日分届いていません。取り込んでから確定してください。`,
  'payment/job-running': data => `実行中または待機中の処理が${data.jobs}件あります。終わってから確定してください。`,
  'payment/job-failed': data =>
    `失敗した処理が${data.jobs}件あります。内容を直して登録し直すか、取り下げてから確定してください。`,
  'payment/draft-stale': () => '計算後にデータが変わりました。計算し直してから確定してください。',
  'payment/previous-month-open': () => '前の月がまだ確定していません。前の月から順に確定してください。',
  'payment/invariant-violated': data =>
    `自動検査で${data.count}件の不一致が見つかりました（${data.invariant}、${data.row}）。原因を確認してください。`,
  'payment/second-person-needed': () => '準備した人とは別の人が確定してください。',
} as const satisfies Texts<FinalizeRefusal>

const MANUAL_OPERATION_REFUSALS_JA = {
  'dividend/no-eligible-weight': () =>
    '配分の対象になるパブリッシャーがありません。対象の設定と重みを確認してください。何も計上していません。',
  'dividend/month-finalized': () => 'この月はすでに確定しています。翌月以降の調整として登録してください。',
  'dividend/job-running': () => '同じ媒体と月の処理が実行中です。終わってから登録してください。',
  'dividend/csv-empty': () => '調整データに行がありません。',
  'dividend/csv-too-long': data =>
    `調整データは${data.limit}行までです（現在${data.rows}行）。分けて登録してください。`,
  'dividend/csv-rule-unknown': data =>
    `見出しを除く${data.line}行目：契約とパブリッシャーの組み合わせが見つかりません。IDを確認してください。`,
  'dividend/csv-amount-not-whole': data => `見出しを除く${data.line}行目：金額は整数で入力してください。`,
  'dividend/csv-amount-zero': data => `見出しを除く${data.line}行目：金額が0円です。行を消すか金額を入力してください。`,
  'dividend/csv-amount-too-large': data => `見出しを除く${data.line}行目：金額が大きすぎます。桁を確認してください。`,
  'dividend/csv-discard-negative': data => `見出しを除く${data.line}行目：破棄する金額には正の数を入力してください。`,
  'dividend/csv-reason-unknown': data =>
    `見出しを除く${data.line}行目：理由は「無効トラフィック」「訂正」「その他」のいずれかにしてください。`,
  'dividend/csv-origin-month-wrong': data =>
    `見出しを除く${data.line}行目：訂正の対象月は、登録する月以前の月を YYYY-MM で入力してください。`,
  'payment/origin-month-unknown': data =>
    `見出しを除く${data.line}行目：${data.text}は、この契約に確定した収益も期首残高も繰越もない月です。${data.proposal}ではありませんか。今月分の調整なら空欄にしてください。`,
  'dividend/weights-too-long': data => `重みは${data.limit}行までです（現在${data.rows}行）。`,
  'dividend/weight-rule-unknown': data =>
    `見出しを除く${data.line}行目：契約とパブリッシャーの組み合わせが見つかりません。IDを確認してください。`,
  'dividend/weight-not-whole': data => `見出しを除く${data.line}行目：重みは0以上の整数で入力してください。`,
  'dividend/weight-twice': data =>
    `見出しを除く${data.line}行目：同じ契約とパブリッシャーの組み合わせが重複しています。`,
  'dividend/weights-all-zero': () => '重みがすべて0です。少なくとも1行に正の数を入力してください。',
} as const satisfies Texts<ManualOperationRefusal | AdjustmentCsvRefusal | PoolWeightRefusal>

/** The payee's name when the refusal names it. */
function payeeText(data: Refusal['data']): string {
  return data.payee === undefined ? `口座${data.bankAccountId}` : `「${data.payee}」`
}

const TRANSFER_REFUSALS_JA = {
  'transfer/payment-twice': data => `支払${data.monthlyPaymentId}が2回含まれています。`,
  'transfer/payee-kind-differs': data =>
    `${payeeText(data)}への支払に、法人と個人、居住者と非居住者、または租税条約の届出書の有無や税率が異なる契約が混ざっています。契約の「支払先の区分」「居住地」「届出書」をそろえるか、どちらかの支払を除いて別の振込データにしてください。`,
  'transfer/account-unknown': data => `${payeeText(data)}の銀行と支店が登録されていません。`,
  'transfer/fee-unknown': data =>
    `${payeeText(data)}への振込手数料（${data.dueOn}の分）が登録されていません。手数料表を更新してください。`,
  'transfer/too-many-records': data =>
    `${payeeText(data)}への振込額（${formatYen(BigInt(data.amountYen ?? 0))}円）は、1件あたりの振込限度額（${formatYen(BigInt(data.limitYen ?? 0))}円）では${data.max}件に収まりません。支払設定の「振込元の口座」で限度額を確認してください。`,
  'transfer/amount-not-positive': data =>
    `${payeeText(data)}への振込額が${data.amountYen}円になります。返還を含む税込額から源泉徴収税額と手数料を差し引くと支払えないため、この支払を除いてください。`,
} as const satisfies Texts<TransferRefusal>

const STATEMENT_FIELD_LABELS: Readonly<Record<string, string>> = {
  number: '番号',
  revision: '改訂番号',
  revisionReason: '改訂の理由',
  payerName: '支払元の名称',
  payeeName: '支払先の名称',
  agreementName: '契約名',
  agreementCode: '契約コード',
  bankName: '銀行名',
  branchName: '支店名',
  typeName: '口座の種別',
  accountNumber: '口座番号',
  holder: '口座名義',
  snapshotHash: '月次記録のハッシュ値',
  deemedConfirmationDays: 'みなし確認までの日数',
  taxLines: '税率ごとの金額',
}

const STATEMENT_REFUSALS_JA = {
  'statement/nothing-paid': () => '支払のない月の支払通知書は作成できません。',
  'statement/field-missing': data =>
    `支払通知書に必要な項目「${STATEMENT_FIELD_LABELS[String(data.field)] ?? data.field}」がありません。登録してから作成してください。`,
  'statement/total-differs': () => '支払通知書の明細と合計が一致しません。作成を中止しました。',
  'statement/number-invalid': () =>
    '登録番号が正しくありません。Tと13桁の数字を、国税庁の公表サイトの表示どおりに入力してください。',
  'statement/hash-differs': () =>
    '表示後に支払通知書が差し替えられました。画面を再読み込みして、最新の内容を確認してください。',
  'statement/not-yet-deemed': data => `${data.deemedOn}までは、ご連絡がなくても確認済みにはなりません。`,
  'statement/reason-missing': () => '内容を入力してください。',
  'statement/reason-too-long': data => `${data.max}文字以内で入力してください。`,
  'statement/line-unknown': data => `明細「${data.label}」が支払通知書にないか、重複しています。`,
  'statement/adjustment-month-wrong': () => '調整で対応するときは、この支払より後の月を指定してください。',
  'statement/payer-settings-missing': () =>
    '支払通知書に記載する支払元の名称と登録番号が登録されていません。「支払通知書」の画面で支払元の設定を登録してください。',
  'statement/only-payee': () => '支払通知書の確認と照会は、支払先の方だけができます。',
  'statement/notified-already': () => '支払先にはすでに通知しています。画面を再読み込みしてください。',
  'statement/only-payer': () => 'この操作は支払元の担当者だけができます。',
  'statement/too-many': data => `一度に書き出せるのは${data.max}件までです。絞り込んでください。`,
  'statement/days-out-of-range': data => `みなし確認までの日数は${data.min}日から${data.max}日の間で入力してください。`,
  'statement/number-check-digit': () =>
    '登録番号の検査数字が一致しません。番号の打ち間違いがないか、国税庁の公表サイトの表示と見比べてください。',
  'statement/payer-name-missing': () => '支払元の名称を入力してください。',
  'statement/settings-month-taken': () =>
    'この適用開始月の設定はすでに使われています。翌月以降の月を指定してください。',
  'state/transition-not-allowed': () => '現在の状態ではこの操作はできません。画面を再読み込みしてください。',
} as const satisfies Texts<StatementRefusal | ConfirmationRefusal | StatementAnswerRefusal | TransitionRefusal>

export const PAYMENT_REFUSALS_JA = {
  ...SETTLEMENT_REFUSALS_JA,
  ...FINALIZE_REFUSALS_JA,
  ...MANUAL_OPERATION_REFUSALS_JA,
  ...TRANSFER_REFUSALS_JA,
  ...STATEMENT_REFUSALS_JA,
} as const
