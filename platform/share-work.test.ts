import { expect, test } from 'vitest'
import { currentSignal, withSignal } from './request-signal.ts'
import { SharedWork } from './share-work.ts'

/** Work that ends when it is told to, and notes how it went. */
function ledger() {
  const begun: { finish: (value: number) => void; fail: (error: Error) => void; isStopped: () => boolean }[] = []
  const work = () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const signal = currentSignal()
    begun.push({ finish: resolve, fail: reject, isStopped: () => signal?.aborted ?? false })
    return promise
  }
  return { begun, work }
}
const settle = () => new Promise(setImmediate)

test('six who ask at once cost two computations, and no answer is older than its question', async () => {
  const shared = new SharedWork<number>()
  const { begun, work } = ledger()
  const first = shared.get('a', work)
  const others = Array.from({ length: 5 }, () => shared.get('a', work))
  const other = shared.get('b', work)
  await settle()
  expect(begun).toHaveLength(2)
  begun[0]!.finish(1)
  begun[1]!.finish(9)
  expect([await first, await other]).toEqual([1, 9])
  await settle()
  expect(begun).toHaveLength(3)
  const late = shared.get('a', work) // the second one runs already
  begun[2]!.finish(2)
  expect(await Promise.all(others)).toEqual([2, 2, 2, 2, 2])
  await settle()
  begun[3]!.finish(3)
  expect(await late).toBe(3)
  await settle()
  const again = shared.get('a', work)
  begun[4]!.finish(4)
  expect(await again).toBe(4)
})

test('a failure is that of its callers, and the next one begins from nothing', async () => {
  const shared = new SharedWork<number>()
  const { begun, work } = ledger()
  const first = shared.get('a', work)
  const second = shared.get('a', work)
  begun[0]!.fail(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await settle()
  begun[1]!.finish(2)
  expect(await second).toBe(2)
})

test('it goes on while somebody waits, and stops when the last one has gone', async () => {
  const shared = new SharedWork<number>()
  const { begun, work } = ledger()
  const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()]
  const first = withSignal(one.signal, () => shared.get('a', work))
  const second = withSignal(two.signal, () => shared.get('a', work))
  const third = withSignal(three.signal, () => shared.get('a', work))
  two.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  one.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  expect(begun[0]!.isStopped()).toBe(true)
  begun[0]!.finish(1) // work that does not look at its signal
  await settle()
  expect([begun.length, begun[1]!.isStopped()]).toEqual([2, false])
  begun[1]!.finish(3)
  expect(await third).toBe(3)
  await expect(withSignal(two.signal, async () => shared.get('a', work))).rejects.toThrow('gone')
  expect(begun).toHaveLength(2)
})
