import { HttpError } from './http-error.ts'

export interface AdmissionLimits {
  /** The most requests that run at the same time; more would only share the same processors. */
  readonly atOnce: number
  /** The lower bound of that number while requests are slow. */
  readonly atLeast: number
  /** A slower request lowers the number of places, a faster one raises it. */
  readonly slowMs: number
  /** Waiting requests of all callers. */
  readonly waiting: number
  /** Waiting requests of one caller. Callers take turns, so a script with many requests delays only itself. */
  readonly waitingOfOne: number
  /** A request that has waited longer is refused: a quick refusal is better than a late answer. */
  readonly maxWaitMs: number
  /**
   * Maximum wait while load is shed, which begins when no request was admitted within {@link lateMs} for {@link
   * sheddingAfterMs}.
   */
  readonly sheddingWaitMs: number
  readonly sheddingAfterMs: number
  /** A request that waits longer counts as late. A queue in which requests wait less is not overloaded. */
  readonly lateMs: number
  /** Load shedding ends as soon as an admitted request waited no longer than this, or found the queue empty. */
  readonly soonMs: number
}

/**
 * A pause of some seconds (checkpoint, large import) is survived by waiting. A lasting overload is shed, so that the
 * queue is short when it ends.
 */
const LIMITS: AdmissionLimits = {
  atOnce: 32,
  atLeast: 6,
  slowMs: 700,
  waiting: 400,
  waitingOfOne: 128,
  maxWaitMs: 5_000,
  sheddingWaitMs: 800,
  sheddingAfterMs: 5_000,
  lateMs: 1_200,
  soonMs: 600,
}
/** A slow request lowers the number of places by a tenth, at most once in this time. */
const STEP_MS = 100
const LOOK_EVERY_MS = 50

interface Waiting {
  readonly since: number
  readonly admit: () => void
  readonly refuse: (error: HttpError) => void
}

const SECONDS_TO_WAIT = 3

/**
 * Adaptive concurrency limit with a fair queue and load shedding: fewer requests run at once while they are slow, the
 * others wait or are refused. Callers take turns, so that no caller can keep the others out.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #now: () => number
  #running = 0
  /** How many requests may run now. The fraction is growth that has not yet made a whole place. */
  #places: number
  #shrunkAt = Number.NEGATIVE_INFINITY
  #waiting = 0
  /** Callers in the order of their turns. */
  readonly #callers = new Map<string, Waiting[]>()
  #timer: NodeJS.Timeout | undefined
  /** When a request was last admitted within {@link AdmissionLimits.lateMs}, or joined an empty queue. */
  #lastInTimeAt = 0
  #isShedding = false
  #turnedAway = 0

  constructor(limits: Partial<AdmissionLimits> = {}, now: () => number = () => performance.now()) {
    this.#limits = { ...LIMITS, ...limits }
    this.#now = now
    this.#places = this.#limits.atOnce
  }

  /** Number of refused requests since the start, for metrics. */
  get turnedAway(): number {
    return this.#turnedAway
  }

  /**
   * Resolves when the request may run, with the function to call when it has ended (further calls do nothing).
   * @throws HttpError 503 when the queue is full or the wait too long, 429 when one caller has too many waiting; both
   *   with Retry-After
   */
  async enter(caller: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#hasPlace() && this.#waiting === 0) {
      this.#running += 1
      return this.#leaving()
    }
    const own = this.#callers.get(caller)
    if (this.#waiting >= this.#limits.waiting) throw this.#refusal(503, 'busy')
    if (own && own.length >= this.#limits.waitingOfOne) throw this.#refusal(429, 'too-many-of-caller')
    await this.#turn(caller, signal)
    return this.#leaving()
  }

  #turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { since: this.#now(), admit: resolve, refuse: reject }
      const own = this.#callers.get(caller)
      if (own) own.push(waiting)
      else this.#callers.set(caller, [waiting])
      if (this.#waiting === 0) this.#noteWait(0)
      this.#waiting += 1
      this.#timer ??= setTimeout(() => this.#shedLate(), this.#limits.sheddingWaitMs)
      signal?.addEventListener('abort', () => this.#giveUp(caller, waiting), { once: true })
    })
  }

  /** A slow request takes a tenth of the places. As many fast requests as there are places add one. */
  #learn(tookMs: number): void {
    const { atOnce, atLeast, slowMs } = this.#limits
    if (tookMs <= slowMs) this.#places = Math.min(atOnce, this.#places + 1 / this.#places)
    else if (this.#now() - this.#shrunkAt >= STEP_MS) {
      this.#shrunkAt = this.#now()
      this.#places = Math.max(atLeast, this.#places * 0.9)
    }
  }

  /** The caller disconnected while it waited: removes the request from the queue. */
  #giveUp(caller: string, waiting: Waiting): void {
    const own = this.#callers.get(caller)
    const place = own?.indexOf(waiting) ?? -1
    if (!own || place < 0) return
    own.splice(place, 1)
    if (own.length === 0) this.#callers.delete(caller)
    this.#waiting -= 1
    waiting.refuse(new HttpError(503, 'busy', { headers: { 'retry-after': '1' } }))
  }

  #hasPlace(): boolean {
    return this.#running < Math.floor(this.#places)
  }

  #leaving(): () => void {
    const since = this.#now()
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      this.#running -= 1
      this.#learn(this.#now() - since)
      this.#admitNext()
    }
  }

  #admitNext(): void {
    while (this.#hasPlace()) {
      const next = this.#takeNext()
      if (!next) return
      if (this.#isLate(next)) next.refuse(this.#refusal(503, 'busy'))
      else {
        this.#running += 1
        this.#noteWait(this.#now() - next.since)
        next.admit()
      }
    }
  }

  /** Round robin: the first request of the next caller, who then goes to the end of the line. */
  #takeNext(): Waiting | undefined {
    const [first] = this.#callers
    if (!first) return undefined
    const [caller, own] = first
    const next = own.shift()
    this.#callers.delete(caller)
    if (own.length > 0) this.#callers.set(caller, own)
    this.#waiting -= 1
    return next
  }

  #isLate({ since }: Waiting): boolean {
    return this.#now() - since >= this.#maxWaitMs()
  }

  #maxWaitMs(): number {
    if (this.#now() - this.#lastInTimeAt >= this.#limits.sheddingAfterMs) this.#isShedding = true
    return this.#isShedding ? this.#limits.sheddingWaitMs : this.#limits.maxWaitMs
  }

  #noteWait(ms: number): void {
    if (ms <= this.#limits.lateMs) this.#lastInTimeAt = this.#now()
    if (ms <= this.#limits.soonMs) this.#isShedding = false
  }

  #shedLate(): void {
    for (const [caller, own] of [...this.#callers]) {
      while (own[0] && this.#isLate(own[0])) {
        this.#waiting -= 1
        own.shift()?.refuse(this.#refusal(503, 'busy'))
      }
      if (own.length === 0) this.#callers.delete(caller)
    }
    this.#timer = this.#waiting === 0 ? undefined : setTimeout(() => this.#shedLate(), LOOK_EVERY_MS)
  }

  /** Retry-After of one to three seconds in turn, so that refused callers do not all return at the same time. */
  #refusal(status: 429 | 503, code: 'busy' | 'too-many-of-caller'): HttpError {
    this.#turnedAway += 1
    const retryAfter = String(1 + (this.#turnedAway % SECONDS_TO_WAIT))
    return new HttpError(status, code, { headers: { 'retry-after': retryAfter } })
  }
}
