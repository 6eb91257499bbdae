// The search itself, without the page: Japanese has no spaces, so words are found as parts of the text.

/**
 * A text for comparison that ignores width, case and hiragana/katakana, and for each of its characters the place in the
 * original text.
 */
export function foldText(text) {
  let folded = ''
  const places = []
  let place = 0
  for (const char of text) {
    const plain = char
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[ァ-ヶ]/g, kana => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    for (let count = 0; count < plain.length; count += 1) places.push(place)
    folded += plain
    place += char.length
  }
  places.push(place)
  return { text: folded, places }
}

const prepared = new WeakMap()

function prepare(sections) {
  let all = prepared.get(sections)
  if (!all) {
    all = sections.map(section => ({
      section,
      title: foldText(section.heading).text,
      page: foldText(section.page).text,
      blocks: section.blocks.map(block => foldText(block).text),
    }))
    prepared.set(sections, all)
  }
  return all
}

/**
 * Sections that contain every word, best first: in the heading, in one block, spread over blocks. If none does, those
 * with a block that is mostly the same text, such as a pasted message with its own names and numbers.
 * @param sections the content of `search.json`
 * @returns sections with the block that matches best; undefined when only the heading matches
 */
export function findSections(sections, query) {
  const words = foldText(query).text.split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const all = prepare(sections)
  const exact = all.flatMap(one => withWords(one, words))
  const found = exact.length > 0 ? exact : all.flatMap(one => similar(one, words.join('')))
  return found.toSorted((a, b) => b.score - a.score).map(({ section, block }) => ({ ...section, block }))
}

function withWords({ section, title, page, blocks }, words) {
  const count = text => words.filter(word => text.includes(word)).length
  const everything = [page, title, ...blocks]
  if (!words.every(word => everything.some(text => text.includes(word)))) return []
  const counts = blocks.map(count)
  const most = Math.max(0, ...counts)
  const score = (count(title) === words.length ? 4 : 0) + (most === words.length ? 2 : 0) + (count(title) > 0 ? 1 : 0)
  return [{ section, score, block: most > 0 ? section.blocks[counts.indexOf(most)] : undefined }]
}

/** Texts shorter than this resemble too much by chance. */
const MIN_SIMILAR_LENGTH = 6
const MIN_SIMILARITY = 0.55

function similar({ section, blocks }, query) {
  if (query.length < MIN_SIMILAR_LENGTH) return []
  const queried = pairsOf(query)
  const scores = blocks.map(block => similarity(queried, pairsOf(block)))
  const score = Math.max(0, ...scores)
  return score < MIN_SIMILARITY ? [] : [{ section, score, block: section.blocks[scores.indexOf(score)] }]
}

/** How much of either text is in the other, for the one that is more: messages have variable parts, rows have remedies. */
function similarity(queried, pairs) {
  let common = 0
  for (const pair of queried) if (pairs.has(pair)) common += 1
  return Math.max(common / queried.size, (2 * common) / (queried.size + pairs.size))
}

function pairsOf(text) {
  const pairs = new Set()
  for (let at = 0; at + 1 < text.length; at += 1) pairs.add(text.slice(at, at + 2))
  return pairs
}

const BEFORE = 24
const LENGTH = 110

/** The part of a block around the first searched word. */
export function snippetOf(block, query) {
  const { text, places } = foldText(block)
  const starts = foldText(query)
    .text.split(/\s+/)
    .filter(Boolean)
    .map(word => text.indexOf(word))
    .filter(at => at >= 0)
  const at = starts.length > 0 ? places[Math.min(...starts)] : 0
  const from = at <= BEFORE * 2 ? 0 : at - BEFORE
  const to = Math.min(block.length, from + LENGTH)
  return `${from > 0 ? '…' : ''}${block.slice(from, to)}${to < block.length ? '…' : ''}`
}
