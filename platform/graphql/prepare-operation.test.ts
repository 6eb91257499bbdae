import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { buildSchema } from 'graphql'
import { beforeEach, describe, expect, test } from 'vitest'
import type { GraphContext } from './graph.ts'
import { LIMITS } from './operation-limits.ts'
import { type GraphqlRequest, MAX_KNOWN_BYTES, OperationPreparer } from './prepare-operation.ts'

const schema = buildSchema(`
  type Query { fine(words: [String]): String, rows(limit: Int = 10): [Row], first(limit: Int): Row }
  type Row { id: ID }
`)
const signedIn = { viewer: { roles: ['admin'] } as unknown as Viewer, permits: new Map() } as unknown as GraphContext
const nobody = { viewer: null, permits: new Map() } as unknown as GraphContext
let preparer: OperationPreparer
beforeEach(() => {
  preparer = new OperationPreparer(schema)
})
const prepare = (query: string, context = signedIn) =>
  preparer.prepare({ query, operationName: undefined, variables: {} }, context)
const reasonOf = (query: string) => {
  const prepared = prepare(query, nobody)
  return prepared.ok ? 'fine' : (prepared.errors[0]?.extensions.reason ?? prepared.errors[0]?.message)
}

describe('the text of an operation', () => {
  const padded = (length: number) => '{ fine }'.padEnd(length)
  test('is read up to its limit and refused beyond it, whatever makes it long', () => {
    expect(reasonOf(padded(LIMITS.characters))).toBe('fine')
    expect(reasonOf(padded(LIMITS.characters + 1))).toBe('too-long')
    expect(reasonOf(`{ fine(words: ["${'x'.repeat(LIMITS.characters)}"]) }`)).toBe('too-long')
    expect(reasonOf(`#0\n${'#\n'.repeat(680_000)}{ __typename }`)).toBe('too-long')
  })
  test('has as many comments as tokens', () => {
    expect(reasonOf(`${'#\n'.repeat(LIMITS.tokens)}{ fine }`)).toBe('fine')
    expect(reasonOf(`${'#\n'.repeat(LIMITS.tokens + 1)}{ fine }`)).toContain(`${LIMITS.tokens} comments`)
  })
})

describe('documents that are kept', () => {
  test('are valid ones of people who are signed in', () => {
    for (const query of [
      '{ fine }',
      '{ nothing }',
      '{ fine',
      '{ __schema { types { name } } }',
      'subscription { fine }',
    ])
      prepare(query, nobody)
    for (const query of ['{ nothing }', '{ fine', 'subscription { fine }', '{ ...A }']) prepare(query)
    expect(preparer.knownBytes).toBe(0)
    prepare('{ fine }')
    expect(preparer.knownBytes).toBeGreaterThan(0)
  })
  test('are not parsed again, and hold their place once', () => {
    const first = prepare('{ fine }')
    const size = preparer.knownBytes
    const [second, third] = [prepare('{ fine }'), prepare('{ fine }', nobody)]
    if (!first.ok || !second.ok || !third.ok) throw new Error('refused')
    expect(second.value.document).toBe(first.value.document)
    expect(third.value.document).toBe(first.value.document)
    expect(preparer.knownBytes).toBe(size)
  })
  test('are measured again for other limits than last time', () => {
    const reasonFor = (variables: GraphqlRequest['variables'], query = 'query($a: Int) { rows(limit: $a) { id } }') => {
      const prepared = preparer.prepare({ query, operationName: undefined, variables }, signedIn)
      return prepared.ok ? 'fine' : prepared.errors[0]?.extensions.reason
    }
    const tooMany = LIMITS.cost
    for (let time = 0; time < 2; time += 1) {
      for (const a of [10, null, '9', 10]) expect(reasonFor({ a }), String(a)).toBe('fine')
      expect(reasonFor({ a: tooMany })).toBe('too-much')
      expect(reasonFor({ a: 10, b: tooMany })).toBe('fine')
      expect(reasonFor({})).toBe('fine')
    }
    const inFragment =
      'query A($a: Int = 150000) { ...F } query B($a: Int) { ...F } fragment F on Query { rows(limit: $a) { id } }'
    const named = (operationName: string, variables: GraphqlRequest['variables']) => {
      const prepared = preparer.prepare({ query: inFragment, operationName, variables }, signedIn)
      return prepared.ok ? 'fine' : prepared.errors[0]?.extensions.reason
    }
    expect(named('B', {})).toBe('fine')
    expect(named('A', {})).toBe('too-much')
    expect(named('A', { a: 1 })).toBe('fine')
    expect(named('B', { a: tooMany })).toBe('too-much')
  })
  test.each([
    ['tokens', `{ fine(words: [${'"" '.repeat(LIMITS.tokens - 20)}]) }`, 40],
    ['comments', `${'#\n'.repeat(LIMITS.tokens - 1)}{ fine }`, 40],
    ['spaces', '{ fine }'.padEnd(LIMITS.characters - 10), 400],
  ])('never take more than their bytes, the longest unused going first (%s)', (_name, query, count) => {
    for (let n = 0; n < count; n += 1) {
      prepare('{ fine }')
      expect(prepare(`#${n}\n${query}`).ok).toBe(true)
      expect(preparer.knownBytes).toBeLessThanOrEqual(MAX_KNOWN_BYTES)
    }
    expect(preparer.knownBytes).toBeGreaterThan(MAX_KNOWN_BYTES * 0.9)
    const again = prepare('{ fine }')
    const size = preparer.knownBytes
    expect(again.ok && preparer.knownBytes === size).toBe(true)
  })
})
