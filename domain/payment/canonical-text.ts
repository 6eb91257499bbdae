/**
 * The canonical text of a value: sorted keys, no white space, Maps as sorted entries, whole numbers only, `bigint`s as
 * strings that end in `n`. Equal values have equal texts, different values different ones, and {@link
 * parseCanonicalText} restores the value, so that a stored input can be settled again. A month of ten thousand
 * agreements has millions of values, so each is visited once.
 * Tested by `domain/payment/canonical-value.test.ts`.
 */
export function canonicalText(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return `"${value}n"`
    case 'string':
      return JSON.stringify(looksLikeBigint(value) ? `~${value}` : value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      if (!Number.isSafeInteger(value)) throw new RangeError(`only whole numbers are stored: ${value}`)
      return String(value) // also for -0, which becomes '0'
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return arrayText(value)
      if (value instanceof Map) return `{"$map":${entriesText(value)}}`
      return objectText(value)
    default:
      throw new RangeError(`cannot be stored: ${typeof value}`)
  }
}

/** Reads what {@link canonicalText} wrote. Throws a SyntaxError when the text is not JSON. */
export function parseCanonicalText(text: string): unknown {
  return revived(JSON.parse(text))
}

/** Whether two values have the same canonical text, without writing either. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index += 1) if (!isSameValue(a[index], b[index])) return false
    return true
  }
  if (Array.isArray(b) || a instanceof Map || b instanceof Map) return canonicalText(a) === canonicalText(b)
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>]
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every(name => Object.hasOwn(right, name) && isSameValue(left[name], right[name]))
}

const LOOKS_LIKE_BIGINT = /^~*-?\d+n$/
const IS_BIGINT = /^-?\d+n$/

function looksLikeBigint(text: string): boolean {
  return text.endsWith('n') && LOOKS_LIKE_BIGINT.test(text)
}

/**
 * Restores the value that JSON.parse returned, in place: nobody else has it yet. A string that looked like a bigint was
 * written with one more `~` in front, which is removed here.
 */
function revived(value: unknown): unknown {
  if (typeof value === 'string') {
    if (!looksLikeBigint(value)) return value
    return IS_BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value.slice(1)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = revived(value[index])
    return value
  }
  for (const name of Object.keys(value)) Reflect.set(value, name, revived(Reflect.get(value, name)))
  return '$map' in value && Array.isArray(value.$map) ? new Map(value.$map) : value
}

function arrayText(items: readonly unknown[]): string {
  let text = '['
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ','
    text += canonicalText(items[index])
  }
  return `${text}]`
}

function entriesText(map: ReadonlyMap<unknown, unknown>): string {
  const entries = [...map].map(([key, value]) => `[${canonicalText(key)},${canonicalText(value)}]`)
  return `[${entries.toSorted().join(',')}]`
}

function objectText(value: object): string {
  if ('$map' in value) throw new RangeError('the key $map is reserved')
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new RangeError('only plain values are stored')
  const { names, labels } = layoutOf(Object.keys(value))
  const values = value as Readonly<Record<string, unknown>>
  let text = '{'
  for (let index = 0; index < names.length; index += 1) text += labels[index] + canonicalText(values[names[index]!])
  return `${text}}`
}

/** The keys of an object in their order in the text, and the text that begins each entry. */
interface Layout {
  /** In the object's own order. */
  readonly given: readonly string[]
  readonly names: readonly string[]
  readonly labels: readonly string[]
}
/**
 * The objects of a month have some twenty layouts, so sorted keys are cached. Beyond the limit, layouts are only
 * slower.
 */
const layouts = new Map<string, Layout[]>()
const MAX_LAYOUTS = 1_000

/** Cached by the first key: a longer cache key would have to be built for every object. */
function layoutOf(given: readonly string[]): Layout {
  const first = given[0] ?? ''
  const alike = layouts.get(first) ?? []
  const known = alike.find(layout => isSameList(layout.given, given))
  if (known) return known
  const sorted = given.toSorted()
  const layout = {
    given,
    names: sorted,
    labels: sorted.map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`),
  }
  if (layouts.size < MAX_LAYOUTS && alike.length < MAX_ALIKE) layouts.set(first, [...alike, layout])
  return layout
}
/** More layouts with the same first key are not cached, because these are searched one by one. */
const MAX_ALIKE = 20

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false
  return true
}
