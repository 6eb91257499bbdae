/**
 * Characters that are not allowed in names, because they are invisible and change what other characters seem to say, or
 * make different names look alike: control characters and lone surrogates, line and paragraph separators, bidirectional
 * controls (Unicode `Bidi_Control`: U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069), zero-width characters (soft
 * hyphen, zero width space, word joiner, byte order mark, invisible operators, tags), and characters that look blank
 * (Hangul fillers, the blank Braille pattern).
 */
const HIDDEN =
  /[\u{34F}\u{17B4}\u{17B5}\p{Cc}\p{Cs}\p{Bidi_Control}\u{2028}\u{2029}\u{AD}\u{180E}\u{200B}\u{2060}-\u{2064}\u{206A}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}\u{E0000}-\u{E007F}]/u

/** Joiners that are not inside an emoji or a script with joining letters; elsewhere they are invisible. */
const STRAY_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}])[\u{200C}\u{200D}]|[\u{200C}\u{200D}]$/u

/** Whether a typed name or title contains such a character; it is then refused. */
export function hasHiddenCharacter(name: string): boolean {
  return HIDDEN.test(name) || STRAY_JOINER.test(name)
}

const ALL_HIDDEN = new RegExp(`${HIDDEN.source}|${STRAY_JOINER.source}`, 'gu')
const LINE_BREAKS = /[\t\n\v\f\r\u{85}\u{2028}\u{2029}]+/gu

/** The name without such characters, for names that come from other systems. */
export function withoutHiddenCharacters(name: string): string {
  let text = name.replace(LINE_BREAKS, ' ')
  // Removing a character may leave a stray joiner beside it.
  while (hasHiddenCharacter(text)) text = text.replace(ALL_HIDDEN, '')
  return text.trim()
}
