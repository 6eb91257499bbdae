import type { RefusalData } from '../refusal-text.ts'
import type { OpeningBalanceRefusal } from './opening-balance.ts'

export const OPENING_BALANCE_REFUSALS_JA = {
  'opening-balance/agreement-unknown': () => '契約が見つかりません。先に契約を登録するか、契約コードを直してください。',
  'opening-balance/rule-unknown': () =>
    'この契約にこのパブリッシャーの条件がありません。パブリッシャーの編集画面で契約条件を登録してから、もう一度取り込んでください。',
  'opening-balance/twice': data =>
    `同じ契約・パブリッシャー・発生月の残高が${data.first}件目にもあります。1件にまとめてください。`,
  'opening-balance/origin-month-not-earlier': data =>
    `発生月には、引継月（${data.booked}）より前の月を入力してください。`,
  'opening-balance/origin-month-without-rate': data =>
    `この月の消費税率が登録されていません。発生月には${data.first}以降の月を入力してください。`,
  'opening-balance/origin-month-settled': data =>
    `この契約の${data.first}以降の分は、このシステムで確定済みです。訂正は、まだ確定していない月の調整として登録してください。`,
  'opening-balance/booked-month-finalized': data =>
    `確定済みの月の期首残高は、登録も変更もできません。引継月を${data.first}以降にするか、差額を調整として登録してください。`,
  'opening-balance/booked-month-too-early': data => `引継月には${data.first}以降の月を入力してください。`,
  'opening-balance/amount-too-large': () => '金額が大きすぎます。桁を確認してください。',
  'opening-balance/qualification-differs': data =>
    `同じ契約の${data.month}の残高に、適格請求書発行事業者かどうかが違うものがあります。支払先は1つなので、どちらかにそろえてください。`,
  'opening-balance/named-by-row': data =>
    `${data.month}の調整（番号${data.job}）の${data.line}行目が、${data.origin}を発生月に指定しています。この残高がなくなると控除できる消費税が変わるため、先に月次締めでこの媒体の調整を取り消してから、残高を削除してください。`,
} as const satisfies Record<OpeningBalanceRefusal['code'], (data: RefusalData) => string>
