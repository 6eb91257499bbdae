import { HttpError } from './http-error.ts'

/** Far above the deepest form. The bound protects recursive functions that walk through the values. */
export const MAX_JSON_DEPTH = 32
/** The longest list that a field declares. */
const MAX_JSON_ITEMS = 10_000

/**
 * Parses JSON from outside. Depth and list lengths are counted in the text first, so that nothing oversized is built.
 * @throws HttpError 400
 */
export function parseJson(text: string): unknown {
  const { depth, items } = shapeOf(text)
  if (depth > MAX_JSON_DEPTH) throw new HttpError(400, 'body-too-deep', { data: { max: MAX_JSON_DEPTH } })
  if (items > MAX_JSON_ITEMS) throw new HttpError(400, 'body-too-many-items', { data: { max: MAX_JSON_ITEMS } })
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, 'body-not-json')
  }
}

/** The same values with texts that every store can hold: NUL removed, lone surrogates replaced by U+FFFD. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, storable(one)])) as T
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Deepest nesting and longest list or object of a JSON text. For invalid JSON the numbers have no meaning. */
function shapeOf(text: string): { readonly depth: number; readonly items: number } {
  const commas = [0]
  let [depth, items, deepest] = [0, 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfText(text, at)
    else if (sign === COMMA) {
      commas[depth]! += 1
      items = Math.max(items, commas[depth]! + 1)
    } else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return { depth, items }
      deepest = Math.max(deepest, depth)
      commas[depth] = 0
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth = Math.max(0, depth - 1)
  }
  return { depth: deepest, items }
}

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) return at
    if (sign === BACKSLASH) at += 1
  }
  return text.length
}
