/** The statistics store cannot be used. The message tells the operator what to do, line by line. */
export class StatsStoreError extends Error {
  override name = 'StatsStoreError'
  readonly reason: 'locked' | 'damaged' | 'outdated' | 'full' | 'unreachable' | 'misconfigured'
  constructor(reason: StatsStoreError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** A statement exceeded its time limit and was interrupted. */
export class StatsTimeoutError extends Error {
  override name = 'StatsTimeoutError'
}
