import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const API_KEY_REFUSALS_JA = {
  'api-key/name-missing': (data: RefusalData) => `名前を${data.max}文字以内で入力してください。`,
  'api-key/scopes-missing': () => '読み取れるデータを1つ以上選択してください。',
  'api-key/days-unknown': (data: RefusalData) => `有効期間は${data.days}日から選択してください。`,
  'api-key/too-many': (data: RefusalData) =>
    `同時に使えるAPIキーは${data.max}件までです。使わないものを失効させてから作成してください。`,
  'api-key/only-own-organization': () =>
    'APIキーは、パブリッシャーの管理者が自社のために作成します。運営からは作成できません。',
} as const satisfies RefusalTexts
