/**
 * The normal form in which Japanese names are searched: full and half width, hiragana and katakana, small and large kana,
 * capitals, spaces, long marks and separators do not count. PostgreSQL's `app.search_text` does the same; a test
 * compares them.
 */
export function searchText(text: string): string {
  return (
    text
      .normalize('NFKC')
      // One by one: a whole text would give a Σ at the end of a word another small letter.
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

const MAX_WORDS = 8

/**
 * The words of a search text in their normal form; all of them have to be found. Empty: nothing to search for. Separators
 * alone stay as they are: no normal form holds one, so they find nothing instead of everything.
 */
export function searchWords(typed: string): readonly string[] {
  const parts = typed.split(/\s+/).filter(part => part !== '')
  const words = parts.map(searchText).filter(word => word !== '')
  return [...new Set(words.length > 0 ? words : parts)].slice(0, MAX_WORDS)
}
