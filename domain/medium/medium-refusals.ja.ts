import { parseDay } from '../month/day.ts'
import { dayText } from '../month/day-text.ja.ts'
import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const MEDIUM_REFUSALS_JA = {
  'medium/number-out-of-range': (data: RefusalData) =>
    `媒体番号は1以上、${data.digits}桁までの整数で入力してください。`,
  'medium/number-taken': (data: RefusalData) =>
    `媒体番号${data.number}は「${data.name}」で使われています。別の番号を入力してください。`,
  'medium/name-missing': () => '媒体名を入力してください。',
  'medium/name-too-long': (data: RefusalData) => `媒体名は${data.max}文字以内で入力してください。`,
  'medium/name-taken': (data: RefusalData) =>
    `同じ名前の媒体（番号${data.number}）があります。区別できる名前を入力してください。`,
  'medium/code-form': (data: RefusalData) =>
    `コードは${data.max}文字以内の半角の英小文字・数字・「-」「_」で入力してください。最初と最後は英数字にします（例：news）。`,
  'medium/code-taken': (data: RefusalData) =>
    `コード「${data.code}」は媒体「${data.name}」で使われています。別のコードを入力してください。`,
  'medium/order-out-of-range': (data: RefusalData) => `表示順は0から${data.max}までの整数で入力してください。`,
  'medium/retired-out-of-range': () => '終了日は2000年から2099年までの日付で入力してください。',
  'medium/retired': (data: RefusalData) =>
    `媒体「${data.name}」は${dayOf(data)}から新しい契約を受け付けていません。別の媒体を選択するか、「媒体」の画面で終了日を変更してください。`,
  'medium/retired-by-then': (data: RefusalData) =>
    `媒体「${data.name}」は${dayOf(data)}から新しい契約を受け付けません。それより前に始まる月を選択するか、「媒体」の画面で終了日を変更してください。`,
} as const satisfies RefusalTexts
export type MediumRefusalCode = keyof typeof MEDIUM_REFUSALS_JA

function dayOf({ retiredOn }: RefusalData): string {
  const day = parseDay(String(retiredOn))
  return day === undefined ? String(retiredOn) : dayText(day)
}
