import { day } from '@pc/domain/month/day.ts'
import { expect, test } from 'vitest'
import { AnswerCache } from './answer-cache.ts'
import type { Row } from './port.ts'
import type { Param } from './sql.ts'

function engine() {
  const asked: string[] = []
  const cache = new AnswerCache()
  const ask = (text: string, params: readonly Param[], rows: Row[] | Error = [{ n: BigInt(asked.length) }]) =>
    cache.answer(text, params, async () => {
      asked.push(text)
      if (rows instanceof Error) throw rows
      return rows
    })
  return { asked, cache, ask }
}

test('the same statement with the same parameters is asked once, until something is written', async () => {
  const { asked, cache, ask } = engine()
  const params = [1n, day('2026-10-01'), [1n, 2n]]
  const first = await ask('select a', params)
  first.push({ n: 99n }) // what a caller does with its answer is its own affair
  expect(await ask('select a', [...params])).toEqual([{ n: 0n }])
  expect(asked).toHaveLength(1)
  cache.clear()
  expect(await ask('select a', params)).toEqual([{ n: 1n }])
})

test('another text or another parameter is another question', async () => {
  const { asked, ask } = engine()
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
  expect(asked).toHaveLength(questions.length)
})

test('a failure and a large answer are not kept', async () => {
  const { asked, ask } = engine()
  await expect(ask('select a', [], new Error('broken'))).rejects.toThrow('broken')
  await ask('select a', [])
  const many = Array.from({ length: 5_000 }, (_, n) => ({ a: BigInt(n), b: 1n, c: 2n, d: 3n }))
  await ask('select b', [], many)
  await ask('select b', [], many)
  expect(asked).toEqual(['select a', 'select a', 'select b', 'select b'])
})
