/** Bytes of a stored value, rows of one person or screen, characters of texts, and columns of a view. */
export const PREFERENCE_BOUNDS = {
  valueBytes: 8192,
  preferencesOfOne: 200,
  viewsOfScreen: 50,
  nameLength: 60,
  conditionLength: 4000,
  columns: 100,
} as const

const KEY = /^[a-z0-9]+(?:[-/][a-z0-9]+){0,9}$/

/**
 * Whether a key has the form `columns/articles`: what is chosen, and for which screen. At most 80 characters.
 * Tested by `features/preferences/server/preferences.test.ts`.
 */
export function isPreferenceKey(key: string): boolean {
  return key.length <= 80 && KEY.test(key)
}
