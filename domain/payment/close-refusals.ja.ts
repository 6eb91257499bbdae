import { LATEST_MONTH } from '../condition/default-range.ts'
import type { Day } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'
import { EARLIEST_MONTH, formatYearMonth } from '../month/year-month.ts'
import type { RefusalData } from '../refusal-text.ts'
import { MAX_TRANSFER_REASON } from '../transfer/transfer-reason.ts'
import type { CloseRefusal } from './close-refusal.ts'

/** Of closing months, of what is booked into them by hand (`dividend/…`), and of their amounts' explanations. */
export const CLOSE_REFUSALS_JA = {
  'payment/publisher-in-two-agreements': data =>
    `パブリッシャー${data.publisherId}が同じ媒体の複数の契約（${data.agreementIds}）に含まれています。二重払いになるため、どちらかの契約に、この月より前の解約日を設定してください。`,
  'payment/publisher-of-other-organization': data =>
    `契約${data.agreementId}に、別の組織のパブリッシャー${data.publisherId}が含まれています。別の支払先に支払うことになるため、契約に解約日を設定し、正しい組織の契約を登録してください。`,
  'payment/check-red': data => `「${data.label}」の確認で確定できません。${data.detail}`,
  'payment/changed-meanwhile': () => '計算中にデータが変わりました。もう一度計算してください。',
  'payment/changed-while-closing': () =>
    '確定の確認中にデータが変わりました。何も確定していません。もう一度確定してください。',
  'payment/ingest-running': () => '統計を取り込んでいます。終わってから確定してください。',
  'payment/ingest-failed': () =>
    '完了していない統計の取り込みがあるため、確定できません。「取り込み履歴」で、送り直すか中止してから確定してください。',
  'payment/holidays-unknown': data =>
    `${data.year}年の祝日が取り込まれていません。「支払設定」の「祝日」で、内閣府のCSVを取り込んでください。`,
  'payment/statement-incomplete': data =>
    `支払通知書に必要な項目が足りない契約が${data.count}件あります（契約${data.agreementId}：${data.field}）。登録してから確定してください。`,
  'payment/not-finalized': () => '確定していない支払です。月を確定してから操作してください。',
  'payment/not-found': data => `支払${data.id}が見つかりません。一覧を再読み込みしてください。`,
  'payment/status-not-allowed': data =>
    `支払${data.id}は「${data.status}」のため、この操作はできません。一覧を再読み込みしてください。`,
  'payment/too-many': data => `一度に指定できる支払は${data.max}件までです。`,
  'payment/paid-on-future': () => '支払日には今日までの日付を指定してください。',
  'payment/paid-on-too-early': data =>
    `支払日には、対象の月が終わった後の日付（${dayText(data.from as Day)}以降）を指定してください。`,
  'payment/acknowledgement-reason': ({ max }) => `理由を${max}文字以内で入力してください。`,
  'payment/acknowledgement-outdated': () =>
    '確認した内容が変わりました。画面を再読み込みして、もう一度確認してください。',
  'payment/reason-missing': () => `組戻しの理由を${MAX_TRANSFER_REASON}文字以内で入力してください。`,
  'payment/medium-unknown': data => `媒体${data.mediumId}はありません。一覧から選び直してください。`,
  'payment/month-invalid': () =>
    `月は ${formatYearMonth(EARLIEST_MONTH)} から ${formatYearMonth(LATEST_MONTH)} までの YYYY-MM で指定してください。`,
  'payment/before-books': data =>
    `この媒体の締めは${data.first}分から始まっています。それより前の月は、計算も登録もできません。訂正は、まだ確定していない月の調整として登録してください。`,
  'payment/months-reversed': () => '終了月は開始月以降の月にしてください。',
  'dividend/operation-unknown': () => '対象の月が見つかりません。一覧から選び直してください。',
  'dividend/month-missing': () => '対象の月を指定してください。',
  'dividend/amount-missing': () => '金額を入力してください。',
  'dividend/amount-negative': () => '原資には0以上の金額を入力してください。減額は個別調整（CSV）で登録してください。',
  'dividend/amount-too-large': () => '金額が大きすぎます。桁を確認してください。',
  'dividend/total-differs': data =>
    `入力した合計（${data.entered}円）と明細の合計（${data.total}円）が一致しません。どちらかを直してください。`,
  'dividend/rows-not-expected': () => '「取り消し（リセット）」では、調整する行を指定できません。',
  'dividend/extra-month-wrong': () => '発生月は、配分する月以前の月を YYYY-MM で指定してください。',
  'dividend/nothing-to-reset': () => 'この月には取り消す処理がありません。',
  'dividend/unknown': () => '調整が見つかりません。一覧から選び直してください。',
  'dividend/not-failed': () =>
    '取り下げられるのは失敗した調整だけです。完了した調整は、この媒体の調整の取り消しで元に戻してください。',
  'dividend/month-in-future': () => 'まだ始まっていない月には登録できません。',
  'dividend/notes-too-long': data => `メモは${data.max}文字以内で入力してください。`,
  'dividend/unexpected-failure': () =>
    'システムの不具合で処理できませんでした。何も計上していません。もう一度登録し、続く場合は管理者に連絡してください。',
  'explain/unknown-path': () => '内訳が見つかりません。画面を再読み込みしてください。',
} as const satisfies Record<CloseRefusal['code'], (data: RefusalData) => string>
