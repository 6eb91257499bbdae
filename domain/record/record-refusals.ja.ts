import { parseDay } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'
import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

/** Refusals that any change of any record can return. */
export const RECORD_REFUSALS_JA = {
  'record/edited-by-other': (data: RefusalData) =>
    `${data.editedBy ? `${data.editedBy}さん` : 'ほかの方'}が${data.editedAt ? `${minuteText(String(data.editedAt))}に` : '先に'}この内容を変更しました。最新の内容を読み込み、違いを確認してから、もう一度保存してください。`,
  'record/not-found': () =>
    '対象が見つかりません。削除されたか、表示する権限がありません。一覧から選び直してください。',
  'idempotency/key-reused': () =>
    '同じ操作が異なる内容で送信されました。画面を再読み込みしてから、もう一度操作してください。',
  'idempotency/key-invalid': (data: RefusalData) =>
    `操作のキー（idempotencyKey）は1文字以上${data.max}文字以内の英数字と記号で指定してください。`,
} as const satisfies RefusalTexts

/** `2026-11-21 16:41` → 2026年11月21日 16:41, as screens write it. */
function minuteText(minute: string): string {
  const [date = '', time = ''] = minute.split(' ')
  const day = parseDay(date)
  return day === undefined ? minute : `${dayText(day)} ${time}`
}
