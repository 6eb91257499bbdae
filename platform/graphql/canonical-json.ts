/**
 * JSON that also holds bigint and Date, which read back as the same types. Keys are sorted and undefined values left
 * out, so that equal values have equal texts. Tested by `platform/graphql/mutation.test.ts`.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(encoded(value))
}

export function parseCanonicalJson(text: string): unknown {
  return decoded(JSON.parse(text))
}

const TAG = '$'

function encoded(value: unknown): unknown {
  if (typeof value === 'bigint') return { [TAG]: 'bigint', value: value.toString() }
  if (value instanceof Date) return { [TAG]: 'instant', value: value.toISOString() }
  if (Array.isArray(value)) return value.map(encoded)
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined)
    const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, encoded(item)])
    const plain = Object.fromEntries(sorted) as Record<string, unknown>
    return TAG in plain ? { [TAG]: 'object', value: plain } : plain
  }
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('only data can be kept')
  return value
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded)
  if (typeof value !== 'object' || value === null) return value
  const { [TAG]: tag, value: inner } = value as Record<string, unknown>
  if (tag === 'bigint') return BigInt(inner as string)
  if (tag === 'instant') return new Date(inner as string)
  return mapped(tag === 'object' ? (inner as object) : value)
}

function mapped(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decoded(item)]))
}
