import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

/** Refusals about paging, searching and ids, which every list and form shares. */
export const LIST_REFUSALS_JA = {
  'list/limit-out-of-range': (data: RefusalData) => `一度に取得できる件数は1件から${data.max}件までです。`,
  'list/offset-out-of-range': () => '取得の開始位置には0以上の数を指定してください。',
  'search/text-too-long': (data: RefusalData) => `検索の文字は${data.max}文字以内で入力してください。`,
  'list/too-many-rows': (data: RefusalData) =>
    `一覧が${data.max}件を超えています。limit と offset を指定して、分けて取得してください。`,
  'input/too-many-items': (data: RefusalData) => `一度に指定できるのは${data.max}件までです。分けて送信してください。`,
  'id/not-a-number': () => 'IDには数字を指定してください。',
} as const satisfies RefusalTexts
