import type { Refusal } from './refusal.ts'

type Data = Readonly<Record<string, string | number>>

/**
 * The Japanese text of every refusal, in one place. A code that is missing here does not compile where the refusal
 * leaves the system (`platform/graphql/refusal-error.ts`). Texts say what to do.
 */
export const REFUSAL_MESSAGES_JA = {
  'list/limit-out-of-range': (data: Data) => `一度に取得できる件数は1件から${data.max}件までです。`,
  'list/offset-out-of-range': () => '取得の開始位置には0以上の数を指定してください。',
  'search/text-too-long': (data: Data) => `検索の文字は${data.max}文字以内で入力してください。`,
  'id/not-a-number': () => 'IDには数字を指定してください。',
  'report/range-reversed': () => '期間の終了日は開始日以降の日付にしてください。',
  'report/before-earliest-day': (data: Data) => `期間の開始日は${data.earliest}以降の日付にしてください。`,
  'report/too-many-ids': (data: Data) => `絞り込みに指定できるのは${data.max}件までです。`,
  'report/order-of-other-grouping': () => 'この並び順は、選んだ集計の単位では使えません。並び順を選び直してください。',
  'role/unknown': () => '存在しないロールです。一覧から選び直してください。',
} as const satisfies Record<string, (data: Data) => string>

export type RefusalCode = keyof typeof REFUSAL_MESSAGES_JA

export function refusalMessageJa(refusal: Refusal<RefusalCode>): string {
  return REFUSAL_MESSAGES_JA[refusal.code](refusal.data)
}
