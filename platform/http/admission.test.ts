import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Admission } from './admission.ts'
import type { HttpError } from './http-error.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = {
  atOnce: 2,
  atLeast: 2,
  waiting: 4,
  waitingOfOne: 3,
  maxWaitMs: 800,
  sheddingWaitMs: 200,
  sheddingAfterMs: 3_000,
}
const make = () => new Admission(limits, () => Date.now())
const refused = (entering: Promise<unknown>) =>
  entering.then(
    () => 'let in',
    (error: HttpError) => ({ status: error.status, retryAfter: Number(error.headers['retry-after']) }),
  )

test('lets in as many as may work at once; the next one when one of them has left', async () => {
  const admission = make()
  const leave = await admission.enter('a')
  await admission.enter('a')
  const third = refused(admission.enter('b'))
  await vi.advanceTimersByTimeAsync(100)
  leave()
  leave() // a second time does nothing
  expect(await third).toBe('let in')
  const fourth = refused(admission.enter('b'))
  await vi.advanceTimersByTimeAsync(900)
  expect(await fourth).toMatchObject({ status: 503 })
})

test('callers have their turns one after the other, however many requests one of them sends', async () => {
  const admission = make()
  const leaving = [await admission.enter('greedy'), await admission.enter('greedy')]
  const order: string[] = []
  for (const caller of ['greedy', 'greedy', 'greedy', 'modest'])
    void admission.enter(caller).then(leave => {
      order.push(caller)
      leaving.push(leave)
    })
  await vi.advanceTimersByTimeAsync(1)
  while (leaving.length > 0) {
    leaving.shift()?.()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(order).toEqual(['greedy', 'modest', 'greedy', 'greedy'])
})

test('too many of one caller: 429; too many in all: 503; both say when to come back, not all at the same time', async () => {
  const admission = make()
  await Promise.all([admission.enter('a'), admission.enter('a')])
  const waiting = ['a', 'a', 'a'].map(caller => refused(admission.enter(caller)))
  const answers = [await refused(admission.enter('a'))]
  waiting.push(refused(admission.enter('b')))
  for (let n = 0; n < 3; n += 1) answers.push(await refused(admission.enter('c')))
  expect(answers.map(answer => typeof answer === 'object' && answer.status)).toEqual([429, 503, 503, 503])
  expect(new Set(answers.map(answer => typeof answer === 'object' && answer.retryAfter))).toEqual(new Set([1, 2, 3]))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await Promise.all(waiting)).toEqual(Array(4).fill(expect.objectContaining({ status: 503 })))
  expect(admission.turnedAway).toBe(8)
})

test('nobody waits longer than the limit, also when the process itself was late', async () => {
  const admission = make()
  const leave = await admission.enter('a')
  await admission.enter('a')
  const late = refused(admission.enter('b'))
  vi.setSystemTime(Date.now() + 5_000) // no timer has run meanwhile
  leave()
  expect(await late).toMatchObject({ status: 503 })
  expect(await refused(admission.enter('b'))).toBe('let in')
})

test('anyone who goes away while waiting gives the place to others', async () => {
  const admission = make()
  await Promise.all([admission.enter('a'), admission.enter('a')])
  const away = new AbortController()
  const gone = ['b', 'b', 'b'].map(caller => refused(admission.enter(caller, away.signal)))
  away.abort()
  await Promise.all(gone)
  const others = ['c', 'c', 'c', 'd'].map(caller => refused(admission.enter(caller)))
  expect(admission.turnedAway).toBe(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await Promise.all(others)).toEqual(Array(4).fill(expect.objectContaining({ status: 503 })))
})

test('slow requests make the places fewer, down to the least; quick ones bring them back', async () => {
  const admission = new Admission({ atOnce: 20, atLeast: 4, slowMs: 700, waiting: 0 }, () => Date.now())
  const letIn = async () => {
    const leaving: (() => void)[] = []
    for (;;) {
      const leave = await admission.enter('a').catch(() => undefined)
      if (!leave) return leaving
      leaving.push(leave)
    }
  }
  expect((await letIn()).splice(0).map(leave => leave())).toHaveLength(20)
  const counts: number[] = []
  for (let round = 0; round < 30; round += 1) {
    const leaving = await letIn()
    counts.push(leaving.length)
    await vi.advanceTimersByTimeAsync(1_000)
    for (const leave of leaving) leave()
  }
  expect(counts.slice(0, 3)).toEqual([20, 18, 16])
  expect(counts.at(-1)).toBe(4)
  for (let round = 0; round < 40; round += 1) for (const leave of await letIn()) leave()
  expect((await letIn()).length).toBe(20)
})

