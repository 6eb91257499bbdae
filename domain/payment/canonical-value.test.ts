import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalText, isSameValue, parseCanonicalText } from './canonical-text.ts'

const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, -7, 0n, 1n, -12n, '', 'n', '1n', '-12n', '~1n', '~~1n', 'x1n', 'a'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '1n', '$map'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('value')), { maxLength: 3 }).map(rows => new Map(rows)),
  ),
}))
/** An object with its own `$map` would be read back as a Map; the books contain none. */
const stored = value.filter(each => !JSON.stringify(plain(each)).includes('"$map"'))
function plain(each: unknown): unknown {
  if (typeof each === 'bigint') return String(each)
  if (each instanceof Map) return [...each].map(plain)
  if (Array.isArray(each)) return each.map(plain)
  if (typeof each !== 'object' || each === null) return each
  return Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, plain(inner)]))
}

test('two values are the same exactly when their texts are', () => {
  fc.assert(
    fc.property(stored, stored, (a, b) => {
      expect(isSameValue(a, b)).toBe(canonicalText(a) === canonicalText(b))
      expect(isSameValue(a, parseCanonicalText(canonicalText(a)))).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test('different ones stay different, whatever they differ in', () => {
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [[1], [2]],
    [[1, 2], [1]],
    [[1], [1, 2]],
    [[], {}],
    [{}, []],
    [{ a: 1 }, { b: 1 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
    [{ a: 1 }, { a: 2 }],
    [null, {}],
    [{}, null],
    [1, { a: 1 }],
    [{ a: 1 }, 1],
    ['1n', 1n],
    [new Map([['a', 1]]), new Map([['a', 2]])],
    [new Map(), {}],
    [{}, new Map()],
    [[], new Map()],
  ]
  for (const [a, b] of pairs) expect(isSameValue(a, b), `${canonicalText(a)} ${canonicalText(b)}`).toBe(false)
  const make = [() => [[1, [2]]], () => ({ a: { b: [1n] } }), () => new Map([['a', [1]]])]
  for (const one of make) expect(isSameValue(one(), one())).toBe(true)
})

test('the text is the one that the hashes of closed months were made of', () => {
  const months = new Map<string, bigint | number>([
    ['b', 2n],
    ['a', -0],
  ])
  const value = { plan: ['plan', 'n', '1n', '~-1n', 'x1n', ''], months, at: null, isFinal: true, amountYen: -12n }
  const text =
    '{"amountYen":"-12n","at":null,"isFinal":true,"months":{"$map":[["a",0],["b","2n"]]},"plan":["plan","n","~1n","~~-1n","x1n",""]}'
  expect(canonicalText(value)).toBe(text)
  for (const bad of [0.5, Number.NaN, 2 ** 53, undefined, new Set(), { $map: [] }])
    expect(() => canonicalText([bad])).toThrow(RangeError)
})

test('what is stored comes back as it was', () => {
  fc.assert(
    fc.property(stored, each => {
      expect(parseCanonicalText(canonicalText(each))).toEqual(each)
    }),
    { numRuns: 1_000 },
  )
})

test('many layouts of objects, the same names in another order, and more than are remembered', () => {
  for (let count = 0; count < 400; count += 1) {
    const names = Array.from({ length: (count % 7) + 1 }, (_, at) => `f${(count * 31 + at * 7) % 97}`)
    const there = Object.fromEntries(names.map((name, at) => [name, at]))
    const back = Object.fromEntries(Object.entries(there).toReversed())
    expect(canonicalText(back)).toBe(canonicalText(there))
    const sorted = Object.keys(there).toSorted()
    expect(canonicalText(there)).toBe(`{${sorted.map(name => `"${name}":${there[name]}`).join()}}`)
  }
})
