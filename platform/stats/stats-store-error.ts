/** The statistics store cannot be used. The message says what to do, line by line, for the operator's console. */
export class StatsStoreError extends Error {
  override name = 'StatsStoreError'
  readonly reason: 'locked' | 'damaged' | 'outdated' | 'full' | 'unreachable' | 'misconfigured'
  constructor(reason: StatsStoreError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** A statement ran longer than it was allowed to and was stopped. */
export class StatsTimeoutError extends Error {
  override name = 'StatsTimeoutError'
}
