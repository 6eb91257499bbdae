import { type CooperativeSteps, runSync } from '@pc/domain/cooperative.ts'
import { expect, onTestFinished, test } from 'vitest'
import { runCooperatively } from './run-cooperatively.ts'

function* work(steps: number, millisecondsEach: number): CooperativeSteps<number> {
  let sum = 0
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + millisecondsEach
    while (performance.now() < until) sum += 0
    sum += step
    yield
  }
  return sum
}

test('long work yields to other tasks, and has the same result', async () => {
  let ticks = 0
  const others = setInterval(() => {
    ticks += 1
  }, 1)
  onTestFinished(() => clearInterval(others))
  const value = await runCooperatively(work(100, 2))
  // 200 ms of work in slices of ten milliseconds; without slices no timer would have fired.
  expect(ticks).toBeGreaterThan(5)
  expect(value).toBe(runSync(work(100, 0)))
})

test('an error of the work is thrown, and the work stops', async () => {
  function* failing(): CooperativeSteps<never> {
    yield
    throw new RangeError('wrong')
  }
  await expect(runCooperatively(failing())).rejects.toThrow('wrong')
})
