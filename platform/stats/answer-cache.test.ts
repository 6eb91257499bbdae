import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { AnswerCache } from './answer-cache.ts'
import type { Row } from './port.ts'
import type { Param } from './sql.ts'

function engine() {
  const requested: string[] = []
  const cache = new AnswerCache()
  const ask = (text: string, params: readonly Param[], rows: Row[] | Error = [{ n: BigInt(requested.length) }]) =>
    cache.answer({ text, params }, async () => {
      requested.push(text)
      if (rows instanceof Error) throw rows
      return rows
    })
  return { requested, cache, ask }
}

test('the same statement with the same parameters is run once, until something is written', async () => {
  const { requested, cache, ask } = engine()
  const params = [1n, day('2026-10-01'), [1n, 2n]]
  const first = await ask('select a', params)
  first.push({ n: 99n }) // what a caller does with its answer is its own affair
  expect(await ask('select a', [...params])).toEqual([{ n: 0n }])
  expect(requested).toHaveLength(1)
  cache.clear()
  expect(await ask('select a', params)).toEqual([{ n: 1n }])
})

test('another text or another parameter is another question', async () => {
  const { requested, ask } = engine()
  const questions: [string, Param[]][] = [
    ['select a', [1n, [2n, 3n]]],
    ['select a', [1n, [2n], 3n]],
    ['select a', [1n, [23n]]],
    ['select a', [12n, [3n]]],
    ['select a', [1n, [2n, 4n]]],
    ['select a', [day('2026-10-01')]],
    ['select b', [1n, [2n, 3n]]],
  ]
  for (const [text, params] of questions) await ask(text, params)
  expect(requested).toHaveLength(questions.length)
})

test('a failure and a large answer are not kept', async () => {
  const { requested, ask } = engine()
  await expect(ask('select a', [], new Error('broken'))).rejects.toThrow('broken')
  await ask('select a', [])
  const many = Array.from({ length: 5_000 }, (_, n) => ({ a: BigInt(n), b: 1n, c: 2n, d: 3n }))
  await ask('select b', [], many)
  await ask('select b', [], many)
  expect(requested).toEqual(['select a', 'select a', 'select b', 'select b'])
})

/** Statements that end when the test says so. */
function slowEngine() {
  const cache = new AnswerCache()
  const running: { end(rows: Row[]): void; fail(cause: Error): void }[] = []
  const ask = (params: readonly Param[], signal?: AbortSignal) =>
    cache.answer({ text: 'select a', params, ...(signal ? { signal } : {}) }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
      running.push({ end: resolve, fail: reject })
      signal?.addEventListener('abort', () => reject(signal.reason))
      return promise
    })
  return { running, ask }
}

test('equal statements at the same time are one, and each caller has rows of its own', async () => {
  const { running, ask } = slowEngine()
  const [first, second, other] = [ask([1n]), ask([1n]), ask([2n])]
  expect(running).toHaveLength(2)
  running[1]!.end([{ n: 2n }])
  running[0]!.end([{ n: 1n }])
  ;(await first).push({ n: 99n })
  expect(await second).toEqual([{ n: 1n }])
  expect(await other).toEqual([{ n: 2n }])
})

test('a failure is one for everybody who waits for it, and not for one who comes later', async () => {
  const { running, ask } = slowEngine()
  const callers = [ask([1n]), ask([1n])]
  running[0]!.fail(new Error('broken'))
  for (const caller of callers) await expect(caller).rejects.toThrow('broken')
  const later = ask([1n])
  running[1]!.end([{ n: 1n }])
  expect(await later).toEqual([{ n: 1n }])
})

test('anyone who gives up takes nobody along, as the first caller or as one who waits', async () => {
  const { running, ask } = slowEngine()
  const [asking, waiting] = [new AbortController(), new AbortController()]
  const callers = [ask([1n], asking.signal), ask([1n], waiting.signal), ask([1n]), ask([1n])]
  waiting.abort(new Error('the second went away'))
  await expect(callers[1]).rejects.toThrow('the second went away')
  expect(running).toHaveLength(1)
  asking.abort(new Error('the first went away'))
  await expect(callers[0]).rejects.toThrow('the first went away')
  await expect.poll(() => running).toHaveLength(2)
  running[1]!.end([{ n: 1n }])
  expect(await Promise.all([callers[2], callers[3]])).toEqual([[{ n: 1n }], [{ n: 1n }]])
})
