import { expect, test } from 'vitest'
import { inRequestScope, keptOfRequest } from './request-scope.ts'
import { ReaderGate } from './stats/reader-gate.ts'

test('a request that has read stays inside until its answer is complete', async () => {
  const gate = new ReaderGate()
  const order: string[] = []
  const note = (word: string) => async () => void order.push(word)
  const others = Promise.withResolvers<void>()
  const request = inRequestScope(async () => {
    await gate.read(note('first'))
    await others.promise
    // The writer waits already: a reader of its own would wait for it, and it for the request, for ever.
    await Promise.all([gate.read(note('second')), gate.read(note('third'))])
    order.push('answered')
  })
  const writing = gate.write(note('written'))
  const later = gate.read(note('later'))
  others.resolve()
  await Promise.all([request, writing, later])
  expect(order).toEqual(['first', 'second', 'third', 'answered', 'written', 'later'])
})

test('readers of one request that waited for a writer all go in before the next one', async () => {
  const gate = new ReaderGate()
  const order: string[] = []
  const note = (word: string) => async () => void order.push(word)
  const writing = gate.write(note('written'))
  const request = inRequestScope(() => Promise.all([gate.read(note('one')), gate.read(note('other'))]))
  const next = gate.write(note('written again'))
  await Promise.all([writing, request, next])
  expect(order.slice(1).sort()).toEqual(['one', 'other', 'written again'].sort())
  expect(Math.abs(order.indexOf('one') - order.indexOf('other'))).toBe(1)
})

test('a reader that still runs when its request is answered keeps the writer out', async () => {
  const gate = new ReaderGate()
  const order: string[] = []
  const statement = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  // A refused field answers the request at once, and the fields beside it go on.
  const request = inRequestScope(async () => {
    running = gate.read(async () => {
      await statement.promise
      order.push('read')
    })
    throw new Error('refused')
  })
  await expect(request).rejects.toThrow('refused')
  const writing = gate.write(async () => void order.push('written'))
  setImmediate(statement.resolve)
  await Promise.all([running, writing])
  expect(order).toEqual(['read', 'written'])
})

test('a value is the same for one request, another one for others, and a failure is not kept', async () => {
  const owner = {}
  let made = 0
  const make = async () => (made += 1)
  const seen = () => Promise.all([keptOfRequest(owner, make), keptOfRequest(owner, make)])
  expect(await inRequestScope(seen)).toEqual([1, 1])
  expect(await inRequestScope(seen)).toEqual([2, 2])
  expect(await seen()).toEqual([3, 4])
  const failing = () => Promise.reject(new Error('away'))
  await inRequestScope(async () => {
    await expect(keptOfRequest(owner, failing)).rejects.toThrow('away')
    expect(await keptOfRequest(owner, make)).toBe(5)
  })
  let late: Promise<number> | undefined
  const gone = Promise.withResolvers<void>()
  await inRequestScope(async () => {
    await keptOfRequest(owner, make)
    late = gone.promise.then(() => keptOfRequest(owner, make))
  })
  gone.resolve()
  expect(await late).toBe(7)
})
