import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const PUBLISHER_REFUSALS_JA = {
  'publisher/name-required': () => '媒体名を200文字以内で入力してください。',
  'publisher/kana-too-long': (data: RefusalData) => `よみがなは${data.max}文字以内で入力してください。`,
  'publisher/notes-too-long': (data: RefusalData) => `備考は${data.max}文字以内で入力してください。`,
  'publisher/organization-unknown': () => '組織を一覧から選択してください。',
  'publisher/organization-fixed': () => '媒体の組織は変更できません。新しい媒体を作成してください。',
  'publisher/agreement-unknown': () => '契約を一覧から選択してください。',
  'publisher/agreement-twice': () => '同じ契約の料率が2件あります。1件にまとめてください。',
  'publisher/rule-medium-differs': () => '料率のメディアは契約のメディアと同じものを選択してください。',
  'publisher/rule-agreement-fixed': () => '料率の契約は変更できません。新しい料率を追加してください。',
} as const satisfies RefusalTexts
