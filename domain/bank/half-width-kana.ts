/**
 * Text as banks write it: half-width capital kana with separate ﾞ and ﾟ, A–Z, 0–9 and a few signs. One character of the
 * result is one byte in JIS X 0201.
 */

const FULL_KANA = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンヲヰヱ'
const HALF_KANA = 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝｵｲｴ'
const SMALL_KANA = 'ァィゥェォッャュョヮヵヶ'
const LARGE_KANA = 'アイウエオツヤユヨワカケ'
const HALF_OF = new Map([...FULL_KANA].map((kana, index) => [kana, [...HALF_KANA][index]!]))
const LARGE_OF = new Map([...SMALL_KANA].map((kana, index) => [kana, [...LARGE_KANA][index]!]))
const COMBINING_VOICED = '\u3099'
const COMBINING_SEMI_VOICED = '\u309A'
/** Long-vowel marks, hyphens, minus signs and dashes of every width. */
const DASHES = /[ー\u2010-\u2015\u2212\uFF0D\uFF70]/g

/**
 * Hiragana and katakana of any width become half-width capital kana, small kana large, ー becomes -, ヲ becomes ｵ, and
 * letters and digits half-width capitals. Characters without a counterpart stay as they are, for the caller to refuse.
 * Tested by `domain/bank/bank.test.ts`.
 */
export function toHalfWidthKana(text: string): string {
  const decomposed = text
    .replace(DASHES, '-')
    // NFKD would turn a voicing mark that stands alone into a space and a mark.
    .replaceAll('゛', COMBINING_VOICED)
    .replaceAll('゜', COMBINING_SEMI_VOICED)
    .normalize('NFKC')
    .replace(/[\u3041-\u3096]/g, hiragana => String.fromCharCode(hiragana.charCodeAt(0) + 0x60))
    .normalize('NFD')
  let half = ''
  for (const character of decomposed) half += halfWidthOf(character)
  return half.toUpperCase()
}

function halfWidthOf(character: string): string {
  if (character === COMBINING_VOICED) return 'ﾞ'
  if (character === COMBINING_SEMI_VOICED) return 'ﾟ'
  return HALF_OF.get(LARGE_OF.get(character) ?? character) ?? character
}

/** Characters of names. Banks accept `/` only in EDI text, which our files do not contain. */
const ALLOWED = /^[A-Z0-9 ().\-ｱ-ﾝﾞﾟ]$/

/**
 * The characters of a name that a bank file may not contain, each once. `extraAllowed` are the signs that one bank
 * accepts in addition; small half-width kana, ｦ and ｰ are never allowed.
 */
export function forbiddenCharacters(text: string, extraAllowed = ''): readonly string[] {
  return [...new Set(text)].filter(character => !ALLOWED.test(character) && !extraAllowed.includes(character))
}

/**
 * The characters of a bank's list of additional signs that no bank can accept, each once: all but half-width signs.
 */
export function impossibleSigns(extraAllowed: string): readonly string[] {
  return [...new Set(extraAllowed)].filter(character => !/^[!-/:-@[-`{-~｡-･]$/.test(character))
}

/** The bytes in JIS X 0201 (the same in Shift_JIS). Throws on any other character. */
export function toJisX0201(text: string): Uint8Array {
  return Uint8Array.from(text, character => {
    const code = character.charCodeAt(0)
    if (code < 0x80) return code
    if (code >= 0xff61 && code <= 0xff9f) return code - 0xff61 + 0xa1
    throw new RangeError(`not in JIS X 0201: ${character}`)
  })
}

/** The text of JIS X 0201 bytes; undefined when a byte is not part of that code. */
export function fromJisX0201(bytes: Uint8Array): string | undefined {
  let text = ''
  for (const byte of bytes) {
    if (byte < 0x80) text += String.fromCharCode(byte)
    else if (byte >= 0xa1 && byte <= 0xdf) text += String.fromCharCode(byte - 0xa1 + 0xff61)
    else return undefined
  }
  return text
}
