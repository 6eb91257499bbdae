// Longest wait, and pause between two attempts.
const PATIENCE_MS = 60_000
const PAUSE_MS = 100

/** Polls until there is a value. The limit allows for a busy machine; a test's own limit may be shorter. */
export async function until<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const value = await read()
    if (value !== undefined) return value
    if (performance.now() > end) throw new Error('it did not come to that')
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}

/** Repeats a request that a busy server refused with 503, as every client does. */
export function untilAnswered<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  return until(async () => {
    const answer = await send()
    return answer.status === 503 ? undefined : answer
  })
}
