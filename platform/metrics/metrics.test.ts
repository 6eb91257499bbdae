import { expect, test } from 'vitest'
import { openMetrics } from './metrics.ts'

test('the share of time in which the thread is busy rises with its work, however many collectors ask', async () => {
  const metrics = openMetrics()
  const share = async () => Number(/^pc_event_loop_busy_ratio (.+)$/m.exec(await metrics.text())?.[1])
  await share()
  const until = performance.now() + 300
  while (performance.now() < until) await new Promise<void>(resolve => setImmediate(() => resolve(spin(20))))
  const [first, second] = [await share(), await share()]
  expect(first).toBeGreaterThan(0.5)
  expect(first).toBeLessThanOrEqual(1)
  expect(second).toBeGreaterThan(0.5)
})

function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) Math.hypot(3, 4)
}
