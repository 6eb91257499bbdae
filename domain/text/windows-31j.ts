/**
 * Signs that have two code points in common use; Windows knows the second one. The yen sign, the overline and the
 * no-break space have no place of their own.
 */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '〜': '～',
  '−': '－',
  '—': '―',
  '‖': '∥',
  '¢': '￠',
  '£': '￡',
  '¬': '￢',
  '¥': '\\',
  '\u203E': '~',
  '\u00A0': ' ',
}
/** What a character without a place is written as. */
const QUESTION_MARK = 0x3f
/** A kana with its voiced sound mark as a character of its own, as some systems write titles. */
const SPLIT_KANA = /.[\u3099\u309A]/gu

export type EncodeWindows31j = (text: string) => { readonly bytes: Uint8Array; readonly unknown: string }

/**
 * The bytes of a text in Windows-31J (cp932), which Windows and spreadsheets in Japan call Shift_JIS. A character that it
 * has no place for is written as a question mark; `unknown` holds each of them once.
 * Tested by `platform/text/windows-31j.test.ts`.
 * @param decode the decoder of the platform, which throws for bytes that mean nothing
 */
export function windows31jEncoder(decode: (bytes: Uint8Array) => string): EncodeWindows31j {
  let table: ReadonlyMap<string, number> | undefined
  return text => {
    table ??= readTable(decode)
    const composed = text.replace(SPLIT_KANA, pair => pair.normalize('NFC'))
    const bytes = new Uint8Array(composed.length * 2)
    const unknown = new Set<string>()
    let length = 0
    for (const character of composed) {
      const code = table.get(character) ?? table.get(SUBSTITUTES[character] ?? character.normalize('NFC'))
      if (code === undefined) unknown.add(character)
      const written = code ?? QUESTION_MARK
      if (written > 0xff) bytes[length++] = written >> 8
      bytes[length++] = written & 0xff
    }
    return { bytes: bytes.subarray(0, length), unknown: [...unknown].join('') }
  }
}

/**
 * The codes by character, from decoding every possible code once: the platform can only decode. Where several codes mean
 * one character, the first one counts, as Windows writes it; NEC's copies of IBM's extensions (lead bytes ED and EE) do
 * not. Codes of the private use area are left out.
 */
function readTable(decode: (bytes: Uint8Array) => string): ReadonlyMap<string, number> {
  const codes = new Map<string, number>()
  const add = (code: number) => {
    const bytes = code > 0xff ? [code >> 8, code & 0xff] : [code]
    try {
      const character = decode(Uint8Array.from(bytes))
      const isPrivate = character >= '\uE000' && character <= '\uF8FF'
      if (!isPrivate && !codes.has(character)) codes.set(character, code)
    } catch {}
  }
  for (let byte = 0; byte < 0x100; byte += 1) add(byte)
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    // 0xA0 to 0xDF are half-width kana.
    if ((lead >= 0xa0 && lead <= 0xdf) || lead === 0xed || lead === 0xee) continue
    for (let trail = 0x40; trail <= 0xfc; trail += 1) add((lead << 8) | trail)
  }
  return codes
}
