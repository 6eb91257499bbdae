import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const ARTICLE_REFUSALS_JA = {
  'article/not-found': () => '記事が見つかりません。一覧を再読み込みしてください。',
  'article/already-removed': () => 'この記事はすでに削除されています。一覧を再読み込みしてください。',
  'article/reason-missing': () => '削除の理由を入力してください。',
  'article/reason-too-long': (data: RefusalData) => `削除の理由は${data.max}文字以内で入力してください。`,
  'article/undo-expired': (data: RefusalData) =>
    `取り消せる期間（削除から${data.hours}時間）を過ぎているため、元に戻せません。掲載する場合は、新しい記事（別のID）として配信してください。`,
  'article/already-restored': () => 'この削除はすでに取り消されています。一覧を再読み込みしてください。',
} as const satisfies RefusalTexts
