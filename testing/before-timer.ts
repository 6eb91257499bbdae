/**
 * The result of `work`, or `too late` when a timer that started with it ends first. A busy machine delays both, so only
 * the limits of the work itself decide.
 */
export async function beforeTimer<T>(work: Promise<T>, ms: number): Promise<T | 'too late'> {
  const { promise, resolve } = Promise.withResolvers<'too late'>()
  const timer = setTimeout(resolve, ms, 'too late')
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
