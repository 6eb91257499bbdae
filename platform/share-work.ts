import { currentSignal, stopIfAborted, withSignal } from './request-signal.ts'

interface Running<T> {
  readonly result: Promise<T>
  readonly stop: AbortController
  callers: number
}

/** Different computations that run at the same time, because each takes a database connection. */
const MAX_AT_ONCE = 2

/**
 * Shares one computation among callers with the same key. A caller who comes while one runs shares the next one, so
 * that no answer is older than its request. A computation is aborted when its last caller has gone.
 */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>()
  readonly #next = new Map<string, Running<T>>()
  readonly #waiting: (() => void)[] = []
  #count = 0

  get(key: string, work: () => Promise<T>): Promise<T> {
    stopIfAborted()
    const running = this.#running.get(key)
    if (!running) return join(this.#begin(key, work))
    const waiting = this.#next.get(key)
    if (waiting && !waiting.stop.signal.aborted) return join(waiting)
    const next = start(async () => {
      await running.result.catch(() => {})
      if (this.#next.get(key) === next) {
        this.#next.delete(key)
        this.#running.set(key, next)
      }
      return await this.#inPlace(work)
    })
    this.#next.set(key, next)
    this.#forget(key, next)
    return join(next)
  }

  #begin(key: string, work: () => Promise<T>): Running<T> {
    const running = start(() => this.#inPlace(work))
    this.#running.set(key, running)
    this.#forget(key, running)
    return running
  }

  async #inPlace(work: () => Promise<T>): Promise<T> {
    if (this.#count < MAX_AT_ONCE) this.#count += 1
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      stopIfAborted()
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#count -= 1
    }
  }

  #forget(key: string, running: Running<T>): void {
    const forget = () => {
      for (const map of [this.#running, this.#next]) if (map.get(key) === running) map.delete(key)
    }
    running.result.then(forget, forget)
  }
}

function start<T>(work: () => Promise<T>): Running<T> {
  const stop = new AbortController()
  return { result: withSignal(stop.signal, work), stop, callers: 0 }
}

async function join<T>(running: Running<T>): Promise<T> {
  const signal = currentSignal()
  running.callers += 1
  if (!signal) return running.result
  const gone = Promise.withResolvers<never>()
  const leave = () => {
    running.callers -= 1
    if (running.callers === 0) running.stop.abort(signal.reason)
    gone.reject(signal.reason)
  }
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([running.result, gone.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
