import { performance } from 'node:perf_hooks'
import { expect, test, vi } from 'vitest'
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

test('work of an hour ago is no longer in the share, though nobody has asked since', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const spent = { idle: 0, active: 0 }
  const spy = vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((since, before) => {
    const [now, then] = before ? [since!, before] : [spent, since ?? { idle: 0, active: 0 }]
    const [idle, active] = [now.idle - then.idle, now.active - then.active]
    return { idle, active, utilization: active / (idle + active) }
  })
  try {
    const metrics = openMetrics()
    for (let second = 0; second < 3600; second += 5) {
      spent[second < 1800 ? 'active' : 'idle'] += 5_000
      vi.advanceTimersByTime(5_000)
    }
    spent.active += 3_000
    expect(await metrics.text()).toMatch(/^pc_event_loop_busy_ratio 0\.1\d*$/m)
  } finally {
    spy.mockRestore()
    vi.useRealTimers()
  }
})

function spin(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) Math.hypot(3, 4)
}