test('a hiccup is waited for; when somebody has been waiting for seconds, the others are refused sooner', async () => {
  const admission = new Admission({ ...limits, waiting: 1_000, waitingOfOne: 1_000 }, () => Date.now())
  const leaving = [await admission.enter('a'), await admission.enter('a')]
  const waited: number[] = []
  const ask = () => {
    const since = Date.now()
    void refused(admission.enter('b')).then(answer => answer !== 'let in' && waited.push(Date.now() - since))
  }
  for (let n = 0; n < 45; n += 1) {
    ask()
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(waited[0]).toBeGreaterThanOrEqual(800)
  expect(waited[0]).toBeLessThan(900)
  expect(waited.at(-1)).toBeGreaterThanOrEqual(200)
  expect(waited.at(-1)).toBeLessThan(300)
  // The queue is empty: the next overload starts as a hiccup again.
  for (const leave of leaving) leave()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await refused(admission.enter('c'))).toBe('let in')
})

test('a queue that is never empty sheds no load while requests are admitted soon', async () => {
  const admission = new Admission(
    { ...limits, waiting: 100, waitingOfOne: 100, maxWaitMs: 5_000, sheddingWaitMs: 800 },
    () => Date.now(),
  )
  const outcomes: string[] = []
  const work = async (caller: string, times: number) => {
    for (let n = 0; n < times; n += 1) {
      const leave = await admission.enter(caller).catch(() => undefined)
      outcomes.push(leave ? 'let in' : 'turned away')
      await new Promise(resolve => setTimeout(resolve, 200))
      leave?.()
    }
  }
  // Two places. The twelve of one caller wait two seconds for each other, the other one comes in at its next turn.
  const readers = Promise.all([work('a', 150), ...Array.from({ length: 12 }, () => work('b', 15))])
  await vi.advanceTimersByTimeAsync(120_000)
  await readers
  expect(outcomes).toEqual(Array(150 + 12 * 15).fill('let in'))
})

/** People who ask, think for a second and ask again; two places, each question takes a tenth of a second. */
async function crowd(admission: Admission, people: number, seconds: number) {
  const waits: number[] = []
  let turnedAway = 0
  const until = Date.now() + seconds * 1_000
  const live = async (person: number) => {
    await new Promise(resolve => setTimeout(resolve, (1_000 * person) / people))
    while (Date.now() < until) {
      const since = Date.now()
      const leave = await admission.enter(`${person}`).catch(() => undefined)
      if (leave) waits.push(Date.now() - since)
      else turnedAway += 1
      await new Promise(resolve => setTimeout(resolve, 100))
      leave?.()
      await new Promise(resolve => setTimeout(resolve, 1_000))
    }
  }
  const all = Promise.all(Array.from({ length: people }, (_, person) => live(person)))
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  return { waits, turnedAway: () => turnedAway, all }
}

test('a crowd that is answered within a second or so is answered, each of them', async () => {
  const admission = new Admission({ atOnce: 2, atLeast: 2 }, () => Date.now())
  const { waits, turnedAway, all } = await crowd(admission, 42, 60)
  await vi.advanceTimersByTimeAsync(10_000)
  await all
  expect(turnedAway()).toBe(0)
  expect(Math.max(...waits)).toBeGreaterThan(700)
})

test('a crowd that would wait for seconds is cut short, and anyone who comes after it is let in within a second', async () => {
  const admission = new Admission({ atOnce: 2, atLeast: 2 }, () => Date.now())
  const { waits, turnedAway } = await crowd(admission, 200, 60)
  expect(turnedAway()).toBeGreaterThan(1_000)
  expect(Math.max(...waits.slice(-500))).toBeLessThanOrEqual(850)
  const since = Date.now()
  const next = admission.enter('next').then(() => Date.now() - since)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await next).toBeLessThanOrEqual(1_000)
})
