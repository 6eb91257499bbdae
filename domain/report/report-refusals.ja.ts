import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const REPORT_REFUSALS_JA = {
  'report/range-reversed': () => '期間の終了日は開始日以降の日付にしてください。',
  'report/before-earliest-day': (data: RefusalData) => `期間の開始日は${data.earliest}以降の日付にしてください。`,
  'report/after-latest-day': (data: RefusalData) => `期間の終了日は${data.latest}以前の日付にしてください。`,
  'report/unknown-report': () => '書き出せないレポートです。画面を再読み込みしてください。',
  'report/too-many-ids': (data: RefusalData) => `絞り込みに指定できるのは${data.max}件までです。`,
  'report/too-many-items': (data: RefusalData) =>
    `条件に合う記事・動画が${data.max}件を超えています。タイトルの言葉を増やすか、フィードを減らしてください。`,
  'report/min-change-out-of-range': (data: RefusalData) =>
    `増減の下限は、0より大きく${data.max}以下の数値にしてください。`,
  'report/part-outside-of-range': () => '期間が、レポートの集計期間の中にありません。期間を選び直してください。',
  'report/order-of-other-grouping': () => 'この並び順は、選んだ集計の単位では使えません。並び順を選び直してください。',
} as const satisfies RefusalTexts
