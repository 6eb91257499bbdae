import { runSync, type Steps } from '@pc/domain/cooperative.ts'
import { expect, onTestFinished, test } from 'vitest'
import { runCooperatively } from './run-cooperatively.ts'

function* work(steps: number, millisecondsEach: number): Steps<number> {
  let sum = 0
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + millisecondsEach
    while (performance.now() < until) sum += 0
    sum += step
    yield
  }
  return sum
}

test('long work lets others have their turn, and comes to the same', async () => {
  let turns = 0
  const others = setInterval(() => {
    turns += 1
  }, 1)
  onTestFinished(() => clearInterval(others))
  const value = await runCooperatively(work(100, 2))
  // 200 ms of work: at once nobody would have had a turn; so it is one after every ten milliseconds.
  expect(turns).toBeGreaterThan(5)
  expect(value).toBe(runSync(work(100, 0)))
})

test('what goes wrong is thrown, and nothing goes on', async () => {
  function* failing(): Steps<never> {
    yield
    throw new RangeError('wrong')
  }
  await expect(runCooperatively(failing())).rejects.toThrow('wrong')
})
