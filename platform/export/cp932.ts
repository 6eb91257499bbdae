/** What a character that cp932 does not have is written as. */
const REPLACEMENT = 0x3f
/** Characters that look the same and that other systems use in place of those of cp932. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ '\u301C': '\uFF5E', '\u2212': '\uFF0D', '\u2016': '\u2225', '\u2014': '\u2015' },
  ...{ '\u00A2': '\uFFE0', '\u00A3': '\uFFE1', '\u00AC': '\uFFE2', '\u00A5': '\\', '\u203E': '~', '\u00A0': ' ' },
}

let table: ReadonlyMap<string, number> | undefined

/**
 * Text in cp932 (Windows-31J), which old Japanese spreadsheets expect of a file without a byte order mark. Characters
 * that it does not have become a question mark.
 */
export function encodeCp932(text: string): Buffer {
  table ??= readTable()
  const bytes = Buffer.allocUnsafe(text.length * 2)
  let length = 0
  for (const character of text) {
    const code = character.charCodeAt(0)
    const known = code < 0x80 && character.length === 1 ? code : codeOf(table, character)
    if (known > 0xff) bytes[length++] = known >> 8
    bytes[length++] = known & 0xff
  }
  return bytes.subarray(0, length)
}

function codeOf(known: ReadonlyMap<string, number>, character: string): number {
  const direct = known.get(character)
  if (direct !== undefined) return direct
  const alias = ALIASES[character]
  if (alias === undefined) return REPLACEMENT
  return known.get(alias) ?? alias.charCodeAt(0)
}

/**
 * The other way round of the decoder that the platform has. Where several codes mean one character, the Encoding
 * Standard's choice: the first one, without NEC's selection of IBM's extensions (lead bytes ED and EE).
 */
function readTable(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder('shift_jis')
  const codes = new Map<string, number>()
  for (let code = 0xa1; code <= 0xdf; code += 1) codes.set(decoder.decode(Uint8Array.of(code)), code)
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    if ((lead >= 0xa0 && lead <= 0xdf) || lead === 0xed || lead === 0xee) continue
    for (let trail = 0x40; trail <= 0xfc; trail += 1) {
      if (trail === 0x7f) continue
      const text = decoder.decode(Uint8Array.of(lead, trail))
      const isPrivate = text >= '\uE000' && text <= '\uF8FF'
      if (text.length !== 1 || text === '\uFFFD' || isPrivate || codes.has(text)) continue
      codes.set(text, (lead << 8) | trail)
    }
  }
  return codes
}
