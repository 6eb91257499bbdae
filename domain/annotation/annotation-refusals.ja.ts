import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const ANNOTATION_REFUSALS_JA = {
  'annotation/text-missing': () => 'メモの内容を入力してください。',
  'annotation/text-too-long': (data: RefusalData) => `メモは${data.max}文字以内で入力してください。`,
  'annotation/period-wrong': (data: RefusalData) =>
    `終了日は開始日以降の日にしてください（1件のメモは${data.max}日間まで）。`,
  'annotation/publisher-missing': () => '共有するパブリッシャーを選んでください。',
  'annotation/publisher-unknown': () => 'パブリッシャーが見つかりません。一覧から選び直してください。',
  'annotation/medium-unknown': () => '選べない媒体が含まれています。一覧から選び直してください。',
  'annotation/too-many-media': (data: RefusalData) => `媒体は${data.max}件までです。減らすか、すべて解除してください。`,
  'annotation/visibility-wrong': () => '公開範囲が正しくありません。選び直してください。',
  'annotation/too-many': (data: RefusalData) =>
    `登録できるメモは1人${data.max}件までです。古いメモを削除してください。`,
} as const satisfies RefusalTexts
