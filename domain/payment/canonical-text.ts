/**
 * One text for one value: object keys sorted, no white space, Maps as sorted entries, whole numbers only, `bigint`s as
 * strings that end in `n`. Equal values have equal texts, different values different texts, and {@link parseCanonicalText}
 * gives the value back, so that a stored input can be settled again.
 */
export function canonicalText(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return `"${value}n"`
    case 'string':
      return JSON.stringify(LOOKS_LIKE_BIGINT.test(value) ? `~${value}` : value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'number':
      if (!Number.isSafeInteger(value)) throw new RangeError(`only whole numbers are stored: ${value}`)
      return Object.is(value, -0) ? '0' : String(value)
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
      if (value instanceof Map) return `{"$map":${entriesText(value)}}`
      return objectText(value)
    default:
      throw new RangeError(`cannot be stored: ${typeof value}`)
  }
}

export function parseCanonicalText(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string') {
      if (/^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1))
      return LOOKS_LIKE_BIGINT.test(value) ? value.slice(1) : value
    }
    if (typeof value === 'object' && value !== null && '$map' in value && Array.isArray(value.$map)) {
      return new Map(value.$map)
    }
    return value
  })
}

const LOOKS_LIKE_BIGINT = /^~*-?\d+n$/

function entriesText(map: ReadonlyMap<unknown, unknown>): string {
  const entries = [...map].map(([key, value]) => `[${canonicalText(key)},${canonicalText(value)}]`)
  return `[${entries.toSorted().join(',')}]`
}

function objectText(value: object): string {
  if ('$map' in value) throw new RangeError('the key $map is reserved')
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new RangeError('only plain values are stored')
  const parts = Object.keys(value)
    .toSorted()
    .map(key => `${JSON.stringify(key)}:${canonicalText(Reflect.get(value, key))}`)
  return `{${parts.join(',')}}`
}
