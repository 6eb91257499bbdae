import { buildSchema, type OperationDefinitionNode, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { brokenLimit, LIMITS } from './operation-limits.ts'

const schema = buildSchema(`
  type Query {
    page(limit: Int!, offset: Int): Page
    usual(limit: Int = 100): Page
    most(limit: Int = 1000): Page
    whole(limit: Int): [Row]
    unknown(limit: Int): Page
    one: Row
    costly: Row
  }
  type Page { total: Int, nodes: [Row] }
  type Row { id: ID, parts: [Row] }
`)
const whole = schema.getQueryType()?.getFields().whole
if (whole) whole.extensions = { maxRows: 700 }
const costly = schema.getQueryType()?.getFields().costly
if (costly) costly.extensions = { ownCost: 100_000 }

/** Costs what it asks for, and nothing else: the most that it may be repeated. */
function costOf(query: string, variables: Readonly<Record<string, unknown>> = {}): number {
  const document = parse(query)
  const operation = document.definitions[0] as OperationDefinitionNode
  let [low, high] = [0, 10_000_000]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (brokenLimit(schema, document, operation, variables, { ...LIMITS, cost: middle })) low = middle + 1
    else high = middle
  }
  return low
}
const NODES = '{ nodes { id } }'
/** The page itself, and `rows` rows with one field each. */
const pageOf = (rows: number) => 1 + 2 * rows

describe('rows are counted as they will be read', () => {
  test.each([
    ['a number', `{ page(limit: 30) ${NODES} }`, {}, 30],
    ['a variable', `query ($l: Int!) { page(limit: $l) ${NODES} }`, { l: 30 }, 30],
    ['the default of a variable', `query ($l: Int! = 1000) { page(limit: $l) ${NODES} }`, {}, 1_000],
    ['a variable before its default', `query ($l: Int! = 1000) { page(limit: $l) ${NODES} }`, { l: 5 }, 5],
    ['the default of the schema', `{ usual ${NODES} }`, {}, 100],
    ['null, which is the default of the schema', `{ most(limit: null) ${NODES} }`, {}, 1_000],
    ['a variable that was not sent', `query ($l: Int) { usual(limit: $l) ${NODES} }`, {}, 100],
    ['a variable that is null', `query ($l: Int = 5) { most(limit: $l) ${NODES} }`, { l: null }, 1_000],
    ['a default that is null', `query ($l: Int = null) { most(limit: $l) ${NODES} }`, {}, 1_000],
    ['a default that nobody tells', `{ unknown ${NODES} }`, {}, 1_000],
    ['a number that will be refused', `{ page(limit: -5) ${NODES} }`, {}, 10],
  ] as const)('%s', (_name, query, variables, rows) => expect(costOf(query, variables)).toBe(pageOf(rows)))
  test('a list of the root has its own rows, and those inside it the usual ones', () => {
    expect(costOf('{ whole { id } }')).toBe(700 * 2)
    expect(costOf('{ whole(limit: 7) { id } }')).toBe(7 * 2)
    expect(costOf('{ whole(limit: 7) { parts { id } } }')).toBe(7 * (1 + 10 * 2))
    expect(costOf('query ($l: Int = 300) { whole(limit: $l) { id } }')).toBe(300 * 2)
    expect(costOf('{ one { parts { id } } }')).toBe(1 + 10 * 2)
  })
  test('a field that reads far more than it answers is asked for once', () => {
    expect(costOf('{ costly { id } }')).toBe(100_001)
    expect(costOf('{ costly { id } another: costly { id } }')).toBeGreaterThan(LIMITS.cost)
  })
  test('200 fields of 1,000 rows are too much, whichever way the rows are requested', () => {
    const rows = `{ nodes { ${'id '.repeat(200)} } }`
    for (const query of [
      `{ page(limit: 1000) ${rows} }`,
      `query ($l: Int = 1000) { page(limit: $l) ${rows} }`,
      `query ($l: Int! = 1000) { ...A } fragment A on Query { page(limit: $l) ${rows} }`,
      `{ most ${rows} }`,
    ]) {
      const document = parse(query)
      const [operation] = document.definitions as OperationDefinitionNode[]
      expect(brokenLimit(schema, document, operation!, {})?.reason, query).toBe('too-much')
    }
  })
})
