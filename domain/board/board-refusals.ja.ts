import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const BOARD_REFUSALS_JA = {
  'board/name-missing': () => 'ボードの名前を入力してください。',
  'board/name-too-long': (data: RefusalData) => `ボードの名前は${data.max}文字以内で入力してください。`,
  'board/too-many-boards': (data: RefusalData) =>
    `作成できるボードは${data.max}件までです。使っていないボードを削除してください。`,
  'board/too-many-tiles': (data: RefusalData) =>
    `1つのボードに置けるタイルは${data.max}枚までです。別のボードに追加してください。`,
  'board/tile-title-wrong': (data: RefusalData) => `タイルの名前は1文字以上${data.max}文字以内で入力してください。`,
  'board/tile-wrong': () => 'タイルの内容が正しくありません。レポートの画面から追加し直してください。',
  'board/role-wrong': () => '共有先が正しくありません。一覧から選び直してください。',
} as const satisfies RefusalTexts
