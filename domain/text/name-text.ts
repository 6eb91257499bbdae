/**
 * Characters that have no place in a name, because nobody sees them and they change what the others seem to say: control
 * characters, line and paragraph separators, and those that turn the direction of writing (`Bidi_Control` of Unicode:
 * U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069). The joiners that emoji and some scripts need are not among them.
 */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u{2028}\u{2029}]/u

/** For names of organisations, publishers and agreements: they stand in lists, statements and mails. */
export function hasHiddenCharacter(name: string): boolean {
  return HIDDEN.test(name)
}
