import type { RefusalTexts } from '../refusal-text.ts'

export const ROLE_REFUSALS_JA = {
  'role/unknown': () => '存在しないロールです。一覧から選び直してください。',
} as const satisfies RefusalTexts
