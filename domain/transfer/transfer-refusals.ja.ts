import { formatYen } from '../money/yen.ts'
import type { Day } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'
import type { RefusalData } from '../refusal-text.ts'
import type { TransferActionRefusal } from './transfer-action-refusal.ts'
import { MAX_BANK_REFERENCE, MAX_TRANSFER_REASON } from './transfer-reason.ts'

/** What to do about a second transfer of an amount that the bank has paid, by the state of the second one. */
const SENT_AGAIN = {
  planned: (data: RefusalData) =>
    `振込${data.id}の支払は、振込データ${data.batchId}にも含まれています。振込データ${data.batchId}を取り消してから承認してください。`,
  exported: (data: RefusalData) =>
    `振込${data.id}の支払は、銀行に送った振込データ${data.batchId}（振込${data.otherId}）にも含まれています。振込${data.otherId}を組戻しにしてから承認してください。`,
  paid: (data: RefusalData) =>
    `振込${data.id}の支払は、振込${data.otherId}でも支払われています（二重払い）。支払先に返金を依頼し、返金されたら振込${data.otherId}を組戻しにしてから承認してください。`,
} as const

export const TRANSFER_ACTION_REFUSALS_JA = {
  'transfer/nothing-to-pay': () =>
    '振込データにする支払がありません。すでに振込データに含まれている可能性があります。一覧を再読み込みしてください。',
  'transfer/source-missing': () =>
    '振込元の口座と委託者コードが設定されていません。支払設定の「振込元の口座」に登録してください。',
  'transfer/day-past': () => '振込指定日には今日以降の日付を指定してください。',
  'transfer/day-not-business': data =>
    `${dayText(data.day as Day)}は銀行の休業日です。銀行の営業日を振込指定日にしてください。`,
  'transfer/preview-outdated': () =>
    '確認した後に支払の状態が変わりました。内容をもう一度確認してから作成してください。',
  'transfer/late-by-law': data =>
    `${data.payee}「${data.agreement}」の法定の期限は${dayText(data.day as Day)}です。この振込指定日では、取適法・フリーランス法の期限を過ぎます。早い日に変更してください。変更できないときは、期限を過ぎることを確認してから進めてください。`,
  'transfer/fee-of-unknown': data =>
    `${data.payee}「${data.agreement}」は、取適法・フリーランス法の対象か未確認のまま手数料を差し引きます。対象であれば差し引けません。契約で対象かどうかを登録してください。`,
  'transfer/payment-stopped': data =>
    `${data.payee}「${data.agreement}」の支払は、契約で停止されています。確定済みの支払のため、この振込には含まれます。振り込まないときは、この支払を除いてください（作成した後は、振込データを取り消して作成し直してください）。`,
  'transfer/fee-now-forbidden': data =>
    `${data.payee}「${data.agreement}」からは、取適法・フリーランス法により手数料を差し引けません。この振込データを作成した後に、契約の登録が変わっています。この振込データを取り消して、作成し直してください。`,
  'transfer/withholding-changed': data =>
    `${data.payee}「${data.agreement}」の源泉徴収の条件（租税条約に関する届出書など）が、この振込データを作成した後に変わっています。この振込データを取り消して、作成し直してください。`,
  'transfer/account-not-usable': data =>
    `支払${data.id}の振込先を変更できません。組戻しになった支払か、振込先の支店が無くなった支払について、同じ組織の承認済みの口座を指定してください。`,
  'transfer/account-waiting': data =>
    `選択した口座は承認されたばかりのため、${dayText(data.day as Day)}から使えます。その日以降に作成するか、この支払を除いてください。`,
  'transfer/branch-gone': data =>
    `「${data.payee}」の振込先（${data.bank} ${data.branch}）は、統合や廃止で無くなりました。同じ組織の別の口座を選ぶか、この支払を除いてください。`,
  'transfer/branch-gone-since': data =>
    `「${data.payee}」の振込先（${data.bank} ${data.branch}）は、この振込データを作成した後に、統合や廃止で無くなりました。この振込データを取り消してから、別の口座か、ほかの方法で支払ってください。送り直しのときは、ほかの方法で支払い、支払済みにしてください。`,
  'transfer/batch-not-found': () => '振込データが見つかりません。一覧を再読み込みしてください。',
  'transfer/not-found': data => `振込${data.id}が見つかりません。一覧を再読み込みしてください。`,
  'transfer/state-not-allowed': data =>
    `振込${data.id}は「${data.state}」のため、この操作はできません。一覧を再読み込みしてください。`,
  'transfer/reason-missing': () => `理由を${MAX_TRANSFER_REASON}文字以内で入力してください。`,
  'transfer/settled-on-future': () => '支払日・組戻し日には今日までの日付を指定してください。',
  'transfer/not-due-yet': data =>
    `振込${data.id}の振込指定日（${dayText(data.transferOn as Day)}）はまだ来ていません。振込指定日以降に、銀行で支払われたことを確認してから登録してください。`,
  'transfer/returned-before-paid': data =>
    `振込${data.id}の組戻し日は、支払日（${dayText(data.paidOn as Day)}）以降にしてください。`,
  'transfer/returned-too-early': data =>
    `振込${data.id}の組戻し日は、振込指定日（${dayText(data.transferOn as Day)}）以降にしてください。`,
  'transfer/paid-too-early': data =>
    `振込${data.id}の支払日は、振込指定日（${dayText(data.transferOn as Day)}）以降にしてください。`,
  'transfer/recall-needed': data =>
    `振込${data.id}の振込指定日（${dayText(data.transferOn as Day)}）はまだ来ていません。銀行に取り消しを依頼してから、振込の画面で組戻しを申請してください。ほかの担当者が承認すると組戻しになります。`,
  'transfer/recall-open': data => `振込${data.id}の組戻しはすでに申請されています。一覧を再読み込みしてください。`,
  'transfer/recall-not-open': data =>
    `振込${data.id}には、承認を待っている組戻しの申請がありません。一覧を再読み込みしてください。`,
  'transfer/recall-own': () => '自分の申請は承認できません。ほかの担当者が承認してください。',
  'transfer/recall-too-late': data =>
    `振込${data.id}は振込指定日（${dayText(data.transferOn as Day)}）が来ているため、申請できません。銀行の結果を確認して登録してください。`,
  'transfer/recall-not-confirmed': data =>
    `振込${data.id}には、承認された組戻しの申請がありません。一覧を再読み込みしてください。`,
  'transfer/bank-recall-noted': data => `振込${data.id}の銀行の取り消しは記録済みです。一覧を再読み込みしてください。`,
  'transfer/return-fee-out-of-range': data =>
    `組戻手数料は、0円から${Number(data.max).toLocaleString('ja-JP')}円までで入力してください。`,
  'transfer/return-not-named': data =>
    `振込${data.id}は${data.count}回組戻しになっています。手数料を修正する組戻しを指定してください。`,
  'transfer/not-recalled': data =>
    `振込${data.id}は、振込指定日より前に組戻しにした振込ではないため、この操作はできません。一覧を再読み込みしてください。`,
  'transfer/recalled-payment-open': data =>
    `振込${data.id}の「振込済みとして記録」はすでに申請されています。一覧を再読み込みしてください。`,
  'transfer/recalled-may-be-paid': data =>
    `組み戻した振込${data.id}が銀行で実行された可能性があり、「振込済みとして記録」の承認を待っています。二重の支払を防ぐため、同じ支払を含むこの振込データは、申請が決まるまで書き出せません。`,
  'transfer/recalled-payment-waits': data =>
    `組み戻した振込${data.id}が銀行で実行された可能性があり、「振込済みとして記録」の承認を待っています。二重の支払を防ぐため、申請が決まるまで、同じ支払を支払済みにできません。`,
  'transfer/day-over': data =>
    `振込指定日（${dayText(data.transferOn as Day)}）を過ぎています。この振込データを取り消して、新しい振込指定日で作成してください。`,
  'transfer/recalled-payment-not-open': data =>
    `振込${data.id}には、承認を待っている「振込済みとして記録」の申請がありません。一覧を再読み込みしてください。`,
  'transfer/recalled-sent-again': data => SENT_AGAIN[data.state as keyof typeof SENT_AGAIN](data),
  'transfer/bank-reference-missing': () =>
    `銀行の受付番号や確認した相手を${MAX_BANK_REFERENCE}文字以内で入力してください。`,
  'transfer/record-returned': data =>
    `振込${data.id}が組戻しになっています。この件を送り直すか、ほかの方法で支払ってから支払済みにしてください。`,
  'transfer/record-planned': data =>
    `振込${data.id}は、まだ出力していない振込データ${data.batchId}に含まれています。先に出力するか、取り消してください。`,
  'transfer/record-not-due': data =>
    `送り直した振込${data.id}の振込指定日（${dayText(data.transferOn as Day)}）はまだ来ていません。振込指定日以降に、銀行の結果を確認して登録してください。`,
  'transfer/record-above-limit': data =>
    `振込${data.id}は、今の1件あたりの振込限度額（${formatYen(BigInt(data.limitYen ?? 0))}円）を超えるため送り直せません。ほかの方法で支払い、この件を支払済みにしてください。`,
  'transfer/record-branch-gone': data =>
    `振込${data.id}の振込先（${data.bank} ${data.branch}）は、統合や廃止で無くなったため送り直せません。ほかの方法で支払い、この件を支払済みにしてください。`,
  'transfer/nothing-returned': data => `振込${data.id}に、送り直す件がありません。一覧を再読み込みしてください。`,
  'transfer/file-differs': () => '最初に出力したファイルと内容が一致しません。銀行に送らず、管理者に連絡してください。',
  'transfer/not-exported': () => 'まだ出力されていません。「振込データを出力する」を押してください。',
  'transfer/result-layout-missing': () =>
    'この銀行の結果コードが設定されていません。「結果の記入用CSV」に記入して取り込むか、支払設定の「振込元の口座」に登録してください。',
  'transfer/result-unreadable': () =>
    '結果のファイルを読み取れません。銀行から受け取ったファイルか、記入したCSVをそのまま取り込んでください。',
  'transfer/result-not-bookable': data =>
    `登録できない行が${data.count}件あります（${data.first}）。何も登録していません。対象のファイルと日付を確認してください。`,
  'transfer/payment-in-transfer': data =>
    `支払${data.id}は振込データ${data.batchId}に含まれています。振込の画面で操作してください。`,
  'transfer/returned-with-others': data =>
    `支払${data.id}は、ほかの支払とまとめて振り込まれています。振込の画面で、振込ごと組戻しにしてください。`,
  'transfer/too-many': data => `一度に指定できる振込は${data.max}件までです。`,
  'journal/no-entries': () => 'この月の仕訳はありません。月と仕訳の種類を確認してください。',
  'journal/month-not-final': () => 'この月に確定した媒体がありません。月を確定してから書き出してください。',
  'journal/not-encodable': data =>
    `Shift_JISで書けない文字（${data.characters}）があります。文字コードにUTF-8を選んでください。`,
} as const satisfies Record<TransferActionRefusal['code'], (data: RefusalData) => string>
