import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const PREFERENCE_REFUSALS_JA = {
  'preference/key-invalid': () => '設定の名前が正しくありません。画面を再読み込みしてください。',
  'preference/value-invalid': (data: RefusalData) => `設定の内容が正しくないか、${data.max}バイトを超えています。`,
  'preference/too-many': (data: RefusalData) => `保存できる設定は${data.max}件までです。`,
  'preference/changed-elsewhere': () =>
    'ほかの端末で設定が変わっていたため、保存せずにその設定を表示しました。内容を確かめて、もう一度選んでください。',
  'saved-view/name-missing': () => '表示の名前を入力してください。',
  'saved-view/name-too-long': (data: RefusalData) => `表示の名前は${data.max}文字以内で入力してください。`,
  'saved-view/name-taken': () => '同じ名前の表示がすでにあります。別の名前を入力してください。',
  'saved-view/content-invalid': () => '保存する条件が正しくありません。画面を再読み込みしてください。',
  'saved-view/too-many': (data: RefusalData) =>
    `1つの画面に保存できる表示は${data.max}件までです。使わない表示を削除してください。`,
  'saved-view/sharing-not-allowed': () => '表示を共有できるのは運営の方だけです。共有先を「自分だけ」にしてください。',
} as const satisfies RefusalTexts
