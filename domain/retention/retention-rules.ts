import { ACCOUNT_UNDO_DAYS } from '../access/account-change.ts'
import { addDays, type Day } from '../month/day.ts'
import { addMonths, firstDayOf, lastDayOf, monthOfDay } from '../month/year-month.ts'
import { WEBHOOK_BOUNDS } from '../webhook/webhook.ts'

/**
 * How long each kind of data is kept, who deletes it and why; this list is the only place that says so. `job`: the
 * nightly job deletes it. `other`: another part of the system does, at its own time. `nobody`: it is kept for good,
 * because the database refuses the deletion or nothing deletes it.
 */
export type RetentionRule = { readonly id: string; readonly label: string; readonly why: string } & (
  | { readonly deletedBy: 'job'; readonly months: number }
  | { readonly deletedBy: 'other'; readonly days: number }
  | { readonly deletedBy: 'nobody' }
)

const TAX_LAW =
  '法人税法施行規則第59条（7年、欠損金のある事業年度は10年）、会社法第432条第2項（10年）、電子帳簿保存法施行規則第4条。10年を過ぎても自動では削除しません。'

/** What the nightly job deletes, and after how many months. */
export const JOB_RULES = [
  { id: 'page_views', label: 'ページ閲覧の記録', months: 13, why: '前年同月との比較に使う期間だけ残します。' },
  {
    id: 'view_as_sessions',
    label: 'ほかのユーザーとしての表示の状態',
    months: 24,
    why: '開始と終了は操作の記録に残ります。',
  },
  {
    id: 'ingest_quarantined_rows',
    label: '取り込みで除外した行の写し',
    months: 13,
    why: '元のファイルから、いつでも同じ行を取り出せます。',
  },
  {
    id: 'figure_alerts',
    label: '数値の急な変化（収まったもの）',
    months: 24,
    why: '前年・前々年の同じ時期と見比べられます。',
  },
  {
    id: 'publisher_api_keys',
    label: 'APIキー（期限切れ・失効したもの）',
    months: 13,
    why: '使われ方を後から確かめられる期間です。作成と失効は操作の記録に残ります。',
  },
  { id: 'deleted_boards', label: '削除したボード', months: 1, why: '削除の取り消しは24時間以内です。' },
  { id: 'deleted_annotations', label: '削除したグラフのメモ', months: 1, why: '削除の取り消しは24時間以内です。' },
  { id: 'deleted_saved_views', label: '削除した「保存した表示」', months: 1, why: '削除の取り消しは24時間以内です。' },
] as const
export type JobRuleId = (typeof JOB_RULES)[number]['id']

export const RETENTION_RULES: readonly RetentionRule[] = [
  { id: 'statements', label: '支払通知書と確認の記録', deletedBy: 'nobody', why: TAX_LAW },
  { id: 'payments', label: '確定した支払・分配・振込・仕訳のもと', deletedBy: 'nobody', why: TAX_LAW },
  { id: 'agreements', label: '契約、契約条件の履歴、契約書ファイル', deletedBy: 'nobody', why: TAX_LAW },
  {
    id: 'questions',
    label: '質問と回答',
    deletedBy: 'nobody',
    why: '支払についての連絡として、支払の記録と同じく残します。',
  },
  {
    id: 'ingest_sources',
    label: '取り込んだ元のファイル',
    deletedBy: 'nobody',
    why: `収益の計算のもとです。${TAX_LAW}`,
  },
  {
    id: 'audit_log',
    label: '操作の記録（変更・閲覧・ダウンロード）',
    deletedBy: 'nobody',
    why: '連鎖したハッシュで改ざんを検知するため、途中を削除しません。',
  },
  ...JOB_RULES.map(rule => ({ ...rule, deletedBy: 'job' as const })),
  {
    id: 'feed_seen_items',
    label: 'フィードで見た項目のハッシュ値',
    deletedBy: 'other',
    days: 35,
    why: '件数の変化を判断する期間です。',
  },
  {
    id: 'webhook_deliveries',
    label: 'Webhookのイベントと送信の記録、削除した送信先',
    deletedBy: 'other',
    days: WEBHOOK_BOUNDS.keptDays,
    why: '届かなかったものを再送できる期間です。',
  },
  {
    id: 'idempotency_keys',
    label: '送信の重複を防ぐキー',
    deletedBy: 'other',
    days: 7,
    why: '再送を受け付ける期間です。',
  },
  {
    id: 'sign_in_attempts',
    label: 'サインインの試行、送信したメールの件数',
    deletedBy: 'other',
    days: 1,
    why: '回数の制限に使う期間です。',
  },
  {
    id: 'account_undos',
    label: 'アカウントの変更前の控え（パスワードのハッシュ、2段階認証の設定）',
    deletedBy: 'other',
    days: ACCOUNT_UNDO_DAYS,
    why: '異議の申し立てで元に戻せる期間です。',
  },
  {
    id: 'sessions',
    label: 'セッションと一度きりのリンク',
    deletedBy: 'other',
    days: 0,
    why: '期限が切れると削除します。',
  },
]

/**
 * The first day that is kept: `months` ago on the same day of the month, or on that month's last day.
 * Tested by `domain/retention/retention.test.ts`.
 */
export function keptSince(today: Day, months: number): Day {
  const month = addMonths(monthOfDay(today), -months)
  const sameDay = addDays(firstDayOf(month), Number(today.slice(8)) - 1)
  const last = lastDayOf(month)
  return sameDay < last ? sameDay : last
}
