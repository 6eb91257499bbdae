import { vi } from 'vitest'

/**
 * For tests: runs `act`, lets it render, and then waits until the page's own timers have passed this time, however long
 * that takes.
 */
export async function passTime(ms: number, act: () => void): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    act()
    // Two frames: by then effects have set their timers.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    await vi.advanceTimersByTimeAsync(ms)
  } finally {
    vi.useRealTimers()
  }
}
