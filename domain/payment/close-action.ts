/** What the log of a month says that somebody did, as staff read it. */
export const CLOSE_ACTION_LABELS = {
  job_created: '調整の登録',
  job_finished: '処理の完了',
  job_withdrawn: '失敗した調整の取り下げ',
  computed: '計算',
  audited: '自動検査',
  finalized: '確定',
  paid: '支払済みの記録',
  returned: '組戻しの記録',
  acknowledged: '確認済みの記録',
} as const
export type CloseAction = keyof typeof CLOSE_ACTION_LABELS
