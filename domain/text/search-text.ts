/**
 * The normal form in which Japanese names are searched. It ignores full and half width, hiragana and katakana, small
 * and large kana, capitals, spaces, long-vowel marks and separators. PostgreSQL's `app.search_text` does the same; a
 * test compares them.
 */
export function searchText(text: string): string {
  return (
    text
      .normalize('NFKC')
      // Letter by letter: lower-casing a whole text would turn a Σ at the end of a word into another letter.
      .replace(/\p{Lu}/gu, capital => capital.toLowerCase())
      .replace(/[\u3041-\u3096]/g, hiragana => String.fromCharCode(hiragana.charCodeAt(0) + 0x60))
      .replace(/[ァィゥェォッャュョヮヵヶ]/g, small => LARGE_OF.get(small) ?? small)
      .replace(SEPARATORS, '')
  )
}

const SMALL = 'ァィゥェォッャュョヮヵヶ'
const LARGE = 'アイウエオツヤユヨワカケ'
const LARGE_OF = new Map([...SMALL].map((small, index) => [small, LARGE[index]]))
const SEPARATORS = /[\s\-‐‑‒–—―−ー〜~・･。、.,'"‘’“”()（）「」『』[\]【】<>〈〉《》/\\&!?:;_*#+=@|]/g

/** Every word is a condition of the query; further words are ignored. */
const MAX_WORDS = 8

/**
 * The words of a search text in normal form, all of which must be found. Empty: nothing to search for. A text of
 * separators alone stays as it is: no normal form contains one, so it finds nothing instead of everything.
 */
export function searchWords(typed: string): readonly string[] {
  const parts = typed.split(/\s+/).filter(part => part !== '')
  const words = parts.map(searchText).filter(word => word !== '')
  return [...new Set(words.length > 0 ? words : parts)].slice(0, MAX_WORDS)
}
