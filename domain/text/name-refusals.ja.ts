import type { RefusalTexts } from '../refusal-text.ts'

export const NAME_REFUSALS_JA = {
  'name/hidden-characters': () =>
    '改行や、文字の並ぶ向きを変える記号、幅のない空白など、表示されない文字が含まれています。取り除いて入力し直してください。',
} as const satisfies RefusalTexts
