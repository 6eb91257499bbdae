/** What Windows and spreadsheets in Japan call Shift_JIS. The table is the one that every browser decodes with. */
const DECODER = new TextDecoder('shift_jis', { fatal: true })
/** Signs that have two code points in common use; Windows knows the second one. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '〜': '～',
  '−': '－',
  '—': '―',
  '‖': '∥',
  '¢': '￠',
  '£': '￡',
  '¬': '￢',
}

let table: ReadonlyMap<string, readonly number[]> | undefined

function codes(): ReadonlyMap<string, readonly number[]> {
  if (table) return table
  const found = new Map<string, readonly number[]>()
  const add = (...bytes: number[]) => {
    try {
      const character = DECODER.decode(Uint8Array.from(bytes))
      // Of two places of one character the first one is what Windows writes.
      if (!found.has(character)) found.set(character, bytes)
    } catch {}
  }
  for (let byte = 0; byte < 0x100; byte += 1) add(byte)
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    // 0xA0 to 0xDF are half-width kana; 0xED and 0xEE repeat what stands in 0xFA to 0xFC.
    if ((lead >= 0xa0 && lead <= 0xdf) || lead === 0xed || lead === 0xee) continue
    for (let trail = 0x40; trail <= 0xfc; trail += 1) add(lead, trail)
  }
  table = found
  return found
}

/** The bytes of a text in Windows-31J, or the characters that it has no place for, each once. */
export function encodeWindows31j(
  text: string,
): { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly characters: string } {
  const known = codes()
  const bytes: number[] = []
  const unknown = new Set<string>()
  for (const character of text.normalize('NFC')) {
    const code = known.get(character) ?? known.get(SUBSTITUTES[character] ?? '')
    if (code) bytes.push(...code)
    else unknown.add(character)
  }
  return unknown.size > 0
    ? { ok: false, characters: [...unknown].join('') }
    : { ok: true, bytes: Uint8Array.from(bytes) }
}
