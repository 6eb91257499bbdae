/**
 * Characters that have no place in a name, because nobody sees them and they change what the others seem to say, or make
 * two names look alike that are not: control characters and lone halves of characters, line and paragraph separators,
 * those that turn the direction of writing (`Bidi_Control` of Unicode: U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069),
 * those without width (soft hyphen, zero width space, word joiner, byte order mark, the invisible operators, the tags), and
 * those that look like nothing (Hangul fillers, the blank Braille pattern).
 */
const HIDDEN =
  /[\u{34F}\u{17B4}\u{17B5}\p{Cc}\p{Cs}\p{Bidi_Control}\u{2028}\u{2029}\u{AD}\u{180E}\u{200B}\u{2060}-\u{2064}\u{206A}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}\u{E0000}-\u{E007F}]/u

/** The joiners are needed inside of emoji, and by scripts whose letters join; anywhere else nobody sees them. */
const STRAY_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}])[\u{200C}\u{200D}]|[\u{200C}\u{200D}]$/u

/** For names and titles, which are in lists, statements and mails: those that people type are refused with them. */
export function hasHiddenCharacter(name: string): boolean {
  return HIDDEN.test(name) || STRAY_JOINER.test(name)
}

const ALL_HIDDEN = new RegExp(`${HIDDEN.source}|${STRAY_JOINER.source}`, 'gu')
const LINE_BREAKS = /[\t\n\v\f\r\u{85}\u{2028}\u{2029}]+/gu

/** The same name without them, for names that come from elsewhere and that nobody here has typed. */
export function withoutHiddenCharacters(name: string): string {
  let text = name.replace(LINE_BREAKS, ' ')
  // Taking one out may leave a joiner that joined nothing but it.
  while (hasHiddenCharacter(text)) text = text.replace(ALL_HIDDEN, '')
  return text.trim()
}
