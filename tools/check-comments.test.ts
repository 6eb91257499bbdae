import { expect, test } from 'vitest'
import { wrongComments, wrongDecisions } from './check-comments.ts'

const problems = (source: string) => wrongComments('a.ts', source)

test('a described parameter is one of the declaration that follows, also when it is taken apart', () => {
  const right = [
    '/** @param a the first\n * @param b the second */\nexport async function f(a: X, { b = 1 }: Y) {}',
    '/** @param a the first */\nexport const f = (a: X) => a',
    '/** @param a the first */\nexport type F = (a: X) => Y',
    'interface F {\n  /** @param a the first */\n  of(a: X): Y\n}',
    'class F {\n  /** @param a the first */\n  constructor(a: X) {}\n}',
  ]
  expect(right.flatMap(problems)).toEqual([])
  expect(problems('/** @param earnedOf each */\nexport function f(earned: X) {}')).toEqual([
    'a.ts:1 describes the parameter earnedOf, which is not there',
  ])
  expect(problems('export function f(a: X) {}\n/** @param a no more */\nconst b = 1')).toHaveLength(1)
  // The type of a parameter is no parameter.
  expect(problems('/** @param X no */\nexport function f(a: X, { b }: Y) {}')).toHaveLength(1)
})

test('a comment stands on a declaration; only that of the whole module has an empty line below', () => {
  expect(problems("import a from 'a'\n/** About the module. */\n\n/** One. */\nconst one = 1")).toEqual([])
  expect(problems('/** About the module. */\n/** One. */\nconst one = 1')).toEqual([
    'a.ts:1 describes nothing: another such comment follows',
  ])
  expect(problems('const one = 1\n/** Two. */\n\nconst two = 2')).toEqual([
    'a.ts:2 describes nothing: an empty line follows',
  ])
  expect(problems('interface A {\n  a: 1\n  /** Gone. */\n}')).toEqual([
    'a.ts:3 describes nothing: no declaration follows',
  ])
})

test('a decision is named in one form, and exists', () => {
  const wrong = (line: string) => wrongDecisions('a.ts', line, new Set(['0053']))
  expect(wrong('// Sealed (docs/adr/0053).')).toEqual([])
  expect(wrong('// Sealed (ADR 53).')).toEqual(['a.ts:1 writes ADR 53: a decision is named as docs/adr/NNNN'])
  expect(wrong('// Sealed (docs/adr/53).')).toEqual(['a.ts:1 names docs/adr/53, which does not exist'])
})
