import { vi } from 'vitest'

/** For tests: does something, lets it be rendered, and lets the time pass by the page's timers, however long that takes. */
export async function passTime(ms: number, act: () => void): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    act()
    // Two frames: the effects of what was rendered have set their timers.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    await vi.advanceTimersByTimeAsync(ms)
  } finally {
    vi.useRealTimers()
  }
}
