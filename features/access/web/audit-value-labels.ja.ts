import {
  PAYMENT_STATUS_LABELS,
  STATEMENT_STATE_LABELS,
  TRANSFER_STATE_LABELS,
} from '@pc/domain/payment/payment-states.ts'

type Words = Readonly<Record<string, string>>

const COVERAGES: Words = { unknown: '未確認', covered: '対象', not_covered: '対象外' }
const METRICS: Words = {
  article_impression: '記事の表示回数',
  article_click: '記事のクリック数',
  article_watch: '記事の閲覧数',
  video_impression: '動画の表示回数',
  video_click: '動画のクリック数',
  video_watch: '動画の再生数',
  video_watch3s: '動画の3秒以上の再生数',
  live_impression: 'ライブの表示回数',
  live_click: 'ライブのクリック数',
  live_watch: 'ライブの再生数',
}
const ACCOUNT_TYPES: Words = { ordinary: '普通', current: '当座', savings: '貯蓄', other: 'その他' }

/**
 * Japanese labels of field values, in the words of the screens that write them. A value without a label, which may come
 * from an older release, is shown as it was written.
 */
const AUDIT_VALUE_LABELS_JA: Readonly<Record<string, Words>> = {
  paymentStatus: PAYMENT_STATUS_LABELS,
  // States of transfers, statements and requested bank accounts; none of these names means two things.
  state: {
    ...TRANSFER_STATE_LABELS,
    ...STATEMENT_STATE_LABELS,
    requested: '承認待ち',
    approved: '承認済み',
    rejected: '却下',
  },
  kind: {
    ssp: 'SSP収益の分配',
    ssp_video: '動画SSP収益の分配',
    ssp_live: 'ライブSSP収益の分配',
    csv: '個別調整（CSV）',
    reset: '取り消し（リセット）',
  },
  method: { payment: '支払', discard: '破棄' },
  feePaidBy: { product: '当社', publisher: 'パブリッシャー' },
  paymentTiming: { a_month_later: '翌月末', two_months_later: '翌々月末' },
  minimumRevenueType: { none: 'なし', by_agreement: '契約ごと', by_publisher: 'パブリッシャーごと' },
  payeeKind: { company: '法人', individual: '個人' },
  payeeResidence: { resident: '居住者・内国法人', non_resident: '非居住者・外国法人' },
  smallSupplierCoverage: COVERAGES,
  freelanceCoverage: COVERAGES,
  businessDayShift: { previous: '前営業日に支払う', next: '翌営業日に支払う' },
  sspWeight: METRICS,
  videoSspWeight: METRICS,
  liveSspWeight: METRICS,
  accountType: ACCOUNT_TYPES,
  typeName: ACCOUNT_TYPES,
  factor: { totp: '認証アプリ', passkey: 'パスキー' },
  level: { info: '通常', warn: '重要' },
}

/** The value in Japanese; the value itself when it has no label. */
export function auditValueText(field: string, value: string): string {
  const words = Object.hasOwn(AUDIT_VALUE_LABELS_JA, field) ? AUDIT_VALUE_LABELS_JA[field]! : {}
  return Object.hasOwn(words, value) ? words[value]! : value
}
