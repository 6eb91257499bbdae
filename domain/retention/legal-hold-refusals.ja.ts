import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

export const LEGAL_HOLD_REFUSALS_JA = {
  'legal-hold/covers-nothing': () => '保全する組織か月を選んでください。',
  'legal-hold/months-wrong': () => '開始月と終了月を、両方とも正しい順に選んでください。',
  'legal-hold/reason-missing': () => '理由を入力してください。',
  'legal-hold/reason-too-long': (data: RefusalData) => `理由は${data.max}文字以内で入力してください。`,
  'legal-hold/organization-unknown': () => '組織が見つかりません。一覧から選び直してください。',
  'legal-hold/already-released': () => 'この保全はすでに解除されています。',
} as const satisfies RefusalTexts
