import { HttpError } from './http-error.ts'

export interface AdmissionLimits {
  /** Most requests that are worked on at the same time; more would only share the same processors. */
  readonly atOnce: number
  /** As few as this, when they take too long. */
  readonly atLeast: number
  /** Requests that take longer make the number smaller, others let it grow again. */
  readonly slowMs: number
  /** Requests that wait for their turn, of everybody. */
  readonly waiting: number
  /** Of these, of one caller: a browser has six connections, a script more. Turns are by caller, so its crowd delays itself. */
  readonly waitingOfOne: number
  /** Who has waited longer is better served by a quick "later" than by a late answer. */
  readonly maxWaitMs: number
  /** The same once nobody has come in within {@link lateMs} for {@link rushAfterMs}: this is no hiccup. */
  readonly rushWaitMs: number
  readonly rushAfterMs: number
  /** Whom the answer still reaches in good time waited no longer. A queue in which everybody waits less is no rush. */
  readonly lateMs: number
  /** A rush is over when somebody waited no longer than this, or nobody waits. */
  readonly soonMs: number
}

/**
 * A hiccup of some seconds (a checkpoint, a large import, a close) is waited for by everybody. A rush that lasts is cut short, so
 * that hardly anybody waits when it is over and the next caller finds everything as usual (security, figures 12 and 13).
 */
const LIMITS: AdmissionLimits = {
  ...{ atOnce: 32, atLeast: 6, slowMs: 700 },
  ...{ waiting: 400, waitingOfOne: 128, maxWaitMs: 5_000, rushWaitMs: 800, rushAfterMs: 5_000 },
  ...{ lateMs: 1_200, soonMs: 600 },
}
/** One slow request takes a tenth of the places away, and no other one within this time. */
const STEP_MS = 100
const LOOK_EVERY_MS = 50

interface Waiting {
  readonly since: number
  readonly admit: () => void
  readonly refuse: (error: HttpError) => void
}

const SECONDS_TO_WAIT = 3

/**
 * Lets in as many requests as can be worked on in good time: fewer while they are slow, more again while they are not.
 * The others wait for a moment, the callers in turn, or are turned away at once. Under any load those who are let in
 * are answered soon, and nobody who asks for much can keep the others out.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #now: () => number
  #running = 0
  /** How many may run now, with what it has grown since the last whole one. */
  #places: number
  #shrunkAt = Number.NEGATIVE_INFINITY
  #waiting = 0
  /** Callers in the order of their turns. */
  readonly #callers = new Map<string, Waiting[]>()
  #timer: NodeJS.Timeout | undefined
  /** When the last one came in before it was late, or began to wait while nobody else did. */
  #lastInTimeAt = 0
  #isRush = false
  #turnedAway = 0

  constructor(limits: Partial<AdmissionLimits> = {}, now: () => number = () => performance.now()) {
    this.#limits = { ...LIMITS, ...limits }
    this.#now = now
    this.#places = this.#limits.atOnce
  }

  /** How many were turned away so far. */
  get turnedAway(): number {
    return this.#turnedAway
  }

  /**
   * Resolves when it is this request's turn, with the function that ends it (once; later calls do nothing).
   * @throws HttpError 503 when there are too many, 429 when they are of one caller; both with Retry-After
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
      this.#timer ??= setTimeout(() => this.#turnAwayLate(), this.#limits.rushWaitMs)
      signal?.addEventListener('abort', () => this.#giveUp(caller, waiting), { once: true })
    })
  }

  /** A tenth less when a request was slow, one more after as many quick ones as there are places. */
  #learn(tookMs: number): void {
    const { atOnce, atLeast, slowMs } = this.#limits
    if (tookMs <= slowMs) this.#places = Math.min(atOnce, this.#places + 1 / this.#places)
    else if (this.#now() - this.#shrunkAt >= STEP_MS) {
      this.#shrunkAt = this.#now()
      this.#places = Math.max(atLeast, this.#places * 0.9)
    }
  }

  /** The caller went away: its place is free. */
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

  /** The first of the caller whose turn it is; that caller's next one comes after everybody else's. */
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
    if (this.#now() - this.#lastInTimeAt >= this.#limits.rushAfterMs) this.#isRush = true
    return this.#isRush ? this.#limits.rushWaitMs : this.#limits.maxWaitMs
  }

  #noteWait(ms: number): void {
    if (ms <= this.#limits.lateMs) this.#lastInTimeAt = this.#now()
    if (ms <= this.#limits.soonMs) this.#isRush = false
  }

  #turnAwayLate(): void {
    for (const [caller, own] of [...this.#callers]) {
      while (own[0] && this.#isLate(own[0])) {
        this.#waiting -= 1
        own.shift()?.refuse(this.#refusal(503, 'busy'))
      }
      if (own.length === 0) this.#callers.delete(caller)
    }
    this.#timer = this.#waiting === 0 ? undefined : setTimeout(() => this.#turnAwayLate(), LOOK_EVERY_MS)
  }

  /** One to three seconds in turn, so that those who are turned away together do not come back together. */
  #refusal(status: 429 | 503, code: 'busy' | 'too-many-of-caller'): HttpError {
    this.#turnedAway += 1
    const retryAfter = String(1 + (this.#turnedAway % SECONDS_TO_WAIT))
    return new HttpError(status, code, { headers: { 'retry-after': retryAfter } })
  }
}
