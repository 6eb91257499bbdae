import { vi } from 'vitest'

/** For tests: runs `act`, lets it render, then advances the page's timers by `ms` with fake timers. */
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
