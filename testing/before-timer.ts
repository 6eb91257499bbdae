/**
 * What `work` comes to, or `too late` when a timer of this process that began with it ends first. A busy machine delays both,
 * so that only the limits of the work decide.
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
