import type { RefusalTexts } from '../refusal-text.ts'
import { hasHiddenCharacter } from './name-text.ts'

export const NAME_REFUSALS_JA = {
  'name/hidden-characters': () =>
    '改行や、文字の並ぶ向きを変える記号、幅のない空白など、表示されない文字が含まれています。取り除いて入力し直してください。',
} as const satisfies RefusalTexts

/**
 * The problem that a form shows for a name before it is sent; undefined when its characters are fine.
 * Tested by `domain/text/name-text.test.ts`.
 */
export function hiddenCharacterProblem(name: string): string | undefined {
  return hasHiddenCharacter(name.trim()) ? NAME_REFUSALS_JA['name/hidden-characters']() : undefined
}
