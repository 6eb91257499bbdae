import { API_KEY_BOUNDS } from '@pc/domain/api-key/api-key.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'

interface Bucket {
  /** Requests that may still come now. */
  readonly left: number
  readonly at: number
}
const REFILL_PER_MS = API_KEY_BOUNDS.perMinute / 60_000
const MOST_BUCKETS = 10_000

/** How many requests a key may send: some at once, and then so many a minute. Each process counts its own. */
export class KeyPace {
  readonly #clock: Clock
  readonly #buckets = new Map<bigint, Bucket>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws HttpError 429 with Retry-After when the key has to wait */
  take(id: bigint): void {
    const now = this.#clock.now()
    const left = this.#leftOf(id, now)
    if (left < 1) {
      const seconds = Math.max(1, Math.ceil((1 - left) / REFILL_PER_MS / 1000))
      throw new HttpError(429, 'Too many requests of this API key.', { 'retry-after': String(seconds) })
    }
    this.#buckets.delete(id) // to the end: the first one is the longest unused
    this.#buckets.set(id, { left: left - 1, at: now })
    if (this.#buckets.size > MOST_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value!)
  }

  #leftOf(id: bigint, now: number): number {
    const bucket = this.#buckets.get(id)
    if (!bucket) return API_KEY_BOUNDS.burst
    return Math.min(API_KEY_BOUNDS.burst, bucket.left + Math.max(0, now - bucket.at) * REFILL_PER_MS)
  }
}
